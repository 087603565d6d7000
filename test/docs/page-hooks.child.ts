import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Loaded with `--import` before a page's code: `holdfast/NAME` is this tree's source, other packages are this tree's own, and those
 * that can't run here are a few lines of `STUBS`.
 */
const root = pathToFileURL(`${process.cwd()}/`).href;
const CORE = new Set(["mapping", "testing"]);
const stubs = JSON.parse(process.env["STUBS"] ?? "{}") as Readonly<Record<string, string>>;

function toSource(specifier: string): string {
  const name = specifier.slice("holdfast/".length);
  if (name === "") return "src/index.ts";
  return CORE.has(name) ? `src/${name}.ts` : `adapters/${name}/index.ts`;
}

registerHooks({
  resolve(specifier, context, next) {
    const stub = stubs[specifier];
    if (stub !== undefined)
      return { url: `data:text/javascript,${encodeURIComponent(stub)}`, shortCircuit: true };
    if (/^holdfast(?:\/|$)/.test(specifier)) return next(new URL(toSource(specifier), root).href, context);
    const isPackage = /^[@a-z]/i.test(specifier) && !/^(?:node|file|data):/.test(specifier);
    return next(specifier, isPackage ? { ...context, parentURL: `${root}package.json` } : context);
  },
});
