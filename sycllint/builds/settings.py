"""The settings with which one file is compiled: macros and include folders."""

from collections.abc import Iterable, Sequence

from sycllint.record import field, record, replace

MAX_TEXTS = 8
"""Bodies of one macro that are kept; with more, nothing is known of it."""


@record
class Choice:
    """The possible definitions of a macro that the build does not decide. Others do not occur."""

    texts: tuple[str, ...] = ()
    """The bodies it may have, each in some build."""
    undefined: bool = False
    """The macro may be undefined."""
    open: bool = False
    """The macro may have an unknown body."""
    reason: str = ""
    """The cause, for a message that says why the number is not known."""


WIDE_IDS = "-fno-sycl-id-queries-fit-in-int"
"""The option of DPC++ by which ids may exceed ``int``."""


@record
class BuildSettings:
    """Macros and include folders. ``known``: a macro that is in neither table is one that the build does not define."""

    defines: dict[str, str] = field(default_factory=dict)
    """Name to body, of macros that every way to compile the file defines so."""
    folders: tuple[str, ...] = ()
    known: bool = False
    choices: dict[str, Choice] = field(default_factory=dict)
    """Macros that are not the same in every way to compile the file, and ``WIDE_IDS`` where it is given."""


def one_of(choices: Iterable[Choice], reason: str) -> Choice:
    """The union of ``choices``, with the first of their reasons."""
    given = (*choices,)
    # Most often they are one object, which is quicker to see than that they are equal.
    every = given[:1] if all(each is given[0] for each in given) else tuple(dict.fromkeys(given))
    if len(every) == 1:
        return every[0]
    texts = tuple(dict.fromkeys(text for each in every for text in each.texts))
    beyond = len(texts) > MAX_TEXTS
    return Choice(
        () if beyond else texts,
        undefined=any(each.undefined for each in every),
        open=beyond or any(each.open for each in every),
        reason=next((each.reason for each in every if each.reason), reason),
    )


def alternatives(settings: Sequence[BuildSettings], reason: str) -> BuildSettings:
    """The settings of a file that is compiled in each of these ways: ``reason`` says in what they differ."""
    first = settings[0]
    folders = tuple(dict.fromkeys(path for each in settings for path in each.folders))
    names = dict.fromkeys(name for each in settings for name in (*each.defines, *each.choices))
    defines: dict[str, str] = {}
    choices: dict[str, Choice] = {}
    for name in names:
        every = [_choice(each, name) for each in settings]
        if all(each == every[0] for each in every) and name in first.defines:
            defines[name] = first.defines[name]
        else:
            choices[name] = one_of(every, reason)
    return BuildSettings(defines, folders, all(each.known for each in settings), choices)


def _choice(settings: BuildSettings, name: str) -> Choice:
    if name in settings.defines:
        return Choice((settings.defines[name],))
    return settings.choices.get(name, Choice(undefined=True))


def given(settings: BuildSettings, defines: dict[str, str]) -> BuildSettings:
    """``settings`` where the configuration defines these macros: it has the last word."""
    choices = {name: each for name, each in settings.choices.items() if name not in defines}
    return replace(settings, defines={**settings.defines, **defines}, choices=choices)
