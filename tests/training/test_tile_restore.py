"""The exported tile network taken up again answers as before, and learns from where signs are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch")
pytest.importorskip("onnx", reason="training needs onnx")

from models import model_path  # noqa: E402
from models.training.tiles.bank import Bank, kinds, paint_set  # noqa: E402
from models.training.tiles.batches import draw  # noqa: E402
from models.training.tiles.nets import TileNet  # noqa: E402
from models.training.tiles.restore import take_over  # noqa: E402
from models.training.tiles.train import Loss  # noqa: E402
from vision.detector import open_runner  # noqa: E402
from vision.tiles.patch import patches_input  # noqa: E402


@pytest.fixture(scope="module")
def bank() -> Bank:
    pictures, truths = paint_set(3)
    return Bank(pictures[None], truths[None])


def test_the_restored_network_answers_as_the_exported_one(bank: Bank) -> None:
    net = TileNet(len(kinds()))
    take_over(net, Path(model_path("tile_reader")), bank)
    inputs = patches_input(list(draw(np.random.default_rng(2), bank, 8).pictures))
    with torch.no_grad():
        again = net.eval()(torch.from_numpy(inputs)).numpy()
    before = open_runner(Path(model_path("tile_reader")), None, 1)[1](inputs)
    assert np.abs(before - again).max() < 1e-3


def test_a_few_steps_lower_the_loss_of_a_batch(bank: Bank) -> None:
    torch.manual_seed(1)
    net, loss_of = TileNet(len(kinds())), Loss()
    part = draw(np.random.default_rng(4), bank, 12)
    inputs = torch.from_numpy(patches_input(list(part.pictures)))
    optimiser = torch.optim.AdamW(net.parameters(), 3e-3)
    losses = []
    for _ in range(8):
        optimiser.zero_grad()
        loss = loss_of(net.dense(inputs), part)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.8 * losses[0]
