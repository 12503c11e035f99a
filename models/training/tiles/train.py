"""Training of the tile network on painted tiles: ``python -m models.training.tiles.train``.

Paints the stock first where it is missing; ends after ``--minutes`` and takes up what is there.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.training.muon import Muon
from models.training.tiles.bank import HELD_OUT, SIGN, Bank, kinds, load_bank
from models.training.tiles.batches import Patches, Stock, draw, targets
from models.training.tiles.nets import PLACED, TileNet
from models.training.tiles.restore import take_over
from vision.tiles.network import PLACE_SCALE
from vision.tiles.patch import patches_input
from vision.tiles.structure import KIND_AT, PAIR_AT, PLACE_AT, PRESENT_AT, SIGN_AT

BATCH = 48
AVERAGE = 0.997
RATE = 6e-3
SMOOTH = 0.03
OUTER = ("head", "heat", "ground", "where", "peaks")  # not trained by Muon
# Weights of the six signs: the small ones are missed most.
SIGN_WEIGHTS = torch.tensor([1.0, 2.0, 2.0, 2.0, 1.0, 1.0])
PEAKS, GROUND = 1.0, 0.5


class Loss:
    """Cross-entropies of presence, sides, joined pairs, signs and names; L1 of the place."""

    def __init__(self) -> None:
        t = targets()
        self._edges = torch.from_numpy(t.edges)
        self._pairs, self._signs = torch.from_numpy(t.pairs), torch.from_numpy(t.signs)
        self._same = torch.from_numpy(t.same)

    def __call__(self, maps: tuple[Tensor, Tensor, Tensor], part: Patches) -> Tensor:
        """The mean over a batch; ``maps``: as of `TileNet.dense`."""
        kind, turn = torch.from_numpy(part.kind), torch.from_numpy(part.turn)
        present, place = torch.from_numpy(part.present), torch.from_numpy(part.place)
        out, heat, ground = maps
        there = F.binary_cross_entropy_with_logits(out[:, PRESENT_AT], present)
        gap = (out[:, PLACE_AT:KIND_AT] - place * PLACE_SCALE).abs() * present[:, None]
        near = part.near > 0
        named = self._named(out[near], kind[near], turn[near])
        return there + gap.mean() + named + _seen(heat, ground, torch.from_numpy(part.truths))

    def _named(self, out: Tensor, kind: Tensor, turn: Tensor) -> Tensor:
        edges, pairs, signs = (x[kind, turn] for x in (self._edges, self._pairs, self._signs))
        sides = F.cross_entropy(
            out[:, :PAIR_AT].reshape(-1, 3), edges.reshape(-1), label_smoothing=SMOOTH
        )
        joined = out[:, PAIR_AT:SIGN_AT]
        matters = pairs >= 0
        bits = F.binary_cross_entropy_with_logits(joined, pairs.clamp(0, 1), reduction="none")
        join = (bits * matters).sum() / matters.sum().clamp(1)
        found = out[:, SIGN_AT:PRESENT_AT]
        sign = F.binary_cross_entropy_with_logits(found, signs, weight=SIGN_WEIGHTS)
        same = self._same[kind * 4 + turn]
        name = F.cross_entropy(out[:, KIND_AT:], same, label_smoothing=SMOOTH)
        return 2 * sides + join + 3 * sign + name


def _seen(heat: Tensor, ground: Tensor, truth: Tensor) -> Tensor:
    """What lies where: cross-entropy of the ground, and of the signs, as much for where they are as
    for where they are not."""
    truth = truth.long()
    marks = F.one_hot(truth // SIGN, PLACED + 1).permute(0, 3, 1, 2)[:, 1:].float()
    bits = F.binary_cross_entropy_with_logits(heat, marks, reduction="none")
    there = (bits * marks).sum() / marks.sum().clamp(1)
    elsewhere = (bits * (1 - marks)).sum() / (1 - marks).sum()
    return PEAKS * (there + 4 * elsewhere) + GROUND * F.cross_entropy(ground, truth % SIGN)


def fit(
    net: TileNet, bank: Bank, minutes: float, seed: int, path: Path, rate_at_first: float = RATE,
    bf16: bool = False,
) -> TileNet:  # fmt: skip
    """Trains with Muon and AdamW at a cosine rate over wall time; returns the averaged weights.

    ``bf16``: pays on processors that compute in it, others take ten times as long."""
    net.train().to(memory_format=torch.channels_last)
    stock = Stock(bank)
    loss_of, rng = Loss(), np.random.default_rng([seed, 7])
    hidden = [p for n, p in net.named_parameters() if p.ndim > 1 and not n.startswith(OUTER)]
    taken = {id(p) for p in hidden}
    rest = [p for p in net.parameters() if id(p) not in taken]
    optimisers = [Muon(hidden, RATE), torch.optim.AdamW(rest, RATE, weight_decay=0.0)]
    average = {k: v.clone() for k, v in net.state_dict().items()}
    began, step, recent = time.monotonic(), 0, 0.0
    while (gone := (time.monotonic() - began) / (60 * minutes)) < 1:
        warm = min(1.0, (step + 1) / 60)
        rate = rate_at_first * warm * (0.01 + 0.99 * (1 + math.cos(math.pi * gone)) / 2)
        part = stock.draw(rng, BATCH)
        net.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            inputs = torch.from_numpy(patches_input(list(part.pictures)))
            maps = net.dense(inputs.contiguous(memory_format=torch.channels_last))
        loss = loss_of((maps[0].float(), maps[1].float(), maps[2].float()), part)
        loss.backward()
        for optimiser in optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.step()
        _follow(average, net, min(AVERAGE, (step + 1) / (step + 20)))
        recent = 0.99 * recent + 0.01 * loss.item() if step else loss.item()
        step += 1
        if step % 200 == 0:
            torch.save(average, path)
            print(f"{step}: loss {recent:.3f}, {60 * minutes * gone:.0f} s", flush=True)
    net.load_state_dict(average)
    torch.save(average, path)
    return net.eval()


def _follow(average: dict[str, Tensor], net: nn.Module, keep: float) -> None:
    with torch.no_grad():
        for name, value in net.state_dict().items():
            if value.dtype.is_floating_point:
                average[name].mul_(keep).add_(value, alpha=1 - keep)
            else:
                average[name].copy_(value)


@torch.no_grad()
def right_share(net: TileNet, bank: Bank, count: int, seed: int) -> float:
    """Share of patches whose kind and turn the network names right."""
    part = draw(np.random.default_rng([seed, 11]), bank, count)
    same = targets().same
    found = []
    for k in range(0, count, 64):
        out = net(torch.from_numpy(patches_input(list(part.pictures[k : k + 64]))))
        found.append(out[:, KIND_AT:].argmax(1).numpy())
    true = part.kind * 4 + part.turn
    right = same[true, np.concatenate(found)] > 0
    return float(right[part.near > 0].mean())


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("training-data/tiles"))
    parser.add_argument("--styles", type=int, default=210, help="artists in the stock")
    parser.add_argument("--first", type=int, default=0, help="number of the first of them")
    parser.add_argument("--editions", action="store_true", help="as other editions may look")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=RATE, help="learning rate at first")
    parser.add_argument("--bf16", action="store_true", help="for processors that compute in it")
    parser.add_argument("--start", type=Path, help="weights or an ONNX file to go on from")
    parser.add_argument("--out", type=Path, default=Path("training-data/tiles/weights.pt"))
    a = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(a.seed)
    bank = load_bank(a.data, a.styles, a.first, editions=a.editions)
    held_out = load_bank(a.data, 24, HELD_OUT)
    net = TileNet(len(kinds()))
    print(f"{sum(p.numel() for p in net.parameters())} parameters", flush=True)
    if a.start is not None and a.start.suffix == ".onnx":
        take_over(net, a.start, bank)
    elif a.start is not None:
        net.load_state_dict(torch.load(a.start, weights_only=True))
    fit(net, bank, a.minutes, a.seed, a.out, a.rate, a.bf16)
    print(f"held-out styles: {100 * right_share(net, held_out, 2000, a.seed):.2f} % right")


if __name__ == "__main__":
    main()
