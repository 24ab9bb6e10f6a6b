"""Fixes applied: lint, change, lint what came of it, until nothing is left to change."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence

from sycllint.config import Config, Configs
from sycllint.diagnostic import Diagnostic
from sycllint.grouping import grouped
from sycllint.pipeline import Filters, Progress, check
from sycllint.pipeline.resident import Resident
from sycllint.pipeline.result import Result
from sycllint.pipeline.run import Run
from sycllint.record import field, mutable, record, replace
from sycllint.source.edit import Applicability, Fix, applied, compatible, edits_of
from sycllint.source.files import Candidate, read_source
from sycllint.source.replace import replace_file
from sycllint.source.text import SourceFile

MAX_ROUNDS = 10
"""A fix may lay bare another finding; ten layers of them is a pair of fixes that undo each other."""


@record
class FixedFile:
    """One file before and after its fixes."""

    path: str
    before: bytes
    after: bytes


@record
class FixRun:
    """What fixing did, and what is left to report."""

    result: Result
    """The findings in the fixed files. Its notices say which fixes were not made, and why."""
    files: tuple[FixedFile, ...]
    fixed: int
    """Fixes made."""


def apply_fixes(
    paths: Sequence[str],
    config: Config | Configs,
    *,
    unsafe: bool = False,
    on_progress: Progress | None = None,
    filters: Filters | None = None,
    texts: Mapping[str, bytes] | None = None,
    resident: Resident | None = None,
) -> FixRun:
    """Lint the files that ``paths`` stand for and fix what can be fixed, in memory; only these files are changed.

    ``unsafe`` takes the fixes that may change what the program does, too. What ``filters`` hide is not fixed. The
    rest, and errors, as in ``check``.
    """
    configs = config if isinstance(config, Configs) else Configs(config)
    listed = Run(configs, texts=texts or {}).listed(paths)
    attempt = _Attempt(configs, unsafe, frozenset(each.path for each, _ in listed), dict(texts or {}))
    kept = resident or Resident()

    def linted(progress: Progress | None) -> Result:
        return check(paths, configs, on_progress=progress, texts=attempt.texts, filters=filters, resident=kept)

    result = linted(on_progress)
    for _ in range(MAX_ROUNDS):
        if result.interrupted or not attempt.change(result.diagnostics):
            break
        following = linted(on_progress)
        if attempt.unsettled(result.diagnostics, following.diagnostics):
            following = linted(None)
        result = following
    if left := attempt.left(result.diagnostics):
        attempt.note(f"{left} of the fixes were not made: they contradict others, or {MAX_ROUNDS} rounds did not do")
    fixed = tuple(
        FixedFile(path, attempt.originals[path], text)
        for path, text in sorted(attempt.texts.items())
        if text != attempt.originals.get(path, text)
    )
    return FixRun(replace(result, notices=(*result.notices, *attempt.notices)), fixed, attempt.made.total())


def write_files(run: FixRun, paths: Sequence[str] = (".",)) -> FixRun:
    """``run`` as it was written to the disk: without the files that could not be, which its notices then name.

    A link is written through only when what it leads to is among ``paths``, those of the run, or below one of them.
    """
    inside = [os.path.realpath(each) for each in paths]
    refused = {each.path: _leads_away(each.path, inside) or _replaced(each) for each in run.files}
    notices = tuple(notice for notice in refused.values() if notice)
    result = run.result
    if notices:
        result = replace(result, notices=(*result.notices, *notices), complete=False)
    return replace(run, result=result, files=tuple(each for each in run.files if not refused[each.path]))


def _replaced(file: FixedFile) -> str:
    return replace_file(file.path, file.before, file.after)


def _leads_away(path: str, inside: Sequence[str]) -> str:
    """That a file found in a folder is a link to a place outside of all of them; ``""`` when it is not."""
    real = os.path.realpath(path)
    if any(real == each or real.startswith(os.path.join(each, "")) for each in inside):
        return ""
    return f"{path}: not changed: it is a link to {real}, outside of what was named"


@mutable
class _Attempt:
    """The texts as they are so far, and the rules whose fixes are left alone in some file."""

    configs: Configs
    unsafe: bool
    paths: frozenset[str]
    texts: dict[str, bytes] = field(default_factory=dict)
    originals: dict[str, bytes] = field(default_factory=dict)
    notices: dict[str, None] = field(default_factory=dict)
    made: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Fixes made, by rule and file."""
    _seen: dict[str, set[bytes]] = field(default_factory=dict)
    """Every text that a file has had."""
    _barred: set[tuple[str, str]] = field(default_factory=set)
    _last: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Fixes made in the last round."""
    _before: dict[str, bytes] = field(default_factory=dict)
    """The texts before the last round, of the files it changed."""

    def note(self, notice: str) -> None:
        """Each notice once."""
        self.notices[notice] = None

    def change(self, diagnostics: Sequence[Diagnostic]) -> bool:
        """Make one round of fixes; whether anything changed. Of fixes that contradict each other the first is made."""
        codes = {each.fix: each.code for each in diagnostics if each.fix is not None and self._takes(each)}
        kept, _ = compatible(codes)
        self._before, self._last = {}, Counter()
        for path in dict.fromkeys(_path(fix) for fix in kept):
            by_code = grouped((codes[fix], fix) for fix in kept if _path(fix) == path)
            self._change_file(path, by_code)
        self.made.update(self._last)
        return bool(self._before)

    def unsettled(self, before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
        """Whether fixes left findings of their rule where they were; the files are then put back as they had been."""
        had, has = self._fixable(before), self._fixable(after)
        # Another finding may have become one that can be fixed, as the header it depends on was.
        fewer = _findings(before) - _findings(after)
        stubborn = [key for key in self._last if has[key] >= had[key] and not fewer[key]]
        for code, path in stubborn:
            self._bar(code, path, "they do not settle its findings")
        for path in {path for _, path in stubborn}:
            self.texts[path] = self._before[path]
            for key in [key for key in self._last if key[1] == path]:
                self.made[key] -= self._last[key]
        return bool(stubborn)

    def left(self, diagnostics: Sequence[Diagnostic]) -> int:
        """Fixes that are still to be made when the rounds are over."""
        return sum(self._takes(each) for each in diagnostics)

    def _takes(self, diagnostic: Diagnostic) -> bool:
        """Whether its fix is to be made: asked for, within one of the files linted, not barred there."""
        fix = diagnostic.fix
        if fix is None or not fix.edits or (fix.applicability is Applicability.UNSAFE and not self.unsafe):
            return False
        path, *others = {edit.location.path for edit in fix.edits}
        return not others and path in self.paths and (diagnostic.code, path) not in self._barred

    def _fixable(self, diagnostics: Sequence[Diagnostic]) -> Counter[tuple[str, str]]:
        return Counter(
            (each.code, _path(each.fix)) for each in diagnostics if each.fix is not None and self._takes(each)
        )

    def _change_file(self, path: str, by_code: Mapping[str, Sequence[Fix]]) -> None:
        """Change one file by all its fixes; where it would then parse worse, by those of each rule that do no harm."""
        text = self._text(path)
        if text is None:
            return
        limit = self._damage(path, text)
        good = dict(by_code)
        changed = _with(text, path, good)
        if self._damage(path, changed) > limit:
            for code, fixes in by_code.items():
                if self._damage(path, _with(text, path, {code: fixes})) > limit:
                    del good[code]
                    self._bar(code, path, "the file would not parse with them")
            changed = _with(text, path, good)
        if changed == text or self._damage(path, changed) > limit:
            return
        if changed in self._seen[path]:
            for code in good:
                self._bar(code, path, "they undo other fixes")
            return
        self._seen[path].add(changed)
        self._before[path], self.texts[path] = text, changed
        self._last.update({(code, path): len(fixes) for code, fixes in good.items()})

    def _bar(self, code: str, path: str, why: str) -> None:
        self._barred.add((code, path))
        self.note(f"{path}: the fixes of {code} were not made: {why}")

    def _text(self, path: str) -> bytes | None:
        if path not in self.originals:
            if path not in self.texts:
                read = read_source(Candidate(path, named=True))
                if not isinstance(read, SourceFile):
                    return None
                self.texts[path] = read.content
            self.originals[path] = self.texts[path]
            self._seen[path] = {self.texts[path]}
        return self.texts[path]

    def _damage(self, path: str, content: bytes) -> int:
        """Places of a file that do not parse."""
        from sycllint.facts.collect import file_facts

        return len(file_facts(path, content, self.configs.of(path).defines).damaged)


def _findings(diagnostics: Sequence[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((each.code, each.location.path) for each in diagnostics)


def _path(fix: Fix) -> str:
    return fix.edits[0].location.path


def _with(text: bytes, path: str, by_code: Mapping[str, Sequence[Fix]]) -> bytes:
    return applied(text, [edit for fixes in by_code.values() for edit in edits_of(fixes, path)])
