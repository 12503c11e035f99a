"""Trains the detector: ``python -m models.training.train --data DIR --run DIR``; resumable."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset

from models.training.dataset import SHARD, decode
from models.training.muon import Muon
from models.training.net import Net
from models.training.targets import random_window
from vision.types import SHAPES


class Windows(IterableDataset[tuple[Tensor, ...]]):
    """Endless training windows; ``pool`` shards are mixed at a time, two windows per picture."""

    def __init__(self, folder: Path, pattern: str, size: int, seed: int, rank: int) -> None:
        self.folder, self.pattern, self.size, self.seed = folder, pattern, size, (seed, rank)
        self.pool = 4

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        """Yields inputs, heat, regress, near, masks, looks."""
        cv2.setNumThreads(1)
        rng = np.random.default_rng(self.seed)
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
                            for a in (w.inputs, w.heat, w.regress, w.near, w.masks, w.looks)
                        )


class _Quiet(torch.autograd.Function):
    """Sum of weight * softplus(x) * sigmoid(x)**2: focal loss where nothing stands; one pass."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, weight: Tensor) -> Tensor:  # type: ignore[override]
        """Keeps the gradient, which shares all its terms with the value."""
        p = torch.sigmoid(logits)
        rise = F.softplus(logits)
        common = p.square().mul_(weight)
        value = torch.dot(common.flatten(), rise.flatten())
        slope = rise.mul_(2).mul_(1 - p).add_(p).mul_(common)
        ctx.save_for_backward(slope)
        return value

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:  # type: ignore[override]
        """Gradient with respect to the logits."""
        (slope,) = ctx.saved_tensors
        return slope * gradient, None


def loss_terms(outputs: tuple[Tensor, ...], batch: list[Tensor]) -> dict[str, Tensor]:
    """Focal loss of the heat maps (Law and Deng 2018), L1 near feet, cross-entropy of the masks.

    Looks: supervised contrast (Khosla et al. 2020) among the pieces of one window.
    """
    logits, regress, mask_logits, look = (o.float().contiguous() for o in outputs)
    _, heat, wanted, near, masks, looks = batch
    sure = heat == 1
    at_feet = logits[sure]
    found = (F.softplus(-at_feet) * torch.sigmoid(-at_feet) ** 2).sum()
    quiet = _Quiet.apply(logits, (1 - heat).square_().square_())
    weight = near[:, None] / near.sum().clamp(min=1)
    error = (regress - wanted).abs() * weight
    return {
        "heat": (found + quiet) / max(len(at_feet), 1),
        "shape": _shape_loss(logits, sure),
        "foot": error[:, :2].sum(),
        "top": error[:, 2:4].sum(),
        "width": error[:, 4:].sum(),
        "masks": F.binary_cross_entropy_with_logits(mask_logits, masks),
        "look": _look_loss(look, looks),
    }


def _shape_loss(logits: Tensor, sure: Tensor) -> Tensor:
    """Cross-entropy among the classes that exclude one another, at their feet."""
    rivals = [i for i, s in enumerate(SHAPES) if s not in ("wall", "l_wall")]
    sample, shape, y, x = torch.nonzero(sure[:, rivals], as_tuple=True)
    if len(shape) == 0:
        return logits.sum() * 0
    return F.cross_entropy(logits[sample, :, y, x][:, rivals], shape)


WEIGHTS = {
    "heat": 1.0,
    "shape": 1.0,
    "foot": 1.0,
    "top": 1.0,
    "width": 0.5,
    "masks": 2.0,
    "look": 0.5,
}
TEMPERATURE = 0.1


def _look_loss(look: Tensor, looks: Tensor) -> Tensor:
    """Pieces that look alike shall be near, all others of the window far; (N, D, h, w), (N, h, w).

    The vector is read up to one cell beside the foot, as a detection may be.
    """
    sample, y, x = torch.nonzero(looks, as_tuple=True)
    if len(sample) < 2:
        return look.sum() * 0
    names = looks[sample, y, x]
    h, w = looks.shape[1:]
    y = (y + torch.randint(-1, 2, y.shape)).clamp(0, h - 1)
    x = (x + torch.randint(-1, 2, x.shape)).clamp(0, w - 1)
    vectors = F.normalize(look[sample, :, y, x], dim=1)
    likeness = vectors @ vectors.T / TEMPERATURE
    same_picture = sample[:, None] == sample[None]
    others = same_picture & ~torch.eye(len(sample), dtype=torch.bool)
    alike = others & (names[:, None] == names[None])
    anchors = alike.any(1) & (others & ~alike).any(1)
    if not anchors.any():
        return look.sum() * 0
    total = likeness.masked_fill(~others, -1e9).logsumexp(1, keepdim=True)
    per_anchor = ((total - likeness) * alike).sum(1) / alike.sum(1).clamp(min=1)
    return per_anchor[anchors].mean()


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


@dataclass(frozen=True, slots=True)
class Settings:
    """One training: shards of ``data`` that match ``pattern``, checkpoints in ``run``.

    ``batch``: windows of ``size`` px per step, shared by ``ranks`` processes of one thread each.
    ``rate``: highest learning rate; it falls to 0 along a cosine over ``steps``, or sooner, so that
    the training ends within ``minutes`` of running (0: no limit).
    """

    data: Path
    pattern: str
    run: Path
    steps: int
    batch: int = 16
    size: int = 320
    rate: float = 5e-3
    seed: int = 1
    ranks: int = 2
    start: Path | None = None
    minutes: float = 0.0


def train(settings: Settings) -> Path:
    """Trains all steps, or what is left of them; returns the file of averaged weights."""
    settings.run.mkdir(parents=True, exist_ok=True)
    meeting = settings.run / f"meeting-{time.time_ns()}"
    if settings.ranks == 1:
        _work(0, settings, meeting)
    else:
        torch.multiprocessing.spawn(_work, (settings, meeting), settings.ranks)
    meeting.unlink(missing_ok=True)
    return settings.run / "average.pt"


def _work(rank: int, settings: Settings, meeting: Path) -> None:
    """One of the processes that train together; all hold the same weights."""
    torch.set_num_threads(1)
    torch.manual_seed(settings.seed)
    if settings.ranks > 1:
        place = f"file://{meeting.resolve()}"
        torch.distributed.init_process_group("gloo", place, rank=rank, world_size=settings.ranks)
    net = Net()
    if settings.start is not None:
        # Heads that the older weights lack begin afresh.
        net.load_state_dict(torch.load(settings.start, weights_only=True), strict=False)
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = Average(net, 0.998)
    optimisers = _optimisers(net, settings.rate)
    done, spent = _resume(settings.run / "checkpoint.pt", net, optimisers, average)
    source = Windows(settings.data, settings.pattern, settings.size, settings.seed + done, rank)
    loader = DataLoader(source, settings.batch // settings.ranks, num_workers=1, prefetch_factor=3)
    began, log = time.monotonic() - spent, dict.fromkeys(WEIGHTS, 0.0)
    for step, items in enumerate(loader, done):
        progress = _agreed(_progress(settings, step, time.monotonic() - began))
        if progress >= 1:
            break
        _set_rate(optimisers, step, progress)
        terms = _step(net, optimisers, items)
        if rank > 0:
            continue
        average.update(net)
        for k, v in terms.items():
            log[k] += v / 50
        if step % 50 == 49:
            text = " ".join(f"{k} {v:.3f}" for k, v in log.items())
            spent = time.monotonic() - began
            print(f"step {step + 1} {spent:.0f} s {progress:.1%} {text}", flush=True)
            log = dict.fromkeys(WEIGHTS, 0.0)
        if step % 100 == 99:
            spent = time.monotonic() - began
            _save(settings.run, net, optimisers, average, (step + 1, spent))
    if rank == 0:
        torch.save(average.state, settings.run / "average.pt")


def _resume(
    checkpoint: Path, net: Net, optimisers: list[torch.optim.Optimizer], average: Average
) -> tuple[int, float]:
    """Takes up a checkpoint if there is one; returns the steps done and the seconds spent."""
    if not checkpoint.exists():
        return 0, 0.0
    saved = torch.load(checkpoint, weights_only=True)
    net.load_state_dict(saved["net"])
    for optimiser, state in zip(optimisers, saved["optimisers"], strict=True):
        optimiser.load_state_dict(state)
    average.state, average.steps = saved["average"], saved["done"]
    return int(saved["done"]), float(saved["spent"])


def _progress(settings: Settings, step: int, spent_s: float) -> float:
    """How much of the training is behind us, from 0 to 1: by steps or by time."""
    limit = settings.minutes * 60
    return max(step / settings.steps, spent_s / limit if limit else 0.0)


def _agreed(progress: float) -> float:
    """The mean over the processes that train together, so that all take the same steps."""
    if not torch.distributed.is_initialized():
        return progress
    value = torch.tensor([progress], dtype=torch.float64)
    torch.distributed.all_reduce(value)
    return float(value) / torch.distributed.get_world_size()


def _set_rate(optimisers: list[torch.optim.Optimizer], step: int, progress: float) -> None:
    factor = min(1.0, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-3
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["lr"] = group["peak"] * factor


def _optimisers(net: Net, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the hidden convolutions, AdamW for the outputs, biases and normalisations."""
    outputs = {
        id(p)
        for layer in (net.heat, net.coarse, net.rest, net.look, net.coarse_look)
        for p in layer.parameters()
    }
    hidden = [p for p in net.parameters() if p.ndim > 1 and id(p) not in outputs]
    taken = {id(p) for p in hidden}
    rest = [p for p in net.parameters() if id(p) not in taken]
    optimisers = [Muon(hidden, rate), torch.optim.AdamW(rest, rate, weight_decay=0.0)]
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["peak"] = rate
    return optimisers


def _step(
    net: Net, optimisers: list[torch.optim.Optimizer], items: list[Tensor]
) -> dict[str, float]:
    net.train()
    # (N, S, S, 7) seen as (N, 7, S, S) is in channels-last order already.
    inputs = items[0].permute(0, 3, 1, 2).float().div_(255)
    with torch.autocast("cpu", torch.bfloat16):
        outputs = net(inputs)
    terms = loss_terms(outputs, items)
    total = sum(WEIGHTS[k] * v for k, v in terms.items())
    net.zero_grad(set_to_none=True)
    total.backward()  # type: ignore[union-attr]
    _share_gradients(net)
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    for optimiser in optimisers:
        optimiser.step()
    return {k: float(v.detach()) for k, v in terms.items()}


def _share_gradients(net: Net) -> None:
    """Mean over the processes that train together."""
    if not torch.distributed.is_initialized():
        return
    gradients = [p.grad for p in net.parameters() if p.grad is not None]
    flat = torch.cat([g.flatten() for g in gradients])
    torch.distributed.all_reduce(flat)
    flat /= torch.distributed.get_world_size()
    for gradient, piece in zip(gradients, flat.split([g.numel() for g in gradients]), strict=True):
        gradient.copy_(piece.view_as(gradient))


def _save(
    run: Path,
    net: Net,
    optimisers: list[torch.optim.Optimizer],
    average: Average,
    done: tuple[int, float],
) -> None:
    """``done``: steps and seconds."""
    state = {
        "net": net.state_dict(), "average": average.state, "done": done[0], "spent": done[1],
        "optimisers": [o.state_dict() for o in optimisers],
    }  # fmt: skip
    temporary = run / "checkpoint.part"
    torch.save(state, temporary)
    temporary.rename(run / "checkpoint.pt")
    torch.save(average.state, run / "average.pt")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pattern", default="seed1-*.npz", help="which shards to train on")
    parser.add_argument("--run", type=Path, required=True, help="folder of checkpoints")
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--rate", type=float, default=5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranks", type=int, default=2, help="processes that train together")
    parser.add_argument("--start", type=Path, default=None, help="weights to begin from")
    parser.add_argument("--minutes", type=float, default=0.0, help="end within so many minutes")
    train(Settings(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
