// One file of code, and the schema of the configuration as the Python package ships it.
import { copyFileSync, mkdirSync } from "node:fs";
import { build } from "esbuild";

mkdirSync("dist", { recursive: true });
copyFileSync("../../sycllint/config/sycllint.schema.json", "dist/sycllint.schema.json");
copyFileSync("../../LICENSE", "LICENSE");
await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  external: ["vscode"],
  minify: true,
});
