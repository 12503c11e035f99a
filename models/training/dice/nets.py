"""The two networks: the reader of one patch, and the finder that runs over whole pictures."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.training.net import Residual, conv


class Reader(nn.Module):
    """(N, 3, 64, 64) to (N, 10, 1, 1): logits of no readable die and 1 to 6 pips; then offset x, y
    of the top face's middle and log of the side, in sides, from what the patch was cut for."""

    def __init__(self, widths: tuple[int, ...] = (12, 20, 28, 28, 40, 40, 40)) -> None:
        super().__init__()
        a, b, c, d, e, f, g = widths
        self.body = nn.Sequential(
            conv(3, a, 2), conv(a, b), conv(b, c, 2), conv(c, d), conv(d, e, 2), conv(e, f), conv(f, g, 2),
        )  # fmt: skip
        self.head = nn.Conv2d(g, 10, 4)

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        return self.head(self.body(x))


class Finder(nn.Module):
    """(N, 3, H, W) BGR in 0..1 to (N, 2, H/4, W/4): logit of a top face's middle, log2 of the side
    over FINDER_SIDE_PX."""

    def __init__(self, first: int = 12, width: int = 20) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, first, 2), conv(first, width, 2), Residual(width, 2), Residual(width, 3),
        )  # fmt: skip
        self.head = nn.Conv2d(width, 2, 1)
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[0] = -4.0

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        return self.head(self.body(x))


class ExportedReader(nn.Module):
    """The reader with log-probabilities in place of logits."""

    def __init__(self, net: Reader, temperature: float) -> None:
        super().__init__()
        self.net, self.temperature = net, temperature

    def forward(self, x: Tensor) -> Tensor:
        """(N, 10): log-probabilities of none and 1 to 6, offset, log of the side."""
        out = self.net(x).flatten(1)
        return torch.cat([F.log_softmax(out[:, :7] / self.temperature, 1), out[:, 7:]], 1)


class ExportedFinder(nn.Module):
    """The finder with a probability in place of the logit."""

    def __init__(self, net: Finder) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor) -> Tensor:
        """(N, 2, H/4, W/4): heat 0 to 1, log2 of the side."""
        out = self.net(x)
        return torch.cat([torch.sigmoid(out[:, :1]), out[:, 1:]], 1)
