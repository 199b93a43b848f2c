"""Opening files that others may have put there: regular ones only, and never waiting for a pipe or a device."""

from __future__ import annotations

import errno
import os
import stat

__all__ = ["open_regular"]

_FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


def open_regular(path: str | os.PathLike[str], flags: int = os.O_RDONLY, mode: int = 0o666) -> int:
    """Open a regular file and return its descriptor.

    Parameters
    ----------
    path : str or path
    flags, mode : int
        As for ``os.open``; the file is opened without waiting, which a pipe would do for ever.

    Returns
    -------
    int
        The descriptor; the caller closes it.

    Raises
    ------
    IsADirectoryError
        When it is a folder.
    OSError
        When it is a pipe, a socket or a device, or cannot be opened.
    ValueError
        When no file can have such a name.
    """
    descriptor = os.open(path, flags | _FLAGS, mode)
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    raise OSError(errno.EINVAL, "is no regular file (a pipe, a socket or a device)", os.fspath(path))
