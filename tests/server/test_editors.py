"""Neovim and Emacs as clients of the server, without a screen; skipped where they are not installed."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NEOVIM = shutil.which("nvim")
EMACS = shutil.which("emacs")

KERNEL = """#include <sycl/sycl.hpp>

constexpr int kGroup = 1024;

void launch(sycl::queue &q, float *out) {
  q.parallel_for(sycl::nd_range<1>(1 << 20, kGroup), [=](sycl::nd_item<1> item) {
    out[item.get_global_id(0)] = 0;
  });
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sycllint.toml").write_text('targets = ["tgl"]\n')
    (tmp_path / "kernel.cpp").write_text(KERNEL)
    return tmp_path


def ran(project: Path, *command: str) -> dict[str, object]:
    """What an editor wrote down before it ended."""
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120, check=False)
    report = project / "report.json"
    assert report.exists(), done.stdout + done.stderr
    found: dict[str, object] = json.loads(report.read_text())
    return found


def judged(found: dict[str, object]) -> None:
    """The same of every editor: an error, none after an unsaved edit, a page, a line above the launch."""
    assert found["before"] == ["SYC101"]
    assert found["after"] == []
    assert "| local range | `256` |" in str(found["hover"])
    assert str(found["lens"]).startswith("tgl 86–100 % · ")
    assert found["suppressed"] == "  // sycllint: ignore[SYC101] <reason>"


LUA = """
vim.cmd('edit kernel.cpp')
local client = vim.lsp.start_client({ name = 'sycllint', cmd = { %s, '-m', 'sycllint', 'server', '--no-cache' },
                                      root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, client)

local function codes()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    if each.severity == vim.diagnostic.severity.ERROR then
      table.insert(found, each.code or each.user_data.lsp.code)
    end
  end
  return found
end

local function ask(method, params)
  params.textDocument = vim.lsp.util.make_text_document_params()
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  return answers[client].result
end

vim.wait(60000, function() return #codes() > 0 end)
local report = { before = codes() }
local line = { start = { line = 5, character = 0 }, ['end'] = { line = 5, character = 60 } }
for _, each in ipairs(ask('textDocument/codeAction', { range = line, context = { diagnostics = {} } })) do
  if each.title == 'Suppress SYC101 here' then
    vim.lsp.util.apply_workspace_edit(each.edit, 'utf-16')
    report.suppressed = vim.fn.getline(6)
  end
end
vim.fn.deletebufline('%%', 6)
vim.fn.setline(3, 'constexpr int kGroup = 256;')
vim.wait(60000, function() return #codes() == 0 end)
report.after = vim.empty_dict()
report.after = codes()
report.lens = ask('textDocument/codeLens', {})[1].command.title
report.hover = ask('textDocument/hover', { position = { line = 5, character = 6 } }).contents.value
local file = io.open('report.json', 'w')
file:write((vim.json.encode(report):gsub('"after":{}', '"after":[]')))
file:close()
vim.cmd('qall!')
"""


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_neovim(project: Path) -> None:
    assert NEOVIM is not None
    (project / "client.lua").write_text(LUA % json.dumps(sys.executable))
    judged(ran(project, NEOVIM, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile client.lua"))


LISP = """
(package-initialize)
(require 'cc-mode)
(require 'eglot)
(require 'flymake)
(require 'json)
(setq eglot-sync-connect 60 eglot-connect-timeout 60 eglot-autoshutdown nil eglot-events-buffer-size 0)
(add-to-list 'eglot-server-programs '(c++-mode . (%s "-m" "sycllint" "server" "--no-cache")))

(defun codes ()
  (let (found)
    (dolist (each (flymake-diagnostics))
      (when (and (eq (flymake-diagnostic-type each) 'eglot-error)
                 (string-match "SYC[0-9]+" (flymake-diagnostic-text each)))
        (push (match-string 0 (flymake-diagnostic-text each)) found)))
    found))

(defun wait-until (holds)
  (let ((left 600))
    (while (and (> left 0) (not (funcall holds)))
      (setq left (1- left))
      (accept-process-output nil 0.1))))

(defun ask (method &rest more)
  (jsonrpc-request (eglot--current-server-or-lose) method
                   (append (list :textDocument (eglot--TextDocumentIdentifier)) more)))

(defun change (text)
  "Line 3 is TEXT now, and the server knows."
  (goto-char (point-min))
  (forward-line 2)
  (delete-region (point) (line-end-position))
  (insert text)
  (eglot--signal-textDocument/didChange))

(find-file "kernel.cpp")
(c++-mode)
(eglot-ensure)
(run-hooks 'post-command-hook)
(wait-until #'eglot-managed-p)
(flymake-mode 1)
(flymake-start)
(wait-until #'codes)
(let ((before (codes)) suppressed)
  (mapc (lambda (each)
          (when (equal (plist-get each :title) "Suppress SYC101 here")
            (eglot--apply-workspace-edit (plist-get each :edit))
            (goto-char (point-min))
            (forward-line 5)
            (setq suppressed (buffer-substring (line-beginning-position) (line-end-position)))
            (delete-region (line-beginning-position) (1+ (line-end-position)))))
        (ask :textDocument/codeAction
             :range '(:start (:line 5 :character 0) :end (:line 5 :character 60))
             :context '(:diagnostics [])))
  (change "constexpr int kGroup = 256;")
  (let* ((lens (aref (ask :textDocument/codeLens) 0))
         (hover (ask :textDocument/hover :position '(:line 5 :character 6))))
    (flymake-start)
    (wait-until (lambda () (null (codes))))
    (with-temp-file "report.json"
      (insert (json-encode `((before . ,(vconcat before))
                             (after . ,(vconcat (codes)))
                             (suppressed . ,suppressed)
                             (lens . ,(plist-get (plist-get lens :command) :title))
                             (hover . ,(plist-get (plist-get hover :contents) :value))))))))
(kill-emacs 0)
"""


def _has_eglot() -> bool:
    if EMACS is None:
        return False
    find = '(progn (package-initialize) (kill-emacs (if (locate-library "eglot") 0 1)))'
    return subprocess.run([EMACS, "--batch", "--eval", find], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(EMACS is None, reason="Emacs is not installed")
def test_emacs(project: Path) -> None:
    assert EMACS is not None
    if not _has_eglot():
        pytest.skip("this Emacs has no eglot")
    python = json.dumps(sys.executable)
    (project / "client.el").write_text(LISP % python)
    judged(ran(project, EMACS, "--batch", "--load", "client.el"))
