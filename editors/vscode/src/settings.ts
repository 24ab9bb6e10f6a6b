// Keys and values of sycllint.toml while it is typed, out of the JSON schema that the Python package ships.

import { readFileSync } from "node:fs";
import * as vscode from "vscode";

interface Schema {
  description?: string;
  type?: string;
  enum?: (string | number | boolean)[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  definitions?: Record<string, Schema>;
  $ref?: string;
}

const FILES: vscode.DocumentSelector = [
  { scheme: "file", pattern: "**/sycllint.toml" },
  { scheme: "file", pattern: "**/.sycllint.toml" },
];

export function settingsCompletion(context: vscode.ExtensionContext): vscode.Disposable {
  const path = vscode.Uri.joinPath(context.extensionUri, "dist", "sycllint.schema.json").fsPath;
  const schema = JSON.parse(readFileSync(path, "utf8")) as Schema;
  const devices = targets(context);
  const provider: vscode.CompletionItemProvider = {
    provideCompletionItems: (document, position) => offered(schema, devices, document, position),
  };
  return vscode.languages.registerCompletionItemProvider(FILES, provider, '"', "[", ",", "=", ".");
}

/** The names of devices that the extension's own settings offer. */
function targets(context: vscode.ExtensionContext): string[] {
  const manifest = context.extension.packageJSON as {
    contributes: { configuration: { properties: Record<string, { items: { anyOf: Schema[] } }> } };
  };
  const names = manifest.contributes.configuration.properties["sycllint.targets"].items.anyOf[0].enum ?? [];
  return names.map(String);
}

function offered(
  root: Schema,
  devices: string[],
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionItem[] {
  const before = document.lineAt(position.line).text.slice(0, position.character);
  if (/^\s*#/.test(before)) {
    return [];
  }
  const header = /^\s*\[([\w.-]*)$/.exec(before);
  if (header !== null) {
    return keys(root, (each) => resolved(root, each).type === "object");
  }
  const table = tableAt(root, document, position.line);
  const value = /^\s*"?([\w-]+)"?\s*=(.*)$/.exec(before);
  if (value === null) {
    return table === undefined ? [] : keys(table, () => true, root);
  }
  const schema = table?.properties?.[value[1]];
  return schema === undefined ? [] : values(root, resolved(root, schema), value[1], value[2], devices);
}

/** The schema of the table in which a line stands; none of a table whose keys are the user's own. */
function tableAt(root: Schema, document: vscode.TextDocument, line: number): Schema | undefined {
  for (let each = line - 1; each >= 0; each--) {
    const header = /^\s*\[(.+)\]\s*(?:#.*)?$/.exec(document.lineAt(each).text);
    if (header !== null) {
      return parts(header[1]).reduce<Schema | undefined>((schema, name) => inside(root, schema, name), root);
    }
  }
  return root;
}

function inside(root: Schema, schema: Schema | undefined, name: string): Schema | undefined {
  const any = typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
  const found = schema?.properties?.[name] ?? any;
  return found === undefined ? undefined : resolved(root, found);
}

/** `per-path."tests/**"` as its two keys. */
function parts(header: string): string[] {
  return [...header.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map((each) => each[1] ?? each[2] ?? each[3]);
}

function keys(schema: Schema, wanted: (each: Schema) => boolean, root: Schema = schema): vscode.CompletionItem[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, each]) => wanted(each))
    .map(([name, each]) => {
      const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Property);
      item.documentation = each.description ?? resolved(root, each).description;
      return item;
    });
}

function values(root: Schema, schema: Schema, name: string, typed: string, devices: string[]): vscode.CompletionItem[] {
  const choices = name === "targets" ? devices : choicesOf(root, schema);
  const isInside = (typed.match(/"/g) ?? []).length % 2 === 1;
  return choices.map((each) => {
    const item = new vscode.CompletionItem(String(each), vscode.CompletionItemKind.EnumMember);
    item.insertText = typeof each !== "string" || isInside ? String(each) : `"${each}"`;
    return item;
  });
}

function choicesOf(root: Schema, schema: Schema): (string | number | boolean)[] {
  const here = schema.type === "boolean" ? [true, false] : (schema.enum ?? []);
  const below = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items === undefined ? [] : [schema.items])];
  return [...here, ...below.flatMap((each) => choicesOf(root, resolved(root, each)))];
}

function resolved(root: Schema, schema: Schema): Schema {
  const name = schema.$ref?.replace("#/definitions/", "");
  return name === undefined ? schema : { ...root.definitions?.[name], ...schema };
}
