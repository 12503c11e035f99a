"""Muon: momentum whose update of every weight matrix is made orthogonal.

Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks"; scaled to the size of
AdamW's updates as in Liu et al. 2025, "Muon is scalable for LLM training".  Convolution weights are
taken as matrices of output channels by everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

_COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def orthogonal(matrix: Tensor, steps: int = 5) -> Tensor:
    """Nearest orthogonal matrix, roughly, by Newton-Schulz iteration."""
    a, b, c = _COEFFICIENTS
    x = matrix / (matrix.norm() + 1e-7)
    tall = x.shape[0] > x.shape[1]
    if tall:
        x = x.T
    for _ in range(steps):
        g = x @ x.T
        x = a * x + (b * g + c * g @ g) @ x
    return x.T if tall else x


class Muon(torch.optim.Optimizer):
    """For weights with two or more axes; ``lr`` as for AdamW."""

    def __init__(
        self, params: Iterable[nn.Parameter], lr: float, momentum: float = 0.9, decay: float = 0.02
    ) -> None:
        super().__init__(params, {"lr": lr, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """One update of all weights that have gradients."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(p)
                m = state["momentum"].mul_(group["momentum"]).add_(p.grad)
                update = p.grad + group["momentum"] * m
                flat = orthogonal(update.reshape(len(p), -1))
                size = 0.2 * max(flat.shape) ** 0.5
                p.mul_(1 - group["lr"] * group["decay"])
                p.add_(flat.reshape(p.shape), alpha=-group["lr"] * size)
