"""Tests that only root can run: those of owners and users."""

import os
import sys

import pytest

needs_root = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root gives files away and becomes another user"
)
