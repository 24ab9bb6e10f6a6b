// Starts the language server and shows what VS Code has no protocol for: a reason that is asked for, a page, a restart.

import * as vscode from "vscode";
import {
  type ExecuteCommandSignature,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  type ServerOptions,
} from "vscode-languageclient/node";
import { settingsCompletion } from "./settings";

const SUPPRESS = "sycllint.suppress";
const OPEN_PAGE = "sycllint.openPage";
const SHOW_LAUNCH = "sycllint.showLaunch";
const FIX_ALL = "source.fixAll.sycllint";
const SOURCES = "**/*.{c,cc,cp,cpp,cxx,sycl,h,hh,hpp,hxx,ipp,inl,inc,tpp,txx,ixx,cppm}";

/** Settings that are read when the server starts. */
const AT_START = ["command", "arguments", "targets", "select", "ignore"].map((name) => `sycllint.${name}`);

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("sycllint", { log: true });
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("sycllint.restart", () => restart(log)),
    vscode.commands.registerCommand("sycllint.showLog", () => log.show()),
    vscode.commands.registerCommand("sycllint.fixAll", fixAll),
    vscode.commands.registerCommand(SHOW_LAUNCH, showLaunch),
    settingsCompletion(context),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (AT_START.some((name) => event.affectsConfiguration(name))) {
        await restart(log);
      }
    }),
  );
  await start(log);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function restart(log: vscode.LogOutputChannel): Promise<void> {
  await deactivate();
  await start(log);
}

async function start(log: vscode.LogOutputChannel): Promise<void> {
  const [command, ...before] = setting<string[]>("command") ?? ["sycllint"];
  const server: ServerOptions = {
    command,
    args: [...before, "server", ...options()],
    options: { cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath },
  };
  const wishes: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "cpp" },
      { scheme: "file", language: "c" },
      { scheme: "file", pattern: SOURCES },
    ],
    initializationOptions: { asksReason: true, showsPages: true },
    outputChannel: log,
    middleware,
  };
  client = new LanguageClient("sycllint", "sycllint", server, wishes);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    log.error(String(error));
    const settings = "Open Settings";
    const text = `sycllint: ${command} did not start; it comes with: pip install "sycllint[server]"`;
    if ((await vscode.window.showErrorMessage(text, settings)) === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "sycllint.command");
    }
  }
}

/** The options of the command line that the settings stand for. */
function options(): string[] {
  const found: string[] = [];
  for (const [name, option] of [["targets", "--target"], ["select", "--select"], ["ignore", "--ignore"]]) {
    const words = setting<string[]>(name) ?? [];
    if (words.length > 0) {
      found.push(option, words.join(","));
    }
  }
  return [...found, ...(setting<string[]>("arguments") ?? [])];
}

function setting<T>(name: string): T | undefined {
  return vscode.workspace.getConfiguration("sycllint").get<T>(name);
}

const middleware: Middleware = {
  async provideCodeLenses(document, token, next) {
    const found = setting<boolean>("codeLens") === false ? [] : await next(document, token);
    for (const lens of found ?? []) {
      if (lens.command !== undefined) {
        lens.command = { ...lens.command, command: SHOW_LAUNCH, arguments: [lens.range.start] };
      }
    }
    return found;
  },
  provideInlayHints(document, range, token, next) {
    return setting<boolean>("inlayHints") === false ? [] : next(document, range, token);
  },
  async executeCommand(command: string, given: unknown[], next: ExecuteCommandSignature) {
    if (command === SUPPRESS) {
      return suppress(given, next);
    }
    const answer: unknown = await next(command, given);
    if (command === OPEN_PAGE && typeof answer === "string") {
      await vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.file(answer));
    }
    return answer;
  },
};

/** Ask why a finding is to be silent, then have the server write the comment. */
async function suppress(given: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  const reason = await vscode.window.showInputBox({
    title: `Suppress ${(given[2] as string[]).join(", ")}`,
    prompt: "Why this finding does not matter here",
  });
  return reason === undefined ? undefined : next(SUPPRESS, [...given, reason]);
}

/** The page of a launch: the pointer goes to its name. */
async function showLaunch(place: vscode.Position): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    editor.selection = new vscode.Selection(place, place);
    await vscode.commands.executeCommand("editor.action.showHover");
  }
}

async function fixAll(): Promise<void> {
  await vscode.commands.executeCommand("editor.action.codeAction", { kind: FIX_ALL, apply: "first" });
}
