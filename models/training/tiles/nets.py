"""The network that reads the structure of one tile from its patch."""

from __future__ import annotations

from torch import Tensor, nn

from models.training.net import Residual, conv
from vision.tiles.patch import PATCH_PX
from vision.tiles.structure import KIND_AT, TURNS

LEAST = PATCH_PX // 16


class TileNet(nn.Module):
    """(N, 3, 80, 80) to (N, KIND_AT + 4 kinds) logits; see ``vision.tiles.structure``."""

    def __init__(self, kinds: int, widths: tuple[int, ...] = (20, 32, 48, 60, 16, 72)) -> None:
        super().__init__()
        a, b, c, d, e, hidden = widths
        self.body = nn.Sequential(
            conv(3, a, 2), conv(a, b, 2), Residual(b), conv(b, c, 2), Residual(c),
            conv(c, d, 2), Residual(d), conv(d, e, kernel=1),
        )  # fmt: skip
        self.mix = nn.Sequential(
            nn.Flatten(), nn.Linear(e * LEAST**2, hidden, bias=False), nn.BatchNorm1d(hidden), nn.ReLU(),
        )  # fmt: skip
        self.head = nn.Linear(hidden, KIND_AT + TURNS * kinds)

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        return self.head(self.mix(self.body(x)))
