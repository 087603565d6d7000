import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { isLiteralElement, parse } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";
import type { Message, Texts } from "../web/texts/message.ts";

const TEXTS = fileURLToPath(new URL("../web/texts/", import.meta.url));
/** The server's texts. The page shows some of them, in languages other than the server's English. */
const SERVER_TEXTS = fileURLToPath(new URL("../src/texts/", import.meta.url));
const SHOWN_BY_PAGE = /^(?:expected|findings|refusals)\.ts$/;
const CATALOG = /^[\w-]+\/(?!index\.)[\w-]+\.ts$/;
/** Not `import`, which test runners replace with one that would compile the texts. */
const load = createRequire(import.meta.url);

/** A language's messages as they are written, by room and name. */
export type Sources = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What the page needs: its own texts, and those of the server that it shows. */
export function readSources(language: string): Sources {
  return { ...readRooms(TEXTS, language), ...readRooms(SERVER_TEXTS, language, SHOWN_BY_PAGE) };
}

/** All texts of the server. */
export function readServerSources(language: string): Sources {
  return readRooms(SERVER_TEXTS, language);
}

function readRooms(folder: string, language: string, which = /./): Sources {
  const files = readdirSync(folder + language).filter(
    (file) => CATALOG.test(`${language}/${file}`) && which.test(file),
  );
  return Object.fromEntries(
    files.toSorted().map((file) => [file.replace(".ts", ""), readRoom(`${folder}${language}/${file}`)]),
  );
}

function readRoom(path: string): Sources[string] {
  return (load(path) as { readonly TEXTS: Sources[string] }).TEXTS;
}

/** A message, parsed: the page has no parser, which would be larger than everything else it needs for messages. */
export function compileMessage(source: string): Message {
  const elements = parse(source, { captureLocation: false });
  const [only] = elements;
  if (only === undefined) return "";
  return elements.length === 1 && isLiteralElement(only) ? only.value : elements;
}

function compileRoom(sources: Sources[string]): Texts[string] {
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => {
      try {
        return [name, compileMessage(source)];
      } catch (error) {
        throw new Error(`invalid message ${name}: ${source}`, { cause: error });
      }
    }),
  );
}

export function compileTexts(sources: Sources): Texts {
  return Object.fromEntries(Object.entries(sources).map(([room, texts]) => [room, compileRoom(texts)]));
}

/** Compiles the catalogs of `web/texts/` where they are imported. */
export function textCompiler(): Plugin {
  return {
    name: "holdfast-texts",
    enforce: "pre",
    load(id) {
      if (!id.startsWith(TEXTS) || !CATALOG.test(id.slice(TEXTS.length))) return null;
      return `export const TEXTS = ${JSON.stringify(compileRoom(readRoom(id)))};`;
    },
  };
}
