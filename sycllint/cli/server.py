"""Run the language server for an editor, on stdin and stdout.

The editor starts it. Options hold for every file, as those of `sycllint check` do; without any, each file has the
settings of the nearest sycllint.toml, read again when they change. Needs `pip install "sycllint[server]"`.
"""

import argparse
from collections.abc import Sequence
from importlib.util import find_spec

from sycllint.cli.parser import cache_of, configs_of
from sycllint.cli.scope import baselines_of
from sycllint.errors import SycllintError
from sycllint.pipeline import Filters


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client says goodbye, or is gone."""
    if find_spec("pygls") is None or find_spec("lsprotocol") is None:
        raise SycllintError('the language server needs pygls: pip install "sycllint[server]"')
    from sycllint.server.features import serve
    from sycllint.server.session import Setup

    def settings(paths: Sequence[str]) -> Setup:
        configs = configs_of(arguments, paths)
        return Setup(configs, Filters(baselines_of(arguments)), cache_of(arguments, configs))

    serve(settings)
    return 0
