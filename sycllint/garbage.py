"""When Python's garbage collector runs in a process of ours.

A parse makes millions of small objects that live to the end of their file, and hold no circles: to look through them
on every 700th new one is waste. A process that somebody else started keeps the collector as it is.
"""

import gc

_RARELY = (1_000_000, 20, 100)


def collect_rarely() -> None:
    """Make this process ours: what there is stays, and the collector runs rarely from now on."""
    gc.freeze()
    gc.set_threshold(*_RARELY)


def exempt_live_objects() -> None:
    """Have the collector leave out what was made so far, if it runs rarely in this process."""
    if gc.get_threshold() == _RARELY:
        gc.freeze()


def dissolve(*parts: object) -> None:
    """Have objects that know one another forget everything: they go at once, and are nothing for the collector."""
    for each in parts:
        if isinstance(each, dict):
            each.clear()
        elif hasattr(each, "__dict__"):
            vars(each).clear()


def collect_exempted() -> None:
    """Collect what is unreachable among the objects that were left out, too: what was made of them may know them."""
    if gc.get_threshold() == _RARELY:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
