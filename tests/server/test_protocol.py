"""``sycllint server`` as a client sees it: a real process, spoken to over its pipes."""

from pathlib import Path

import pytest
from lsprotocol import types

from tests.server.client import Editor, capabilities, edit

KERNEL = """#include <sycl/sycl.hpp>
#include "sizes.h"

void launch(sycl::queue &q, float *out) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> tile(sycl::range<1>(256), h);
    h.parallel_for(sycl::nd_range<1>(1 << 20, kGroup), [=](sycl::nd_item<1> item) {
      tile[item.get_local_id(0)] = out[item.get_global_id(0)];
      sycl::group_barrier(item.get_group());
      out[item.get_global_id(0)] = tile[0];
    });
  });
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "sycllint.toml").write_text('targets = ["tgl"]\n')
    (tmp_path / "sizes.h").write_text("constexpr int kGroup = 256;\n")
    (tmp_path / "kernel.cpp").write_text(KERNEL)
    return tmp_path


def test_an_unsaved_text_is_what_is_linted(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        uri = editor.open("kernel.cpp")
        assert "SYC101" not in await editor.codes(uri)
        editor.change(uri, KERNEL.replace("kGroup)", "1024)"))
        found = await editor.diagnostics(uri)
        assert [each.code for each in found if each.severity is types.DiagnosticSeverity.Error] == [
            "SYC101",
            "SYC403",
        ]
        assert found[0].range.start.line == 6
        editor.change(uri, KERNEL)
        assert "SYC101" not in await editor.codes(uri)

    edit(project, scenario, "--no-cache")


def test_an_edit_of_a_header_changes_what_is_said_of_open_files_that_include_it(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        kernel = editor.open("kernel.cpp")
        assert "SYC101" not in await editor.codes(kernel)
        header = editor.open("sizes.h")
        editor.change(header, "constexpr int kGroup = 2048;\n")
        await editor.diagnostics(header)
        assert "SYC101" in await editor.codes(kernel)
        editor.close(header)  # without saving: the disk's 256 counts again
        await editor.quiet(kernel)
        assert "SYC101" not in await editor.codes(kernel)

    edit(project, scenario, "--no-cache")


def test_settings_are_read_again_when_they_change(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        uri = editor.open("kernel.cpp", KERNEL.replace("kGroup)", "1024)"))
        assert "SYC101" in await editor.codes(uri)
        (project / "sycllint.toml").write_text('targets = ["tgl"]\nignore = ["SYC101"]\n')
        changed = types.FileEvent(editor.uri("sycllint.toml"), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        await editor.quiet(uri)
        assert "SYC101" not in await editor.codes(uri)

    edit(project, scenario, "--no-cache")


def test_a_mistake_in_the_settings_is_shown_where_it_stands(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        (project / "sycllint.toml").write_text('\ntargets = ["tgll"]\n')
        uri = editor.open("kernel.cpp")
        assert await editor.codes(uri) == []
        (found,) = editor.published[editor.uri("sycllint.toml")].diagnostics
        assert "tgll" in found.message
        assert found.range.start.line == 1
        assert any("tgll" in each for each in editor.shown)
        (project / "sycllint.toml").write_text('targets = ["tgl"]\n')
        editor.change(uri, KERNEL.replace("kGroup)", "1024)"))
        assert "SYC101" in await editor.codes(uri)
        assert not editor.published[editor.uri("sycllint.toml")].diagnostics

    edit(project, scenario, "--no-cache")


def test_options_hold_as_on_the_command_line(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        uri = editor.open("kernel.cpp", KERNEL.replace("kGroup)", "1024)"))
        assert "SYC101" not in await editor.codes(uri)

    edit(project, scenario, "--no-cache", "--target", "pvc")


def test_closing_a_file_takes_its_findings_away(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        other = editor.open("sizes.h")
        uri = editor.open("kernel.cpp", KERNEL.replace("kGroup)", "1024)"))
        assert await editor.codes(uri)
        editor.close(uri)
        await editor.quiet(other)
        assert not editor.published[uri].diagnostics

    edit(project, scenario, "--no-cache")


def test_hover_lens_and_hints_of_a_launch(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        uri = editor.open("kernel.cpp")
        document = types.TextDocumentIdentifier(uri)
        (lens,) = await editor.client.text_document_code_lens_async(types.CodeLensParams(document)) or ()
        assert lens.command is not None
        assert lens.command.title.startswith("tgl ")
        assert lens.range.start.line == 6
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, types.Position(6, 8)))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.kind is types.MarkupKind.Markdown
        assert "kGroup is 256: sizes.h:1" in hover.contents.value
        assert await editor.client.text_document_hover_async(types.HoverParams(document, types.Position(0, 3))) is None
        everything = types.Range(types.Position(0, 0), types.Position(99, 0))
        hints = await editor.client.text_document_inlay_hint_async(types.InlayHintParams(document, everything)) or ()
        assert [each.label for each in hints] == ["= 1048576", "= 256"]

    edit(project, scenario, "--no-cache")


def _whole() -> types.Range:
    return types.Range(types.Position(0, 0), types.Position(99, 0))


async def _actions(editor: Editor, uri: str, *only: str) -> list[types.CodeAction]:
    context = types.CodeActionContext([], only=list(only) or None)
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), _whole(), context)
    found = await editor.client.text_document_code_action_async(params)
    return [each for each in found or () if isinstance(each, types.CodeAction)]


OUTDATED = KERNEL.replace("sycl::group_barrier(item.get_group());", "item.barrier();").replace(
    "#include", "\n#include", 1
)


def test_fixes_are_offered_one_by_one_and_all_at_once(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        uri = editor.open("kernel.cpp", OUTDATED)
        await editor.diagnostics(uri)
        fixes = [each for each in await _actions(editor, uri, "quickfix") if each.edit is not None]
        assert any("barrier" in each.title for each in fixes)
        (everything,) = await _actions(editor, uri, "source.fixAll")
        assert everything.edit is None
        resolved = await editor.client.code_action_resolve_async(everything)
        assert resolved.edit is not None
        assert resolved.edit.changes is not None
        (change,) = resolved.edit.changes[uri]
        assert "group_barrier" in change.new_text
        assert change.range.start.line == change.range.end.line - 1

    edit(project, scenario, "--no-cache")


def test_a_client_that_cannot_resolve_gets_the_edits_at_once(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        uri = editor.open("kernel.cpp", OUTDATED)
        await editor.diagnostics(uri)
        (everything,) = await _actions(editor, uri, "source.fixAll.sycllint")
        assert everything.edit is not None

    edit(project, scenario, "--no-cache", can=capabilities(resolves=False))


def test_a_finding_can_be_suppressed_with_a_reason(project: Path) -> None:
    loud = KERNEL.replace("kGroup)", "1024)")

    async def with_a_gap(editor: Editor) -> None:
        uri = editor.open("kernel.cpp", loud)
        await editor.diagnostics(uri)
        (action,) = [each for each in await _actions(editor, uri) if each.title == "Suppress SYC101 here"]
        assert action.edit is not None
        assert action.edit.changes is not None
        (change,) = action.edit.changes[uri]
        assert change.new_text == "    // sycllint: ignore[SYC101] <reason>\n"
        assert change.range.start == types.Position(6, 0)

    async def asked_for(editor: Editor) -> None:
        uri = editor.open("kernel.cpp", loud)
        await editor.diagnostics(uri)
        (action,) = [each for each in await _actions(editor, uri) if each.title.startswith("Suppress SYC101")]
        assert action.command is not None
        arguments = [*(action.command.arguments or ()), "one launch, on pvc only"]
        await editor.client.workspace_execute_command_async(
            types.ExecuteCommandParams(action.command.command, arguments)
        )
        (applied,) = editor.applied
        assert applied.changes is not None
        (change,) = applied.changes[uri]
        assert change.new_text == "    // sycllint: ignore[SYC101] one launch, on pvc only\n"

    edit(project, with_a_gap, "--no-cache")
    edit(project, asked_for, "--no-cache", wishes={"asksReason": True})


def test_the_page_of_a_rule_opens(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        uri = editor.open("kernel.cpp", KERNEL.replace("kGroup)", "1024)"))
        await editor.diagnostics(uri)
        (action,) = [each for each in await _actions(editor, uri) if each.title.startswith("Open the page of SYC101")]
        assert action.command is not None
        path = await editor.client.workspace_execute_command_async(
            types.ExecuteCommandParams(action.command.command, action.command.arguments)
        )
        assert editor.opened == [Path(str(path)).as_uri()]
        assert Path(str(path)).read_text().startswith("# SYC101 work-group-exceeds-max\n")

    edit(project, scenario, "--no-cache")


@pytest.mark.parametrize(
    ("encoding", "column"),
    [
        (types.PositionEncodingKind.Utf16, 19),
        (types.PositionEncodingKind.Utf8, 24),
        (types.PositionEncodingKind.Utf32, 17),
        (None, 19),
    ],
)
def test_columns_are_counted_in_the_agreed_units(
    project: Path, encoding: types.PositionEncodingKind | None, column: int
) -> None:
    text = KERNEL.replace("kGroup)", "1024)").replace("    h.parallel_for", "    /* 𝄞𝄞 é */ h.parallel_for")

    async def scenario(editor: Editor) -> None:
        uri = editor.open("kernel.cpp", text)
        document = types.TextDocumentIdentifier(uri)
        (lens,) = await editor.client.text_document_code_lens_async(types.CodeLensParams(document)) or ()
        assert lens.range.start == types.Position(6, column)
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, lens.range.start))
        assert hover is not None
        assert hover.range == lens.range

    edit(project, scenario, "--no-cache", can=capabilities(encoding=encoding))


def test_the_newest_of_many_edits_is_what_is_published_last(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        uri = editor.open("kernel.cpp")
        for size in range(1, 60):
            editor.change(uri, KERNEL.replace("kGroup)", f"{size})"))
        editor.change(uri, KERNEL.replace("kGroup)", "1024)"))
        assert "SYC101" in await editor.codes(uri)
        versions = [each.version for each in editor.publications if each.uri == uri]
        assert versions == sorted(versions, key=lambda each: each or 0)
        assert len(versions) < 40  # the texts in between were given up

    edit(project, scenario, "--no-cache")


def test_a_server_without_a_client_ends(project: Path) -> None:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "sycllint", "server"], cwd=project, stdin=subprocess.DEVNULL, timeout=60, check=False
    )
    assert done.returncode == 0


def test_lenses_are_asked_for_again_when_other_targets_are_configured(project: Path) -> None:
    async def scenario(editor: Editor) -> None:
        uri = editor.open("kernel.cpp")
        await editor.diagnostics(uri)
        (project / "sycllint.toml").write_text('targets = ["pvc"]\n')
        changed = types.FileEvent(editor.uri("sycllint.toml"), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        await editor.until(lambda: editor.refreshed)
        document = types.TextDocumentIdentifier(uri)
        (lens,) = await editor.client.text_document_code_lens_async(types.CodeLensParams(document)) or ()
        assert lens.command is not None
        assert lens.command.title.startswith("pvc ")

    edit(project, scenario, "--no-cache")
