"""Real data with a known or textbook graph, read from the folder of third-party data.

Nothing of it is in this repository. The folder is the one that the environment variable
INTERSORT_DATA names, or `../shared/data` beside the checkout.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from intersort import InterventionalData
from intersort._typing import BoolArray, FloatArray

from .task import seed_of

DEFAULT_FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"
FOLDERS = ("sachs", "causal_chamber_lt", "dream4_size10")
STRENGTHS = ("mid", "strong", "weak")
NETWORKS = (1, 2, 3, 4, 5)
TUNNEL_TARGETS = {
    "red": "red",
    "green": "green",
    "blue": "blue",
    "t_vis_1": "vis_1",
    "t_vis_2": "vis_2",
    "t_vis_3": "vis_3",
    "t_ir_2": "ir_2",
}
"""Setting that was changed → the measured variable that it acts on, and on no other."""


@dataclass(frozen=True)
class RealScreen:
    """A data set, the graph that it is held against, and how the rivals are to take it.

    Attributes
    ----------
    name : str
        As it stands in the rows.
    values : array of shape (n, d)
        As measured; of the proteins the natural logarithm.
    labels : array of shape (n,)
        Name of the variable intervened on, "" for control rows.
    names : tuple of str
        The variables.
    adjacency : Boolean array of shape (d, d)
        The graph; feedback is possible.
    epsilon : float
        The paper's threshold for data of this kind.
    domain : str
        The simulated domain whose variants of the rivals are taken.
    """

    name: str
    values: FloatArray
    labels: np.ndarray
    names: tuple[str, ...]
    adjacency: BoolArray
    epsilon: float
    domain: str

    def take(self, repeat: int = 0) -> tuple[InterventionalData, BoolArray]:
        """The data and their graph, columns as in the file; from 1 on a random variant of them.

        Standardised on the control rows that are taken. A variant has its columns in random order,
        so that no method profits from that of the file, and a random half of the rows of each
        label, where there are two for each.
        """
        rows, columns = np.arange(len(self.labels)), np.arange(len(self.names))
        if repeat:
            rng = np.random.default_rng(seed_of("real data", self.name, repeat))
            columns = rng.permutation(columns)
            groups = [np.flatnonzero(self.labels == label) for label in np.unique(self.labels)]
            if self.can_be_halved:
                kept = [rng.permutation(group)[: group.size // 2] for group in groups]
                rows = np.sort(np.concatenate(kept))
        names = [self.names[k] for k in columns]
        values = standardise(self.values[np.ix_(rows, columns)], self.labels[rows] == "")
        data = InterventionalData.from_arrays(values, self.labels[rows], names=names, control="")
        return data, self.adjacency[np.ix_(columns, columns)]

    @property
    def can_be_halved(self) -> bool:
        """Whether every label has two rows or more."""
        return bool(np.unique(self.labels, return_counts=True)[1].min() > 1)


def standardise(values: FloatArray, is_control: BoolArray) -> FloatArray:
    """Divide by the sd of the control rows, after taking their mean off.

    >>> standardise(np.array([[1.0], [3.0], [8.0]]), np.array([True, True, False])).ravel()
    array([-1.,  1.,  6.])
    """
    control = values[is_control]
    sd = control.std(axis=0)
    scaled: FloatArray = (values - control.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    return np.ascontiguousarray(scaled)


def data_folder() -> Path | None:
    """The folder of third-party data; None where it, or a part of it, is not there."""
    folder = Path(os.environ.get("INTERSORT_DATA", DEFAULT_FOLDER))
    return folder if all((folder / part).is_dir() for part in FOLDERS) else None


def screen_names() -> list[str]:
    """Every data set, in the order of the page."""
    tunnel = [f"light_tunnel_{strength}" for strength in STRENGTHS]
    return ["sachs", *tunnel, *[f"dream4_{k}" for k in NETWORKS]]


@lru_cache(maxsize=2)
def read_screen(name: str) -> RealScreen:
    """Read a data set by the name that stands in the rows."""
    folder = data_folder()
    if folder is None:
        raise FileNotFoundError("no third-party data: set INTERSORT_DATA to their folder")
    kind, _, part = name.rpartition("_")
    readers: dict[str, Callable[[], RealScreen]] = {
        "": lambda: _read_sachs(folder / "sachs"),
        "light_tunnel": lambda: _read_tunnel(folder / "causal_chamber_lt", part),
        "dream4": lambda: _read_dream4(folder / "dream4_size10", int(part)),
    }
    return readers[kind]()


def _read_sachs(folder: Path) -> RealScreen:
    """Natural logarithm of the raw fluorescence, ε 1.5, as the paper's figure needs."""
    import pandas as pd

    table = pd.read_csv(folder / "sachs_wang2017_raw.csv", keep_default_na=False)
    names = tuple(str(column) for column in table if column not in ("experiment", "intervention"))
    edges = pd.read_csv(folder / "edges_consensus17.csv").to_numpy()
    labels = table["intervention"].to_numpy(dtype=str)
    values = np.log(table[list(names)].to_numpy(dtype=np.float64))
    return _make("sachs", values, labels, names, edges, 1.5, "gene_regulation")


def _read_tunnel(folder: Path, strength: str) -> RealScreen:
    """Reference rows and the single-variable interventions of one strength."""
    import pandas as pd

    table = pd.read_csv(folder / "lt_interventions_subset_ext.csv", sep=";", index_col=0)
    names = tuple(str(column) for column in table if column != "intervention")
    label_of = {"uniform_reference": ""} | {
        f"uniform_{setting}_{strength}": target for setting, target in TUNNEL_TARGETS.items()
    }
    table = table[table["intervention"].isin(list(label_of))]
    labels = np.array([label_of[text] for text in table["intervention"]])
    graph = pd.read_csv(folder / "adjacency_lt_standard.csv", index_col=0)
    part = graph.loc[list(names), list(names)].to_numpy()
    edges = [(names[i], names[j]) for i, j in np.argwhere(part != 0)]
    values = table[list(names)].to_numpy(dtype=np.float64)
    return _make(f"light_tunnel_{strength}", values, labels, names, edges, 0.3, "linear")


def _read_dream4(folder: Path, network: int) -> RealScreen:
    """Six wild types (its own file, and the first rows of the time series), one row a knock-out."""
    import pandas as pd

    part = folder / f"insilico_size10_{network}"
    wild_type = pd.read_csv(part / "wildtype.tsv", sep="\t")
    series = pd.read_csv(part / "timeseries.tsv", sep="\t")
    knock_outs = pd.read_csv(part / "knockouts.tsv", sep="\t")
    gold = pd.read_csv(part / "goldStandard.tsv", sep="\t", header=None)
    names = tuple(map(str, wild_type))
    more = series.loc[series["Time"] == 0, list(names)]
    values = np.concatenate([part.to_numpy(np.float64) for part in (wild_type, more, knock_outs)])
    labels = np.array([""] * (len(wild_type) + len(more)) + list(names))
    edges = gold.loc[gold[2] == 1, [0, 1]].to_numpy()
    return _make(f"dream4_{network}", values, labels, names, edges, 0.5, "gene_regulation")


def _make(
    name: str,
    values: FloatArray,
    labels: np.ndarray,
    names: tuple[str, ...],
    edges: Sequence[Sequence[str]] | np.ndarray,
    epsilon: float,
    domain: str,
) -> RealScreen:
    """Put the edges into a matrix."""
    adjacency = np.zeros((len(names), len(names)), dtype=np.bool_)
    for source, target in edges:
        adjacency[names.index(source), names.index(target)] = True
    return RealScreen(name, values, labels, names, adjacency, epsilon, domain)
