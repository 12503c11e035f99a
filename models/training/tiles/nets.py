"""The network that reads the structure of one tile from its patch."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.training.net import Residual, conv
from vision.tiles.patch import PATCH_PX
from vision.tiles.structure import KIND_AT, TURNS

LEAST = PATCH_PX // 16
FINE = PATCH_PX // 4
# Signs that lie somewhere on the tile: the first of `SIGNS`; the last one, "divided", has no place.
PLACED = 5
GROUNDS = 4  # no tile, field, road, city


class TileNet(nn.Module):
    """(N, 3, 80, 80) to (N, KIND_AT + 4 kinds) logits; see ``vision.tiles.structure``.

    Edges and names are told from the whole tile at once, the signs besides from a map at a quarter of
    the patch, on which each is a peak.
    """

    def __init__(self, kinds: int, widths: tuple[int, ...] = (20, 32, 48, 60, 16, 72)) -> None:
        super().__init__()
        a, b, c, d, e, hidden = widths
        self.at4 = nn.Sequential(conv(3, a, 2), conv(a, b, 2), Residual(b))
        self.at8 = nn.Sequential(conv(b, c, 2), Residual(c))
        self.at16 = nn.Sequential(conv(c, d, 2), Residual(d))
        self.flat = conv(d, e, kernel=1)
        self.mix = nn.Sequential(
            nn.Flatten(), nn.Linear(e * LEAST**2, hidden, bias=False), nn.BatchNorm1d(hidden), nn.ReLU(),
        )  # fmt: skip
        self.head = nn.Linear(hidden, KIND_AT + TURNS * kinds)
        self.down16, self.down8 = conv(d, c, kernel=1), conv(c, b, kernel=1)
        self.mix8 = conv(c, c)
        self.mix4 = conv(b, b)
        self.heat = nn.Conv2d(b, PLACED, 1)
        self.ground = nn.Conv2d(b, GROUNDS, 1)  # for training only
        self.where = nn.Parameter(torch.zeros(1, PLACED, FINE, FINE))
        self.peaks = nn.Linear(PLACED, KIND_AT + TURNS * kinds, bias=False)
        nn.init.constant_(self.heat.bias, -4.0)
        nn.init.zeros_(self.peaks.weight)

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        return self.dense(x)[0]

    def dense(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The logits; maps of the signs (N, 5, 20, 20) and of the ground (N, 4, 20, 20), logits."""
        x4 = self.at4(x)
        x8 = self.at8(x4)
        x16 = self.at16(x8)
        out = self.head(self.mix(self.flat(x16)))
        x8 = self.mix8(x8 + F.interpolate(self.down16(x16), scale_factor=2.0, mode="nearest"))
        x4 = self.mix4(x4 + F.interpolate(self.down8(x8), scale_factor=2.0, mode="nearest"))
        heat = self.heat(x4)
        peak = F.max_pool2d(heat + self.where, FINE).flatten(1)
        return out + self.peaks(peak / 4), heat, self.ground(x4)
