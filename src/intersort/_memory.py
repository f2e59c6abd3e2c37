"""Memory: how much is free, and a refusal before something that will not fit is allocated."""

from __future__ import annotations

from pathlib import Path

from ._validation import InputError

_CGROUP = Path("/sys/fs/cgroup")
_LIMITS = (
    ("memory.max", "memory.current"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
)


def free_memory() -> int | None:
    """Bytes that may still be used: free memory or what the cgroup leaves, whichever is less.

    None where the system does not tell.

    >>> free_memory() is None or free_memory() > 0
    True
    """
    known = [size for size in (_free_in_machine(), _free_in_cgroup()) if size is not None]
    return min(known) if known else None


def require_memory(n_bytes: float, purpose: str) -> None:
    """Refuse what will not fit, with its size, before it is allocated."""
    free = free_memory()
    if free is not None and n_bytes > free:
        raise InputError(
            f"{purpose} needs about {readable_size(n_bytes)} of memory, "
            f"{readable_size(free)} are free. Keep fewer rows or columns, or use a larger machine."
        )


def readable_size(n_bytes: float) -> str:
    """A number of bytes for a person.

    >>> readable_size(3_400_000_000)
    '3.4 GB'
    """
    for unit in ("bytes", "kB", "MB", "GB"):
        if n_bytes < 1000:
            return f"{n_bytes:,.0f} bytes" if unit == "bytes" else f"{n_bytes:,.1f} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:,.1f} TB"


def _free_in_machine() -> int | None:
    """MemAvailable of the kernel: what can be used without swapping."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _free_in_cgroup() -> int | None:
    """What the limit of a container leaves; its cached files do not count, they can go."""
    for limit, usage in _LIMITS:
        try:
            allowed = int((_CGROUP / limit).read_text(encoding="ascii"))
            used = int((_CGROUP / usage).read_text(encoding="ascii"))
        except (OSError, ValueError):  # no such group, or "max": no limit
            continue
        return max(0, allowed - used + _inactive_cache((_CGROUP / limit).parent))
    return None


def _inactive_cache(group: Path) -> int:
    try:
        lines = (group / "memory.stat").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.split()[0] == "inactive_file")
