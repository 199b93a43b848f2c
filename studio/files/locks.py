"""Exclusive locks on open files that end with the process that holds them."""

from __future__ import annotations

import errno
import sys

__all__ = ["try_lock"]

_TAKEN = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt
    import os

    # Locked bytes cannot be read by others on Windows, so the lock lies far beyond the end of any file.
    _OFFSET = 1 << 40

    def try_lock(descriptor: int) -> bool:
        """Lock an open file for this process alone; False when another one holds it.

        Raises
        ------
        OSError
            When the file system knows no locks.
        """
        here = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _OFFSET, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in _TAKEN:
                return False
            raise
        finally:
            os.lseek(descriptor, here, os.SEEK_SET)
        return True

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Lock an open file for this process alone; False when another one holds it.

        Raises
        ------
        OSError
            When the file system knows no locks.
        """
        try:
            # flock, not lockf: it also keeps two documents of one process apart, and closing some other descriptor
            # of the same file does not end it.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _TAKEN:
                return False
            raise
        return True
