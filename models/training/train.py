"""Trains the detector: ``python -m models.training.train --data DIR --run DIR``; resumable."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset

from models.training.dataset import SHARD, decode
from models.training.net import Net
from models.training.targets import random_window


class Windows(IterableDataset[tuple[Tensor, ...]]):
    """Endless training windows; ``pool`` shards are mixed at a time, two windows per picture."""

    def __init__(self, folder: Path, pattern: str, size: int, seed: int, pool: int = 4) -> None:
        self.folder, self.pattern, self.size, self.seed, self.pool = (
            folder,
            pattern,
            size,
            seed,
            pool,
        )

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        """Yields inputs, heat, regress, near, masks."""
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        while True:
            shards = sorted(self.folder.glob(self.pattern))
            rng.shuffle(shards)  # type: ignore[arg-type]
            for k in range(0, len(shards), self.pool):
                stored = []
                for path in shards[k : k + self.pool]:
                    with np.load(path) as data:
                        stored.append({name: data[name] for name in data.files})
                picks = [(s, i) for s in range(len(stored)) for i in range(SHARD)]
                rng.shuffle(picks)
                for s, i in picks:
                    sample = decode(stored[int(s)], int(i))
                    for _ in range(2):
                        w = random_window(rng, sample, self.size)
                        yield tuple(
                            torch.from_numpy(a)
                            for a in (w.inputs, w.heat, w.regress, w.near, w.masks)
                        )


def loss_terms(outputs: tuple[Tensor, Tensor, Tensor], batch: list[Tensor]) -> dict[str, Tensor]:
    """Focal loss of the heat maps (Law and Deng 2018), L1 near feet, cross-entropy of the masks."""
    logits, regress, mask_logits = (o.float() for o in outputs)
    _, heat, wanted, near, masks = batch
    sure = heat.eq(1).float()
    p = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    found = F.logsigmoid(logits) * (1 - p) ** 2 * sure
    quiet = F.logsigmoid(-logits) * p**2 * (1 - heat) ** 4 * (1 - sure)
    count = sure.sum().clamp(min=1)
    weight = near[:, None] / near.sum().clamp(min=1)
    error = (regress - wanted).abs() * weight
    return {
        "heat": -(found.sum() + quiet.sum()) / count,
        "foot": error[:, :2].sum(),
        "top": error[:, 2:4].sum(),
        "width": error[:, 4:].sum(),
        "masks": F.binary_cross_entropy_with_logits(mask_logits, masks),
    }


WEIGHTS = {"heat": 1.0, "foot": 1.0, "top": 1.0, "width": 0.5, "masks": 2.0}


class Average:
    """Exponential moving average of the weights and statistics."""

    def __init__(self, net: Net, decay: float) -> None:
        self.decay, self.steps = decay, 0
        self.state = {k: v.detach().clone() for k, v in net.state_dict().items()}

    def update(self, net: Net) -> None:
        """Takes in one step; the first steps count more."""
        self.steps += 1
        d = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for k, v in net.state_dict().items():
            if v.dtype.is_floating_point:
                self.state[k].lerp_(v.detach(), 1 - d)
            else:
                self.state[k].copy_(v)


def train(data: Path, pattern: str, run: Path, steps: int, batch: int, size: int, rate: float,
          seed: int, threads: int, start: Path | None = None) -> Path:  # fmt: skip
    """Trains ``steps`` steps, or what is left of them; returns the file of averaged weights."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    run.mkdir(parents=True, exist_ok=True)
    net = Net()
    if start is not None:
        net.load_state_dict(torch.load(start, weights_only=True))
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = Average(net, 0.998)
    groups = [
        {"params": [p for p in net.parameters() if p.ndim > 1], "weight_decay": 1e-2},
        {"params": [p for p in net.parameters() if p.ndim <= 1], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=rate)
    checkpoint, done = run / "checkpoint.pt", 0
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(saved["net"])
        optimiser.load_state_dict(saved["optimiser"])
        average.state, average.steps, done = saved["average"], saved["done"], saved["done"]
    loader = DataLoader(
        Windows(data, pattern, size, seed + done), batch, num_workers=1, prefetch_factor=3
    )
    began, log = time.monotonic(), dict.fromkeys(WEIGHTS, 0.0)
    for step, items in enumerate(loader, done):
        if step >= steps:
            break
        factor = min(1.0, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * step / steps)) + 1e-3
        for group in optimiser.param_groups:
            group["lr"] = rate * factor
        terms = _step(net, optimiser, items)
        average.update(net)
        for k, v in terms.items():
            log[k] += v / 50
        if step % 50 == 49:
            text = " ".join(f"{k} {v:.3f}" for k, v in log.items())
            print(f"step {step + 1}/{steps} {time.monotonic() - began:.0f} s {text}", flush=True)
            log = dict.fromkeys(WEIGHTS, 0.0)
        if step % 250 == 249 or step == steps - 1:
            _save(checkpoint, net, optimiser, average, step + 1)
            torch.save(average.state, run / "average.pt")
    return run / "average.pt"


def _step(net: Net, optimiser: torch.optim.Optimizer, items: list[Tensor]) -> dict[str, float]:
    net.train()
    # (N, S, S, 7) seen as (N, 7, S, S) is in channels-last order already.
    inputs = items[0].permute(0, 3, 1, 2).float().div_(255)
    with torch.autocast("cpu", torch.bfloat16):
        outputs = net(inputs)
    terms = loss_terms(outputs, items)
    total = sum(WEIGHTS[k] * v for k, v in terms.items())
    optimiser.zero_grad(set_to_none=True)
    total.backward()  # type: ignore[union-attr]
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimiser.step()
    return {k: float(v.detach()) for k, v in terms.items()}


def _save(
    path: Path, net: Net, optimiser: torch.optim.Optimizer, average: Average, done: int
) -> None:
    state = {
        "net": net.state_dict(),
        "optimiser": optimiser.state_dict(),
        "average": average.state,
        "done": done,
    }
    temporary = path.with_suffix(".part")
    torch.save(state, temporary)
    temporary.rename(path)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pattern", default="seed1-*.npz", help="which shards to train on")
    parser.add_argument("--run", type=Path, required=True, help="folder of checkpoints")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, default=None, help="weights to begin from")
    a = parser.parse_args()
    train(a.data, a.pattern, a.run, a.steps, a.batch, a.size, a.rate, a.seed, a.threads, a.start)


if __name__ == "__main__":
    main()
