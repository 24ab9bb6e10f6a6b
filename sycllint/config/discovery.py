"""Which settings hold for which file: the nearest configuration above it, what that extends, and the command line.

Files are not merged unless one says ``extend``. The search ends at the root of the repository; a file with no
configuration around it has that of the working directory.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from sycllint.config.settings import Config, Key, Origin, Overrides, merged, with_path_settings
from sycllint.config.table import assignment, broken_pattern, level, matcher, read_table
from sycllint.config.toml import Places, TomlTable, parsed, read_document
from sycllint.diagnostic import Severity
from sycllint.errors import SycllintError
from sycllint.launch.compiled import KernelInfo
from sycllint.record import replace
from sycllint.version import __version__

Value = TypeVar("Value")

FILE_NAMES = ("sycllint.toml", ".sycllint.toml", "pyproject.toml")
"""In order of preference within one directory."""

_LAYERS = 20
"""Files that extend each other; more of them are a circle that links hide."""


def load(
    paths: Sequence[str] = (), overrides: Overrides | None = None, *, file: str | None = None, isolated: bool = False
) -> Config:
    """The settings of a run over ``paths`` as a whole: those for the first of them. Errors as in ``load_all``."""
    return load_all(paths, overrides, file=file, isolated=isolated).project


def load_all(
    paths: Sequence[str] = (), overrides: Overrides | None = None, *, file: str | None = None, isolated: bool = False
) -> "Configs":
    """The settings of a run over ``paths``, file by file.

    ``file``: this one holds for all; ``isolated``: no file is read. Raises ``SycllintError`` for whatever is wrong in
    the files above the first path and on the command line; ``Configs.of`` does so for other files.
    """
    here = os.getcwd()
    configs = Configs(Config(root=_repository(here)), overrides)
    if isolated:
        return configs
    if file is not None:
        document = read_document(file, named=True)
        found = _extended(document) if document is not None else Config(file=file)
        configs.fallback = replace(found, root=_repository(here))
        return configs
    configs.search = True
    configs.fallback = configs.nearest(here) or configs.fallback
    first = os.path.abspath(paths[0]) if paths else here
    configs.home = first if os.path.isdir(first) else os.path.dirname(first)
    return configs


class Configs:
    """The settings of one run, each file read once."""

    def __init__(self, fallback: Config, overrides: Overrides | None = None) -> None:
        self.fallback = fallback
        """For files without a configuration of their own."""
        self.overrides = overrides or Overrides()
        self.kernel_info = KernelInfo()
        """Compilers' reports of the kernels of the run."""
        self.search = False
        """Look for the nearest file; else ``fallback`` holds for all."""
        self.home = ""
        """Absolute path of the directory that stands for the run as a whole."""
        self._options = Config()
        for text in self.overrides.settings:
            self._options = merged(self._options, _option(text))
        self._read: dict[str, Config | None] = {}
        self._nearest: dict[str, Config] = {}
        self._effective: dict[tuple[int, tuple[int, ...]], Config] = {}
        self._matchers: dict[tuple[str, ...], Callable[[str], bool]] = {}
        self._left_out: dict[str, bool] = {}

    @property
    def project(self) -> Config:
        """The settings of the run as a whole."""
        return self._in_effect(self.around(self.home) if self.home else self.fallback, ())

    def of(self, path: str) -> Config:
        """The configuration of a file; the same object for files with the same settings."""
        config = self.around(os.path.dirname(os.path.abspath(path)))
        tables = (*config.per_path, *self._options.per_path)
        place = relative(path, config.root) if tables else ""
        matching = (number for number, each in enumerate(tables) if self._matches((each.pattern,), place))
        return self._in_effect(config, tuple(matching) if place else ())

    def of_place(self, path: str) -> Config:
        """The configuration of a file or of a directory itself."""
        if not os.path.isdir(path):
            return self.of(path)
        return self._in_effect(self.around(os.path.abspath(path)), ())

    def excluded(self, place: str, directory: bool) -> bool:
        """Whether an absolute path is left out, by itself or with a directory above it."""
        folder = os.path.dirname(place)
        return self._folder_excluded(folder) or self._excludes(folder, place, directory)

    def around(self, folder: str) -> Config:
        """The configuration nearest to an absolute path of a directory, without the command line."""
        if not self.search:
            return self.fallback
        config = self._nearest.get(folder)
        if config is None:
            config = self._nearest[folder] = self.nearest(folder) or self.fallback
        return config

    def nearest(self, folder: str) -> Config | None:
        """The configuration in ``folder`` or above it."""
        for directory in upward(folder):
            if directory not in self._read:
                self._read[directory] = _configured(directory)
            if (config := self._read[directory]) is not None:
                return config
        return None

    # ------------------------------------------------------------ exclusion

    def _folder_excluded(self, folder: str) -> bool:
        found = self._left_out.get(folder)
        if found is None:
            above = os.path.dirname(folder)
            top = above == folder or os.path.exists(os.path.join(folder, ".git"))
            found = not top and (self._folder_excluded(above) or self._excludes(above, folder, True))
            self._left_out[folder] = found
        return found

    def _excludes(self, folder: str, place: str, directory: bool) -> bool:
        config = self.around(folder)
        own = self._options if ("exclude",) in self._options.origins else config
        patterns = (*own.exclude, *self.overrides.exclude)
        name = relative(place, config.root) if patterns else ""
        return bool(name) and self._matches(patterns, f"{name}/" if directory else name)

    def _matches(self, patterns: tuple[str, ...], name: str) -> bool:
        if not name:
            return False
        if patterns not in self._matchers:
            self._matchers[patterns] = matcher(patterns)
        return self._matchers[patterns](name)

    # ------------------------------------------------------------- layering

    def _in_effect(self, config: Config, matching: tuple[int, ...]) -> Config:
        key = (id(config), matching)
        found = self._effective.get(key)
        if found is None:
            tables = (*config.per_path, *self._options.per_path)
            layered = config
            for number in matching:
                layered = with_path_settings(layered, tables[number].settings)
            layered = merged(layered, self._options)
            found = self._effective[key] = _overridden(layered, self.overrides)
        return found


def relative(path: str, root: str) -> str:
    """``path`` from ``root`` on, forward slashes; ``""`` for what is not below it."""
    place = _named_place(path)
    inside = os.path.join(os.path.realpath(root), "")
    return place[len(inside) :].replace(os.sep, "/") if place.startswith(inside) else ""


def upward(directory: str) -> Iterator[str]:
    """``directory`` and those above it, up to the root of the repository or of the file system."""
    while True:
        yield directory
        parent = os.path.dirname(directory)
        if parent == directory or os.path.exists(os.path.join(directory, ".git")):
            return
        directory = parent


def _named_place(path: str) -> str:
    """A path with its directory resolved and its own name kept, since patterns match the name of a link."""
    parent, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(parent), name)


def _repository(directory: str) -> str:
    """The root of the repository around ``directory``; ``directory`` itself outside of any."""
    for each in upward(directory):
        if os.path.exists(os.path.join(each, ".git")):
            return each
    return directory


def _configured(directory: str) -> Config | None:
    for name in FILE_NAMES:
        document = read_document(os.path.join(directory, name), named=False)
        if document is not None:
            return _extended(document)
    return None


def _extended(document: TomlTable) -> Config:
    """The settings of a file on top of those it extends; places and patterns are those of the file itself."""
    config = own = read_table(document)
    seen = [os.path.realpath(document.path)]
    while True:
        _check_version(document)
        below = _extends(document)
        if below is None:
            return config
        if os.path.realpath(below.path) in seen or len(seen) > _LAYERS:
            line = document.places.key("extend")
            raise document.wrong(f"extend: {below.path} extends this file in turn", line)
        seen.append(os.path.realpath(below.path))
        config = replace(merged(read_table(below), config), root=own.root, file=own.file)
        document = below


def _extends(document: TomlTable) -> TomlTable | None:
    """The file that ``document`` extends."""
    value = document.table.get("extend") if isinstance(document.table, dict) else None
    if value is None:
        return None
    line = document.places.key("extend")
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise document.wrong('extend is the path of one file; write extend = "../sycllint.toml"', line)
    if not document.numbered:
        raise document.wrong("extend is only allowed in a file", line)
    path = os.path.join(os.path.dirname(os.path.abspath(document.path)), os.path.expanduser(value))
    if not os.path.isfile(path):
        raise document.wrong(f"extend: {value}: no such file", line)
    found = read_document(path, named=True)
    if found is None:
        raise document.wrong(f"extend: {value} has no [tool.sycllint]", line)
    return found


def _check_version(document: TomlTable) -> None:
    value = document.table.get("required-version") if isinstance(document.table, dict) else None
    if value is None:
        return
    from sycllint.config.requirement import satisfies

    line = document.places.key("required-version")
    if not isinstance(value, str):
        raise document.wrong('required-version is a string; write required-version = ">=0.3,<0.4"', line)
    try:
        met = satisfies(__version__, value)
    except SycllintError as error:
        raise document.wrong(f"required-version: {error.message}", line) from None
    if not met:
        raise document.wrong(f"sycllint {value} is required; this is {__version__}", line)


def _option(text: str) -> Config:
    """One ``KEY=VALUE`` of the command line."""
    option = f"--config {text}"
    try:
        table = parsed(option, text)
    except SycllintError as error:
        raise SycllintError(f'{option}: {error.message}; write it as in a file, as targets=["tgl"]') from None
    document = TomlTable(option, table, Places(text, ()), numbered=False)
    if "extend" in table:
        raise document.wrong("extend is only allowed in a file", 1)
    _check_version(document)
    return read_table(document)


def _overridden(config: Config, overrides: Overrides) -> Config:
    for pattern in overrides.exclude:
        if reason := broken_pattern(pattern):
            raise SycllintError(f"--exclude: {reason}")
    defines = _pairs("-D", assignment, overrides.defines)
    severity = _pairs("--severity", level, overrides.severity)
    fresh = bool(overrides.select)
    gitignore = overrides.respect_gitignore
    return replace(
        config,
        targets=overrides.targets or config.targets,
        select=overrides.select or config.select,
        extend_select=(*(() if fresh else config.extend_select), *overrides.extend_select),
        ignore=(*(() if fresh else config.ignore), *overrides.ignore),
        severity={**config.severity, **severity},
        exclude=(*config.exclude, *overrides.exclude),
        respect_gitignore=config.respect_gitignore if gitignore is None else gitignore,
        defines={**config.defines, **defines},
        deep=replace(
            config.deep, use=overrides.deep or config.deep.use, database=overrides.database or config.deep.database
        ),
        narrowed=bool(overrides.targets) and not set(config.targets) <= set(overrides.targets),
        origins={**config.origins, **dict(_given(overrides, defines, severity))},
    )


def _pairs(option: str, read: Callable[[str], tuple[str, Value]], texts: Sequence[str]) -> dict[str, Value]:
    """The texts of an option, each read as a pair."""
    try:
        return dict(map(read, texts))
    except SycllintError as error:
        raise SycllintError(f"{option}: {error.message}") from None


def _given(
    overrides: Overrides, defines: dict[str, str], severity: dict[str, Severity]
) -> Iterator[tuple[Key, Origin]]:
    """The option of each setting of the command line."""
    options = (
        ("targets", "--target", overrides.targets),
        ("select", "--select", overrides.select),
        ("extend-select", "--extend-select", overrides.extend_select),
        ("ignore", "--ignore", overrides.ignore),
        ("exclude", "--exclude", overrides.exclude),
        ("defines", "-D", tuple(defines)),
        ("severity", "--severity", tuple(severity)),
    )
    for key, option, values in options:
        if values:
            yield (key,), Origin(option)
            yield from (((key, value), Origin(option)) for value in values)
    if overrides.respect_gitignore is not None:
        yield ("respect-gitignore",), Origin("--no-gitignore")
    if overrides.deep is not None:
        yield ("deep", "use"), Origin("--deep")
    if overrides.database is not None:
        yield ("deep", "database"), Origin("-p")
