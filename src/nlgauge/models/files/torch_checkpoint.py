"""Load checkpoints of transformers from folders: these files only, in single precision."""

from __future__ import annotations

from typing import Any

from nlgauge.errors import DataError, ResourceMissing, fetch
from nlgauge.models.files.checkpoint_folder import CheckpointFolder, offline

INSTALL = fetch("transformers")


def load_pretrained(folder: CheckpointFolder, *classes: str) -> list[Any]:
    """Return what classes of transformers make of a folder's files, such as `AutoTokenizer`.

    Code that comes with a checkpoint is not run, and nothing is downloaded.
    """
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError:
        raise ResourceMissing(
            f"model={folder.path}: needs torch and transformers", remedy=INSTALL
        ) from None
    try:
        with offline():
            return [
                getattr(transformers, name).from_pretrained(
                    str(folder.path), local_files_only=True, trust_remote_code=False
                )
                for name in classes
            ]
    except Exception as error:  # files that nobody checked raise nearly anything
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise DataError(
            f"model={folder.path}: transformers cannot read it as {' and '.join(classes)} "
            f"({reason:.200}); give the folder of such a checkpoint"
        ) from None


def on_device(network: Any, device: str) -> Any:
    """Return a network in single precision, ready to be asked, on a device."""
    import torch

    try:
        return network.to(device, torch.float32).eval()
    except (RuntimeError, AssertionError) as error:
        raise DataError(f"device={device}: {error}") from None
