"""Saving files so that the old one is whole until the new one is: write beside, flush, rename.

A file that somebody else changed since it was opened is never overwritten without being told to.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import hashlib
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from studio.errors import ConflictError, StudioError
from studio.files.locks import try_lock
from studio.files.regular import open_regular

__all__ = ["SaveError", "Stamp", "check_target", "save_document", "write_atomic"]

_STALE = 600
"""Age in seconds from which a temporary file must be the rest of a process that was killed."""
_PATIENCE = 5.0
"""How long to wait, in seconds, for another process that is saving into the same folder."""
_BLOCK = 1024 * 1024
_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG}


class SaveError(StudioError, OSError):
    """A file that could not be written; the old one is whole."""


@dataclass(frozen=True)
class Stamp:
    """What a file was at a moment, by its content.

    Parameters
    ----------
    sha256 : str
        In hexadecimal.
    size : int
        In bytes.
    """

    sha256: str
    size: int

    @classmethod
    def of(cls, data: bytes) -> Stamp:
        """Return the stamp of some content."""
        return cls(hashlib.sha256(data).hexdigest(), len(data))

    @classmethod
    def of_file(cls, path: str | os.PathLike[str], *, limit: int | None = None) -> Stamp | None:
        """Return the stamp of a file, None when there is none.

        Parameters
        ----------
        path : str or path
        limit : int, optional
            Largest size in bytes; no limit when not given.

        Raises
        ------
        OSError
            When it cannot be read, is no regular file (nothing waits for a pipe or a device), or is over the limit.
        """
        try:
            descriptor = open_regular(path)
        except FileNotFoundError:
            return None
        with open(descriptor, "rb") as file:
            digest, size = hashlib.sha256(), 0
            while block := file.read(_BLOCK):
                digest.update(block)
                size += len(block)
                if limit is not None and size > limit:
                    raise OSError(errno.EFBIG, f"has over {limit} bytes", os.fspath(path))
            return cls(digest.hexdigest(), size)


def save_document(
    path: str | os.PathLike[str],
    text: bytes,
    *,
    opened: Stamp | None = None,
    overwrite: bool = False,
) -> Stamp:
    """Save the text of a document, unless that would overwrite what somebody else wrote.

    Parameters
    ----------
    path : str or path
        A symbolic link is followed; its target is replaced.
    text : bytes
        From ``write_map_text`` or ``write_scenario_text``.
    opened : Stamp, optional
        What the file was when it was opened or last saved; None when it was not opened from here.
    overwrite : bool
        Save whatever the file is now.

    Returns
    -------
    Stamp
        For the next save.

    Raises
    ------
    ConflictError
        When the file is neither what was opened nor what is to be written. Nothing is written.
    SaveError
        When the file cannot be written; the old one is whole.
    """
    name = os.fspath(path)
    target = _real(path)
    stamp = Stamp.of(text)

    def ready() -> bool:
        current = _current(target, name)
        if current == stamp:
            return False
        if current is not None and current != opened and not overwrite:
            raise _conflict(name, target, opened)
        return True

    write_atomic(target, text, name=name, ready=ready)
    return stamp


def _real(path: str | os.PathLike[str]) -> Path:
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError) as error:
        msg = f"{os.fspath(path)!r}: not saved: no file can have such a name: {error}. Remedy: choose another"
        raise SaveError(msg) from error


def _current(target: Path, name: str) -> Stamp | None:
    try:
        return Stamp.of_file(target)
    except IsADirectoryError as error:
        msg = f"{name}: is a folder; save to a file in it, such as {Path(name) / 'untitled.map.json'}"
        raise SaveError(msg) from error
    except OSError as error:
        msg = f"{name}: cannot compare with the file that is there: {_reason(error)}; save to another path"
        raise SaveError(msg) from error


def _conflict(name: str, target: Path, opened: Stamp | None) -> ConflictError:
    with contextlib.suppress(OSError):
        changed = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(target.stat().st_mtime))
        name = f"{name} (last changed {changed})"
    if opened is None:
        what = "exists already and was not opened from here"
    else:
        what = "was changed since it was opened: by git (pull, checkout), another notebook or window, or a text editor"
    return ConflictError(
        f"{name}: {what}. Nothing was written. Remedy: save to another path, or open the file again and redo your "
        "changes, or save with overwrite=True to replace what is there"
    )


def write_atomic(
    path: str | os.PathLike[str], data: bytes, *, name: str = "", ready: Callable[[], bool] | None = None
) -> None:
    """Write a file whole or not at all.

    Parameters
    ----------
    path : str or path
        A symbolic link is followed.
    data : bytes
    name : str
        How errors call the file; the path when empty.
    ready : callable returning bool, optional
        Asked twice, before writing and just before the rename, with the folder locked; False means that nothing needs
        to be written, and what it raises goes through.

    Raises
    ------
    SaveError
        When the file cannot be written; the old one is whole and nothing is left beside it.
    """
    target = _real(path)
    name = name or os.fspath(path)
    check = ready or (lambda: True)
    try:
        _check_target(target, name)
        with _locked_folder(target.parent) as folder:
            if not check():
                return
            mode = _mode(target)
            temporary = _write_beside(target, data, mode)
            try:
                if check():
                    os.replace(temporary, target)
                else:
                    os.unlink(temporary)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
            if folder is not None:
                with contextlib.suppress(OSError):
                    os.fsync(folder)
            _sweep(target)
    except SaveError:
        raise
    except (OSError, ValueError) as error:
        if isinstance(error, StudioError):
            raise
        raise SaveError(
            f"{name}: not saved: {_reason(error)}. The old file is whole. Remedy: {_remedy(error)}"
        ) from error


def check_target(path: str | os.PathLike[str]) -> None:
    """Tell before any work whether a file may be written: `write_atomic` refuses the same.

    Parameters
    ----------
    path : str or path

    Raises
    ------
    SaveError
        When there is no such folder, or the file is read-only, a folder, or no plain file.
    """
    try:
        _check_target(_real(path), os.fspath(path))
    except (OSError, ValueError) as error:
        if isinstance(error, StudioError):
            raise
        msg = f"{path}: not saved: {_reason(error)}. Remedy: {_remedy(error)}"
        raise SaveError(msg) from error


def _check_target(target: Path, name: str) -> None:
    """Refuse what a rename would do without asking: replace a read-only file, or a folder, or a device."""
    if not target.parent.is_dir():
        msg = f"{name}: not saved: there is no folder {str(target.parent)!r}. Remedy: make it, or save elsewhere"
        raise SaveError(msg)
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        msg = f"{name}: not saved: it is a folder. Remedy: save to a file in it"
        raise SaveError(msg)
    if not stat.S_ISREG(mode):
        msg = f"{name}: not saved: it is no plain file. Remedy: save to another path"
        raise SaveError(msg)
    # The mode counts even for an administrator, who may write anything: it was set to protect the file.
    if not mode & 0o222 or not os.access(target, os.W_OK):
        msg = (
            f"{name}: not saved: the file is read-only and was left as it is. "
            "Remedy: save to another path, or make the file writable"
        )
        raise SaveError(msg)


def _mode(target: Path) -> int | None:
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        return None


def _write_beside(target: Path, data: bytes, mode: int | None) -> Path:
    temporary = target.parent / f".{target.name}.{secrets.token_hex(4)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(temporary, flags, 0o666)
    try:
        try:
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(descriptor, mode)
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    return temporary


@contextlib.contextmanager
def _locked_folder(folder: Path) -> Iterator[int | None]:
    """Hold a lock on a folder, so that two saves do not both find the file unchanged and then replace it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (AttributeError, OSError):  # Windows, or a folder that may be written to but not listed
        yield None
        return
    try:
        deadline = time.monotonic() + _PATIENCE
        # A file system without locks is no reason not to save; the check just before the rename remains.
        with contextlib.suppress(OSError):
            while not try_lock(descriptor) and time.monotonic() < deadline:
                time.sleep(0.01)
        yield descriptor
    finally:
        os.close(descriptor)


def _sweep(target: Path) -> None:
    """Remove what killed processes left of earlier saves of the same file."""
    with contextlib.suppress(OSError):
        for rest in target.parent.glob(f".{glob.escape(target.name)}.????????.tmp"):
            if time.time() - rest.stat().st_mtime > _STALE:
                rest.unlink()


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno in _FULL:
        return "the disk is full" if error.errno != errno.EFBIG else "the file is larger than allowed here"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)


def _remedy(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno in _FULL:
        return "free some space and save again, or save to another disk"
    if isinstance(error, PermissionError) or getattr(error, "errno", None) == errno.EROFS:
        return "save into a folder that you may write to"
    return "save to another path"
