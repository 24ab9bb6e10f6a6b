"""What files and build files say, kept on the disk for the runs to come: facts by content, a project's CMake by folder.

A record of what was found in a file (see ``pipeline.cache``) is of no use once the file has changed. The hundreds of
headers that it includes have not, nor have the build files.
"""

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache
from operator import attrgetter
from typing import Any

from sycllint.encoding import Codecs
from sycllint.facts.file import FileFacts
from sycllint.pipeline.cache_folder import FACTS, CacheFolder
from sycllint.source.disk import Asked, ListedFolder, Read, Skimmed
from sycllint.source.files import HEADERS
from sycllint.source.glance import Stamp, digest_of

FEW_FILES = 40
"""A process that analyses at most so many files writes facts."""

_OF_ASKED = ("contents", "outlines", "listings", "states", "answers", "below")


class Store:
    """The facts and answers in the folder of a cache."""

    def __init__(self, folder: CacheFolder) -> None:
        self._folder = folder
        self._here = os.getcwd()
        self._analyzed: frozenset[str] | None = None

    def expect(self, paths: Collection[str], *, processes: int = 1) -> None:
        """These files are going to be analysed, in so many processes.

        To write facts takes half as long as to make them: one process does not, for many files, but several take them
        from each other. Of a source among these files they would be of no use: when it is analysed again, it is
        another text.
        """
        self._analyzed = frozenset(paths) if len(paths) <= FEW_FILES or processes > 1 else None

    def file_facts(self, path: str, content: bytes, defines: Mapping[str, str]) -> "FileFacts":
        """As ``facts.collect.file_facts``."""
        from sycllint.encoding import Undecodable
        from sycllint.facts.collect import file_facts
        from sycllint.facts.encoding import decoded_facts, encoded_facts

        place = self._path("f", (digest_of(content), *sorted(defines.items())))
        kept = self._folder.content(place)
        if kept is not None:
            try:
                return decoded_facts(kept, path, content)
            except Undecodable:
                pass
        facts = file_facts(path, content, defines)
        if self._analyzed is not None and (path not in self._analyzed or path.lower().endswith(HEADERS)):
            self._folder.put(place, encoded_facts(facts))
        return facts

    def answer(self, key: object) -> tuple[object, Asked] | None:
        """What was answered last, and what that rests on."""
        place = self._place_of_answer(key)
        kept = None if place is None else self._folder.content(place)
        if kept is None:
            return None
        from sycllint.encoding import Undecodable, decoded

        try:
            answer, asked = decoded(kept, _codecs_of_answers())
        except (Undecodable, ValueError, TypeError):
            return None
        return (answer, asked) if isinstance(asked, Asked) else None

    def keep_answer(self, key: object, answer: object, asked: Asked) -> None:
        """Take an answer, and what it rests on; one that rests on questions to an index is not kept."""
        place = self._place_of_answer(key)
        if place is not None:
            from sycllint.encoding import encoded

            with suppress(KeyError):  # no codec for a question: it holds a function
                self._folder.put(place, encoded((answer, asked), _codecs_of_answers()))

    def _place_of_answer(self, key: object) -> str | None:
        """Where an answer is kept; ``None`` for one that is found as fast as it is read."""
        return self._path("b", (self._here, key)) if isinstance(key, tuple) and key[0] == "cmake" else None

    def _path(self, kind: str, key: object) -> str:
        return self._folder.path(kind + digest_of(repr(key).encode(errors="surrogateescape")), FACTS)


@cache
def _codecs_of_answers() -> "Codecs":
    from sycllint.builds.cmake.project import CMakeProject
    from sycllint.builds.settings import Choice
    from sycllint.encoding import Codec, by_fields

    return {
        **by_fields(CMakeProject, Choice, Stamp, Read, Skimmed, ListedFolder),
        Asked: Codec(attrgetter("since", *_OF_ASKED), _asked),
    }


def _asked(since: int, *kept: Any) -> Asked:
    made = Asked(since)
    for name, value in zip(_OF_ASKED, kept, strict=True):
        setattr(made, name, value)
    made.below = {id(each): each for each in made.below.values()}
    return made
