"""The detector's network: plain 3x3 convolutions at strides 2 to 16, and a light way back to 4."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vision.types import SHAPES

CHANNELS = 7
# Channels of the dense output after the heat maps, in order.
REGRESSIONS = 5  # foot offset x, y; top vector x, y; width
MASKS = 2  # pieces, hands
LOOKS = 12  # appearance vector: alike for pieces of one mould and colour


def conv(
    inputs: int, outputs: int, stride: int = 1, dilation: int = 1, kernel: int = 3
) -> nn.Sequential:
    """Convolution, batch normalisation, ReLU."""
    pad = dilation * (kernel // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, pad, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions around which the input passes."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = conv(width, width, dilation=dilation)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Same shape as ``x``."""
        return F.relu(x + self.second(self.first(x)))


class Net(nn.Module):
    """(N, 7, H, W) in 0..1 to heat maps, regressions, mask logits, looks, at a quarter of H, W."""

    def __init__(
        self, widths: tuple[int, int, int, int] = (16, 32, 48, 96), head: int = 48
    ) -> None:
        super().__init__()
        a, b, c, d = widths
        self.stem = conv(CHANNELS, a, 2)
        self.at4 = nn.Sequential(conv(a, b, 2), conv(b, b))
        self.at8 = nn.Sequential(conv(b, c, 2), Residual(c))
        self.at16 = nn.Sequential(conv(c, d, 2), Residual(d), Residual(d, 2))
        self.down16 = conv(d, c, kernel=1)
        self.mix8 = nn.Sequential(*conv(c, c), Residual(c))
        # What a thing is shows in the coarse features, where it stands in the fine ones.
        self.coarse = nn.Conv2d(c, len(SHAPES), 1)
        self.down8 = conv(c, b, kernel=1)
        self.mix4 = conv(b, head)
        self.heat = nn.Conv2d(head, len(SHAPES), 1)
        self.rest = nn.Conv2d(head, REGRESSIONS + MASKS, 1)
        self.look = nn.Conv2d(head, LOOKS, 1)
        self.coarse_look = nn.Conv2d(c, LOOKS, 1)
        nn.init.constant_(self.heat.bias, -4.6)
        nn.init.constant_(self.rest.bias, 0.0)
        nn.init.zeros_(self.coarse.weight)
        nn.init.zeros_(self.coarse.bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Heat-map logits (N, 11, h, w), regressions (N, 5, …), mask logits (N, 2, …), looks."""
        x4 = self.at4(self.stem(x))
        x8 = self.at8(x4)
        x16 = self.at16(x8)
        x8 = self.mix8(x8 + F.interpolate(self.down16(x16), scale_factor=2.0, mode="nearest"))
        x4 = self.mix4(x4 + F.interpolate(self.down8(x8), scale_factor=2.0, mode="nearest"))
        rest = self.rest(x4)
        heat = self.heat(x4) + F.interpolate(self.coarse(x8), scale_factor=2.0, mode="nearest")
        look = self.look(x4) + F.interpolate(self.coarse_look(x8), scale_factor=2.0, mode="nearest")
        return heat, rest[:, :REGRESSIONS], rest[:, REGRESSIONS:], look


class Exported(nn.Module):
    """The network with probabilities, one output: (N, 30, h, w)."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor) -> Tensor:
        """Heat maps, regressions, masks, looks, concatenated."""
        heat, rest, masks, look = self.net(x)
        return torch.cat([torch.sigmoid(heat), rest, torch.sigmoid(masks), look], 1)
