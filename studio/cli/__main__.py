"""``python -m studio.cli`` is the ``studio`` command."""

import sys

from studio.cli.main import main

sys.exit(main())
