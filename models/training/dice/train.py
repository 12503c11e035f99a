"""Training of the two dice networks on drawn scenes: ``python -m models.training.dice.train``."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.training.dice import batches, pictures
from models.training.dice.nets import Finder, Reader
from models.training.dice.scenes import Scene
from models.training.muon import Muon

BATCH = 32
AVERAGE = 0.99
RATE = 8e-3
Loss = Callable[[nn.Module, np.random.Generator], Tensor]


def reader_loss(net: nn.Module, part: batches.Patches) -> Tensor:
    """Cross-entropy of the pips and L1 of the place where there is a die."""
    out = net(torch.from_numpy(part.inputs)).float().flatten(1)
    loss = F.cross_entropy(out[:, :7], torch.from_numpy(part.pips), label_smoothing=0.02)
    there = np.flatnonzero(np.isfinite(part.shift[:, 0]))
    gap = out[there, 7:] - torch.from_numpy(part.shift[there])
    return loss + 2.0 * gap.abs().mean()


def finder_loss(net: nn.Module, part: batches.Windows) -> Tensor:
    """Penalty-reduced focal loss (Zhou et al. 2019) and L1 of the log of the side."""
    out = net(torch.from_numpy(part.inputs)).float()
    logit, side = out[:, 0], out[:, 1]
    p = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    heat, weight = torch.from_numpy(part.heat), torch.from_numpy(part.weight)
    peak = heat > 0.999
    miss = -((1 - p) ** 2) * F.logsigmoid(logit)
    false = -((1 - heat) ** 4) * p**2 * F.logsigmoid(-logit)
    focal = (torch.where(peak, miss, false) * weight).sum() / max(int(peak.sum()), 1)
    truth = torch.from_numpy(part.side)
    there = torch.isfinite(truth)
    return focal + 0.5 * (side[there] - truth[there]).abs().mean()


def fit(net: nn.Module, loss_of: Loss, steps: int, seed: int, path: Path) -> nn.Module:
    """Trains with Muon and AdamW at a cosine rate; returns and stores the averaged weights."""
    net.train().to(memory_format=torch.channels_last)
    average = {k: v.clone() for k, v in net.state_dict().items()}
    optimisers = _optimisers(net, RATE)
    rng, began, recent = np.random.default_rng([seed, steps]), time.process_time(), 0.0
    for step in range(steps):
        warm = min(1.0, (step + 1) / 30)
        now = RATE * warm * (0.01 + 0.99 * (1 + math.cos(math.pi * step / steps)) / 2)
        net.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):
            loss = loss_of(net, rng)
        loss.backward()
        for optimiser in optimisers:
            for group in optimiser.param_groups:
                group["lr"] = now
            optimiser.step()
        keep = min(AVERAGE, (step + 1) / (step + 20))
        with torch.no_grad():
            for name, value in net.state_dict().items():
                if value.dtype.is_floating_point:
                    average[name].mul_(keep).add_(value, alpha=1 - keep)
                else:
                    average[name].copy_(value)
        recent = 0.98 * recent + 0.02 * loss.item() if step else loss.item()
        if step % 200 == 199:
            torch.save(average, path.with_suffix(".part"))
            print(f"{step + 1}: loss {recent:.3f}, {time.process_time() - began:.0f} s", flush=True)
    net.load_state_dict(average)
    torch.save(net.state_dict(), path)
    return net.eval()


def _go_on(net: nn.Module, start: Path | None) -> None:
    if start is not None:
        net.load_state_dict(torch.load(start, weights_only=True))


def _optimisers(net: nn.Module, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the hidden convolutions, AdamW for the outputs, biases and normalisations."""
    hidden = [p for name, p in net.named_parameters() if p.ndim > 1 and not name.startswith("head")]
    taken = {id(p) for p in hidden}
    rest = [p for p in net.parameters() if id(p) not in taken]
    return [Muon(hidden, rate), torch.optim.AdamW(rest, rate, weight_decay=0.0)]


def train_reader(
    scenes: list[Scene],
    grounds: list[pictures.Picture],
    steps: int,
    seed: int,
    path: Path,
    start: Path | None = None,
) -> Reader:
    """The reader's weights, also written to ``path``; ``start``: weights to begin with."""
    torch.manual_seed(seed)

    def loss_of(net: nn.Module, rng: np.random.Generator) -> Tensor:
        return reader_loss(net, batches.patches(rng, scenes, BATCH, grounds))

    net = Reader()
    _go_on(net, start)
    fit(net, loss_of, steps, seed, path)
    return net


def train_finder(
    scenes: list[Scene],
    grounds: list[pictures.Picture],
    steps: int,
    seed: int,
    path: Path,
    start: Path | None = None,
) -> Finder:
    """The finder's weights, also written to ``path``; ``start``: weights to begin with."""
    torch.manual_seed(seed)

    def loss_of(net: nn.Module, rng: np.random.Generator) -> Tensor:
        return finder_loss(net, batches.windows(rng, scenes, BATCH // 2, grounds))

    net = Finder()
    _go_on(net, start)
    fit(net, loss_of, steps, seed, path)
    return net


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--which", choices=("reader", "finder"), required=True)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--out", type=Path, required=True)
    a = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    scenes, grounds = list(pictures.read(a.data, a.seed)), pictures.tables(a.tables)
    print(f"{len(scenes)} scenes, {len(grounds)} tables", flush=True)
    job = train_reader if a.which == "reader" else train_finder
    job(scenes, grounds, a.steps, a.seed, a.out, a.start)


if __name__ == "__main__":
    main()
