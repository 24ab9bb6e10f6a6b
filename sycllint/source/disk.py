"""The disk as one run sees it: files and folders, each read once, with a record of every question and its answer.

The result of an analysis depends on its questions here, and is valid as long as their answers are the same; so analyses
read the disk only through this module.
"""

import os
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol, TypeVar, cast

from sycllint.patience import uncounted
from sycllint.record import NamedTuple
from sycllint.source.files import EXTENSIONS, Candidate, Refused, SkipReason, read_source
from sycllint.source.glance import NOTHING, Listing, Outline, Stamp, digest_of, listed, outlined, stamp_of, state_of
from sycllint.source.names import NameUses, names_of
from sycllint.source.regular import regular_content
from sycllint.source.text import SourceFile

Answer = TypeVar("Answer")

LARGEST = 64_000_000
"""Bytes of a file that is no source: of a compilation database there are no larger ones that are read whole."""

CONTENTS = 24_000_000
"""Bytes of files that one ``Disk`` keeps; what is looked at again after that is read again."""

KEPT_BYTES = 16_000_000
"""Bytes of files that a ``DiskCache`` keeps from run to run."""

KEPT_ANSWERS = 2000
"""Answers that a ``DiskCache`` keeps."""

SETTLED = 2_000_000_000
"""Nanoseconds. A file that changed less than this before it was read may change again and keep its stamp: file systems
count time in steps of up to two seconds (FAT; Linux kernel documentation, "VFAT")."""


class Read(NamedTuple):
    """A file that was read: its stamp before that, and the digest of its bytes.

    ``""`` when it could not be read, ``refused`` when it is none to be linted.
    """

    stamp: Stamp
    digest: str


class Skimmed(NamedTuple):
    """A file of which only the outline was looked at."""

    stamp: Stamp
    digest: str
    outline: str


class ListedFolder(NamedTuple):
    """A folder that was listed."""

    stamp: Stamp
    listing: str


class DiskQuestion(NamedTuple):
    """A question that any disk can evaluate: ``work(disk, folder, *arguments)`` gives a digest of the answer."""

    work: "Callable[[Disk, str, *tuple[str, ...]], str]"
    folder: str
    arguments: tuple[str, ...]
    premise: "Callable[[Disk, str], str] | None" = None
    """A digest of all inputs of the answer in the folder, where that is cheaper to compute."""


class Answered(NamedTuple):
    """The digest of the answer to a question, and of its premise."""

    digest: str
    premise: str


UNSAVED = Stamp(-2, -2, -2)
"""The stamp of a file whose contents are replaced by an unsaved text."""


class Asked:
    """The questions of one analysis to the disk, with their answers: what its result depends on."""

    def __init__(self, since: int = 0) -> None:
        self.since = since
        """Nanoseconds since 1970, before the first question."""
        self.contents: dict[str, Read] = {}
        self.outlines: dict[str, Skimmed] = {}
        self.listings: dict[str, ListedFolder] = {}
        self.states: dict[str, tuple[Stamp, dict[str, str]]] = {}
        """By folder: its stamp, and by name what is there (see ``Disk.state``)."""
        self.answers: dict[DiskQuestion, Answered] = {}
        self.below: dict[int, Asked] = {}
        """The questions of shared results that this one depends on, by identity."""


class Kept(NamedTuple):
    """A cached result for a file or folder, with its stamp."""

    stamp: Stamp
    since: int
    digest: str
    made: object


class KeptAnswers(Protocol):
    """Answers of earlier disks."""

    def answer(self, key: object, /) -> tuple[object, Asked] | None:
        """The last answer for ``key``, with the questions that it depends on."""

    def keep_answer(self, key: object, answer: object, asked: Asked, /) -> None:
        """Take an answer, and what it rests on."""


class DiskCache:
    """Contents, outlines and listings that one ``Disk`` keeps for the next, each as long as it is valid.

    Without it a ``Disk`` looks at everything again; what it answers is the same. Not for several threads at once.
    """

    def __init__(self) -> None:
        self.files: OrderedDict[str, Kept] = OrderedDict()
        self.outlines: dict[str, tuple[str, Outline]] = {}
        """By path: the digest of the contents, and their outline."""
        self.names: dict[str, tuple[str, NameUses]] = {}
        """Names in files, kept like the outlines."""
        self.skimmed: dict[str, Kept] = {}
        """By path: the digest of the outline, which needs no look at a file that was at rest."""
        self.listings: dict[str, Kept] = {}
        self._answers: OrderedDict[object, tuple[object, Asked]] = OrderedDict()
        """By key (see ``Disk.once``)."""
        self._bytes = 0
        """The bytes of the files that are kept."""

    def keep_file(self, path: str, kept: Kept) -> None:
        """Take a file that was read; those read least recently are dropped."""
        before = self.files.pop(path, None)
        self._bytes += _size(kept.made) - (0 if before is None else _size(before.made))
        self.files[path] = kept
        while self._bytes > KEPT_BYTES and len(self.files) > 1:
            _, least = self.files.popitem(last=False)
            self._bytes -= _size(least.made)

    def answer(self, key: object) -> tuple[object, Asked] | None:
        """The last answer for ``key``, with the questions that it depends on."""
        return self._answers.get(key)

    def keep_answer(self, key: object, answer: object, asked: Asked) -> None:
        """Take an answer; those made least recently are dropped."""
        self._answers[key] = (answer, asked)
        self._answers.move_to_end(key)
        while len(self._answers) > KEPT_ANSWERS:
            self._answers.popitem(last=False)


def _size(read: object) -> int:
    """The bytes of a file that was read; 0 of one that was refused."""
    return len(read.content) if isinstance(read, SourceFile) else 0


class Disk:
    """Files and folders of one run. ``texts`` stand in for the contents of files, by path."""

    def __init__(
        self,
        texts: Mapping[str, bytes] | None = None,
        memory: DiskCache | None = None,
        answers: KeptAnswers | None = None,
    ) -> None:
        self._texts = {os.path.abspath(path): text for path, text in (texts or {}).items()}
        self._named = {os.path.basename(path) for path in self._texts}
        """File names that ``texts`` has: only such paths are worth a second look."""
        self._new = {path for path in self._texts if not os.path.lexists(path)}
        self._unsaved: dict[str, bytes | None] = {}
        self._memory = memory
        self._kept_answers = [each for each in (memory, answers) if each is not None]
        self._since = time.time_ns()
        self._asked = [Asked(self._since)]
        self._stamps: dict[str, Stamp] = {}
        self._states: defaultdict[str, dict[str, str]] = defaultdict(dict)
        """By folder and name."""
        self._reads: dict[str, Read | None] = {}
        """``None`` for a file that was not the same each time."""
        self._changed = False
        """There is such a file."""
        self._sources: OrderedDict[str, SourceFile | Refused] = OrderedDict()
        self._bytes = 0
        """The bytes of these files."""
        self._outlines: dict[str, Outline] = {}
        self._outline_digests: dict[str, str] = {}
        self._listings: dict[str, Listing] = {}
        self._answers: dict[object, tuple[object, Asked]] = {}
        self._confirmed: dict[int, tuple[Asked, bool]] = {}
        self._shared: dict[object, object] = {}

    # --------------------------------------------------------------- asking

    @contextmanager
    def asking(self) -> Iterator[Asked]:
        """The questions of the block; they do not count for the result around it."""
        asked = Asked(self._since)
        self._asked.append(asked)
        try:
            yield asked
        finally:
            self._asked.pop()

    def rest_on(self, asked: Asked) -> None:
        """The current result also depends on all of ``asked``."""
        self._asked[-1].below[id(asked)] = asked

    def once(self, key: object, work: Callable[[], Answer]) -> Answer:
        """The result of ``work``, computed on first use; every result that uses it depends on its questions."""
        if key not in self._answers:
            self._answers[key] = self._remembered(key, work)
        answer, asked = self._answers[key]
        self.rest_on(asked)
        return cast("Answer", answer)

    def shared(self, key: object, work: Callable[[], Answer]) -> Answer:
        """The result of ``work``, computed once; a result that uses it must note the questions itself (``note``)."""
        if key not in self._shared:
            self._shared[key] = self.apart(work)
        return cast("Answer", self._shared[key])

    def apart(self, work: Callable[[], Answer]) -> Answer:
        """The result of ``work`` for all files: its questions are not added to those of the current result.

        Nor is its time added to that of the file in work.
        """
        with self.asking(), uncounted():
            return work()

    def note(self, question: DiskQuestion) -> None:
        """The answer in the making rests on what comes of ``question``, and on nothing else that was asked for that.

        What comes of it is looked at where answers are kept: that may cost more than to ask.
        """
        answers = self._asked[-1].answers
        if self._kept_answers and question not in answers:
            answers[question] = self._answered(question)

    def _answered(self, question: DiskQuestion) -> Answered:
        return Answered(self._question_digest(question), self._premise_digest(question))

    def _question_digest(self, question: DiskQuestion) -> str:
        def work() -> str:
            return question.work(self, question.folder, *question.arguments)

        return self.shared(("question", question), work)

    def _premise_digest(self, question: DiskQuestion) -> str:
        premise = question.premise
        if premise is None:
            return ""
        return self.shared(("premise", premise, question.folder), lambda: premise(self, question.folder))

    def answers(self, question: DiskQuestion, answered: Answered) -> Answered | None:
        """The answer to ``question`` now; ``None`` when it differs from ``answered``."""
        premise = self._premise_digest(question)
        if question.premise is not None and premise == answered.premise:
            return answered
        return Answered(answered.digest, premise) if self._question_digest(question) == answered.digest else None

    def answered(self, key: object, work: Callable[[], Answer]) -> tuple[Answer, Asked]:
        """As ``once``, kept by the caller: what ``work`` answers, and what that rests on (see ``rest_on``)."""
        made, asked = self._remembered(key, work)
        return cast("Answer", made), asked

    def _remembered(self, key: object, work: Callable[[], Answer]) -> tuple[object, Asked]:
        for each in self._kept_answers:
            known = each.answer(key)
            if known is not None and self.confirms(known[1]):
                return known
        with self.asking() as asked:
            made = work()
        if self._kept_answers and self.sure_of(asked):
            for each in self._kept_answers:
                each.keep_answer(key, made, asked)
        return made, asked

    def sure_of(self, asked: Asked) -> bool:
        """Whether no file changed between two looks at it."""
        if not self._changed:
            return True
        paths = (*asked.contents, *asked.outlines)
        # What an earlier run asked was confirmed when it was taken up.
        sure = all(self._reads.get(path, NOTHING) is not None for path in paths)
        return sure and all(map(self.sure_of, asked.below.values()))

    def confirms(self, asked: Asked) -> bool:
        """Whether all questions to an earlier disk have the same answers here."""
        known = self._confirmed.get(id(asked))
        if known is None:
            self._confirmed[id(asked)] = (asked, False)  # also for what is said to be below itself
            with self.asking():
                held = all(map(self.confirms, asked.below.values())) and self._holds(asked)
            known = self._confirmed[id(asked)] = (asked, held)
        return known[1]

    def _holds(self, asked: Asked) -> bool:
        def at_rest(path: str, stamp: Stamp) -> bool:
            """Whether a path has the stamp it had, and could not have changed without another one."""
            return stamp != UNSAVED and self.stamp(path or ".") == stamp and stamp.changed < asked.since - SETTLED

        def is_read(path: str, read: Read) -> bool:
            unsaved = self._text(path) is not None
            plain = not unsaved and (read.digest or read.stamp == NOTHING) and at_rest(path, read.stamp)
            return bool(plain) or self._digest(path) == read.digest

        def is_skimmed(path: str, skimmed: Skimmed) -> bool:
            same = is_read(path, Read(skimmed.stamp, skimmed.digest))
            return same or self.outline(path).digest == skimmed.outline

        def is_entered(path: str, entered: ListedFolder) -> bool:
            quiet = not self._new and at_rest(path, entered.stamp)
            return quiet or self.listing(path).digest == entered.listing

        def is_state(folder: str, name: str, state: str) -> bool:
            return self.state(os.path.join(folder, name)) == state

        return (
            all(is_read(*each) for each in asked.contents.items())
            and all(is_skimmed(*each) for each in asked.outlines.items())
            and all(is_entered(*each) for each in asked.listings.items())
            and all(
                is_state(folder, name, state)
                for folder, (stamp, states) in asked.states.items()
                for name, state in states.items()
                if self._new or state.startswith("link") or not at_rest(folder, stamp)
            )
            and all(self.answers(*each) is not None for each in asked.answers.items())
        )

    # ---------------------------------------------------------------- files

    def read(self, candidate: Candidate) -> SourceFile | Refused:
        """The file's bytes, or why it is not linted."""
        path = os.path.normpath(candidate.path)
        found = self._sources.get(path)
        if found is None:
            found = self._read(candidate, path)
            self._sources[path] = found
            self._bytes += _size(found)
            while self._bytes > CONTENTS and len(self._sources) > 1:
                _, least = self._sources.popitem(last=False)
                self._bytes -= _size(least)
        self._asked[-1].contents[path] = self._reads[path] or Read(NOTHING, "")
        return found

    def _read(self, candidate: Candidate, path: str) -> SourceFile | Refused:
        text = self._text(path)
        if text is not None:
            self._note_read(path, UNSAVED, digest_of(text))
            return SourceFile(candidate.path, text)
        stamp = self.stamp(path)
        kept = self._memory.files.get(path) if self._memory is not None else None
        if kept is not None and self._at_rest(path, kept):
            self._note_read(path, stamp, kept.digest)
            return cast("SourceFile | Refused", kept.made)
        found = read_source(candidate)
        digest = _digest_of(found)
        self._note_read(path, stamp, digest)
        if self._memory is not None:
            if kept is not None and kept.digest == digest and isinstance(found, SourceFile):
                found = cast("SourceFile", kept.made)  # the same bytes: what is known of those is still known
            self._memory.keep_file(path, Kept(stamp, self._since, digest, found))
        return found

    def _text(self, path: str) -> bytes | None:
        """The unsaved text of a file."""
        if not self._named or os.path.basename(path) not in self._named:
            return None
        if path not in self._unsaved:
            place = os.path.abspath(path)
            found = self._texts.get(place)
            self._unsaved[path] = self._texts.get(os.path.realpath(place)) if found is None else found
        return self._unsaved[path]

    def _digest(self, path: str) -> str:
        """The digest of a file as ``read`` has it."""
        with self.asking():
            self.read(Candidate(path, named=True))
        read = self._reads[os.path.normpath(path)]
        return read.digest if read is not None else ""

    def source(self, path: str) -> SourceFile | None:
        """The file, if it is one that can be read as source."""
        found = self._sources.get(path)
        if found is None:
            found = self.read(Candidate(path, named=True))
        else:
            self._sources.move_to_end(path)
            self._asked[-1].contents[path] = self._reads[path] or Read(NOTHING, "")
        return found if isinstance(found, SourceFile) else None

    def outline(self, path: str) -> Outline:
        """The outline of a file; an empty one of what cannot be read."""
        path = os.path.normpath(path)
        if path not in self._outlines:
            with self.asking():
                source = self.source(path)
            self._outlines[path] = Outline() if source is None else self._outlined(path, source)
            self._outline_digests[path] = self._outlines[path].digest
        self._note_outline(path)
        return self._outlines[path]

    def outline_digest(self, path: str) -> str:
        """The digest of the outline of a file: without looking into it, where a ``DiskCache`` has it."""
        path = os.path.normpath(path)
        if path not in self._outline_digests:
            known = self._memory.skimmed.get(path) if self._memory is not None and self._text(path) is None else None
            if known is None or not self._at_rest(path, known):
                self.outline(path)
                return self._outline_digests[path]
            self._note_read(path, known.stamp, known.digest)
            self._outline_digests[path] = cast("str", known.made)
        self._note_outline(path)
        return self._outline_digests[path]

    def content_digest(self, path: str) -> str:
        """The digest of the bytes of a file: without reading it, where a ``DiskCache`` knows the file."""
        self.outline_digest(path)
        read = self._reads[os.path.normpath(path)]
        return "" if read is None else read.digest

    def _at_rest(self, path: str, known: Kept) -> bool:
        """Whether a file has the stamp it had, and could not have changed without another one."""
        return self.stamp(path) == known.stamp and known.stamp.changed < known.since - SETTLED

    def _note_outline(self, path: str) -> None:
        read = self._reads[path] or Read(NOTHING, "")
        self._asked[-1].outlines[path] = Skimmed(*read, self._outline_digests[path])

    def _outlined(self, path: str, source: SourceFile) -> Outline:
        read = self._reads[path]
        if self._memory is None or read is None:
            return outlined(source.content)
        known = self._memory.outlines.get(path)
        if known is None or known[0] != read.digest:
            known = self._memory.outlines[path] = (read.digest, outlined(source.content))
        self._memory.skimmed[path] = Kept(read.stamp, self._since, read.digest, known[1].digest)
        return known[1]

    def names(self, path: str) -> NameUses | None:
        """The names in a file; ``None`` where it cannot be read."""
        source = self.source(path)
        if source is None:
            return None
        read = self._reads[path]
        if self._memory is None or read is None:
            return names_of(source.content)
        known = self._memory.names.get(path)
        if known is None or known[0] != read.digest:
            known = self._memory.names[path] = (read.digest, names_of(source.content))
        return known[1]

    def content(self, path: str) -> bytes | None:
        """The bytes of any file, as of a script; ``None`` when it cannot be read, or has more than ``LARGEST``."""
        stamp = self.stamp(path)
        try:
            content: bytes | None = regular_content(path, LARGEST)
        except OSError:
            content = None
        self._note_read(path, stamp, "" if content is None else digest_of(content))
        self._asked[-1].contents[path] = self._reads[path] or Read(NOTHING, "")
        return content

    def _note_read(self, path: str, stamp: Stamp, digest: str) -> None:
        read = Read(stamp, digest)
        known = self._reads.setdefault(path, read)
        if known is not None and known.digest != read.digest:
            self._reads[path] = None
            self._changed = True

    # -------------------------------------------------------------- folders

    def is_file(self, path: str) -> bool:
        """Whether there is a regular file."""
        return self.state(path).endswith("file")

    def is_file_in(self, folder: str, name: str) -> bool:
        """Whether there is a regular file of this name in a folder."""
        return self._state_in(folder, name).endswith("file")

    def exists(self, path: str) -> bool:
        """Whether there is anything."""
        return not self.state(path).endswith("nothing")

    def state(self, path: str) -> str:
        """``file``, ``other`` or ``nothing``; with ``link to`` before it where a link leads there."""
        return self._state_in(*os.path.split(path))

    def _state_in(self, folder: str, name: str) -> str:
        asked = self._asked[-1].states.get(folder)
        if asked is None:
            asked = self._asked[-1].states[folder] = (self.stamp(folder or "."), {})
        state = asked[1].get(name)
        if state is None:
            known = self._states[folder]
            if name not in known:
                path = os.path.join(folder, name)
                is_new = bool(self._new) and os.path.abspath(path) in self._new
                known[name] = "file" if is_new else state_of(path)
            state = asked[1][name] = known[name]
        return state

    def listing(self, folder: str) -> Listing:
        """The files and folders in ``folder``; none when it cannot be read."""
        stamp = self.stamp(folder or ".")
        if folder not in self._listings:
            self._listings[folder] = self._with_new(folder, self._listed(folder, stamp))
        listing = self._listings[folder]
        self._asked[-1].listings[folder] = ListedFolder(stamp, listing.digest)
        return listing

    def _listed(self, folder: str, stamp: Stamp) -> Listing:
        if self._memory is None:
            return listed(folder)
        kept = self._memory.listings.get(folder)
        if kept is None or kept.stamp != stamp or stamp.changed >= kept.since - SETTLED:
            kept = self._memory.listings[folder] = Kept(stamp, self._since, "", listed(folder))
        return cast("Listing", kept.made)

    def _with_new(self, folder: str, listing: Listing) -> Listing:
        """A listing with the files that exist as texts only."""
        if not self._new:
            return listing
        place = os.path.abspath(folder or ".")
        new = (os.path.basename(each) for each in self._new if os.path.dirname(each) == place)
        sources = {each for each in new if each.lower().endswith(EXTENSIONS) and not each.startswith(".")}
        return Listing(tuple(sorted({*listing.files, *sources})), listing.folders) if sources else listing

    def stamp(self, path: str) -> Stamp:
        """The stamp of a file or folder as it was when first asked for."""
        stamp = self._stamps.get(path)
        if stamp is None:
            stamp = self._stamps[path] = stamp_of(path)
        return stamp


def _digest_of(found: SourceFile | Refused) -> str:
    if isinstance(found, SourceFile):
        return digest_of(found.content)
    return "" if found.reason is SkipReason.UNREADABLE else "refused"
