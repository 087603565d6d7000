import { writeFileSync } from "node:fs";
import { buildConsole } from "./console-bundle.ts";

// Writes the modules that the server sends to browsers. Run it after every change in web/.
const { modules, compressedScript } = await buildConsole();
for (const [path, text] of modules) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
  console.log(`${path}: ${(text.length / 1_000).toFixed(1)} kB`);
}
console.log(`script over the network: ${(compressedScript.length / 1_000).toFixed(1)} kB`);
