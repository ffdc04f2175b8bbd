"""Tell file systems of other machines, on which SQLite may lose what it wrote."""

from __future__ import annotations

from pathlib import Path

from nlgauge.errors import DataError

# Locks and shared memory, which a write-ahead log needs, do not hold across machines.
NETWORK = {
    "nfs", "nfs4", "cifs", "smb", "smbfs", "smb3", "9p", "afs", "ceph", "glusterfs", "lustre",
    "gpfs", "beegfs", "ncpfs", "coda", "ocfs2", "gfs2", "davfs", "fuse.sshfs", "fuse.rclone",
    "fuse.s3fs", "fuse.davfs2", "fuse.glusterfs", "fuse.ceph",
}  # fmt: skip
_MOUNTS = Path("/proc/mounts")


def file_system(folder: Path, mounts: str) -> str:
    """Return the type of the file system that a folder is on, from a table of mounts."""
    found, longest = "", -1
    for line in mounts.splitlines():
        _, _, rest = line.partition(" ")
        place, _, rest = rest.partition(" ")
        place = place.replace("\\040", " ")
        inside = folder == Path(place) or Path(place) in folder.parents
        if inside and len(place) >= longest:  # the last of equal ones lies on top
            found, longest = rest.partition(" ")[0], len(place)
    return found


def check_local(folder: Path, mounts: str | None = None) -> None:
    """Refuse a folder on a network file system; where mounts are not listed, nothing is known."""
    if mounts is None:
        if not _MOUNTS.exists():
            return
        mounts = _MOUNTS.read_text(encoding="utf-8", errors="replace")
    kind = file_system(folder, mounts)
    if kind in NETWORK:
        raise DataError(
            f"{folder}: is on a network file system ({kind}), where SQLite may lose judgements; "
            "put the study on a local disk, or use --database postgresql://..."
        )
