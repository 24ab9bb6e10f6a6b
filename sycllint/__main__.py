"""``python -m sycllint``."""

import sys

from sycllint.cli import main

if __name__ == "__main__":
    sys.exit(main())
