"""Memory: what is free, and a refusal before something large is allocated."""

from __future__ import annotations

import pytest

from intersort import InputError, _memory
from intersort._memory import free_memory, readable_size, require_memory


def test_the_smaller_of_machine_and_container_counts(monkeypatch):
    monkeypatch.setattr(_memory, "_free_in_machine", lambda: 500)
    for container, free in ((None, 500), (200, 200), (900, 500)):
        monkeypatch.setattr(_memory, "_free_in_cgroup", lambda container=container: container)
        assert free_memory() == free
    monkeypatch.setattr(_memory, "_free_in_machine", lambda: None)
    monkeypatch.setattr(_memory, "_free_in_cgroup", lambda: None)
    assert free_memory() is None
    require_memory(1e30, "nobody knows, so this")


@pytest.mark.parametrize(
    "files, free",
    [
        ({}, None),
        ({"memory.max": "max", "memory.current": "10"}, None),
        ({"memory.max": "1000", "memory.current": "300"}, 700),
        ({"memory.max": "1000", "memory.current": "1300"}, 0),
        (
            {
                "memory.max": "1000",
                "memory.current": "300",
                "memory.stat": "anon 5\ninactive_file 100",
            },
            800,
        ),
    ],
)
def test_the_limit_of_a_container(monkeypatch, tmp_path, files, free):
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n")
    monkeypatch.setattr(_memory, "_CGROUP", tmp_path)
    assert _memory._free_in_cgroup() == free


def test_the_limit_of_an_old_container(monkeypatch, tmp_path):
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/memory.limit_in_bytes").write_text("1000")
    (tmp_path / "memory/memory.usage_in_bytes").write_text("400")
    monkeypatch.setattr(_memory, "_CGROUP", tmp_path)
    assert _memory._free_in_cgroup() == 600


def test_what_does_not_fit_is_refused_with_its_size(monkeypatch):
    monkeypatch.setattr(_memory, "free_memory", lambda: 2_000_000)
    require_memory(2_000_000, "The table")
    with pytest.raises(
        InputError, match=r"The table needs about 3.0 GB of memory, 2.0 MB are free"
    ):
        require_memory(3e9, "The table")


@pytest.mark.parametrize(
    "n_bytes, text", [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (2e15, "2,000.0 TB")]
)
def test_sizes_are_readable(n_bytes, text):
    assert readable_size(n_bytes) == text
