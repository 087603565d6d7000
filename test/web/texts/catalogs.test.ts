import { readdirSync } from "node:fs";
import { TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { describe, expect, it } from "vitest";
import { ALL_GROUPS } from "../../../src/engine/signals/all-signals.ts";
import { compileTexts, readServerSources, readSources } from "../../../scripts/compile-texts.ts";
import { LANGUAGES } from "../../../src/texts/languages.ts";
import type { Message, Texts } from "../../../web/texts/message.ts";
import { PAGE_FILES, readPageSource, type SourceNode, visit } from "./page-sources.ts";

/** The page's texts and the server's. */
const readTexts = (language: string): Texts =>
  compileTexts({ ...readServerSources(language), ...readSources(language) });

const EN = readTexts("en");
/** The server's rooms. The page finds their texts by codes of the server. */
const SERVER_ROOMS = Object.keys(readServerSources("en"));
const OTHERS = Object.keys(LANGUAGES).filter((language) => language !== "en");

function toKeys(texts: Texts): string[] {
  return Object.entries(texts).flatMap(([room, messages]) =>
    Object.keys(messages).map((name) => `${room}.${name}`),
  );
}

function findMessage(texts: Texts, key: string): Message | undefined {
  const [room = "", name = ""] = key.split(".");
  return texts[room]?.[name];
}

/** A plural is a number: languages differ in which of their messages need one. */
function toKind(type: TYPE): TYPE {
  return type === TYPE.plural ? TYPE.number : type;
}

/** The words that each select knows: `act approve`. */
function toOptions(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.tag) return toOptions(element.children);
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
    const own = element.type === TYPE.select ? Object.keys(element.options) : [];
    return [
      ...own.map((option) => `${element.value} ${option}`),
      ...Object.values(element.options).flatMap(({ value }) => toOptions(value)),
    ];
  });
}

/** A message's placeholders with their kinds. */
function toPlaceholders(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    const own = `${element.value} ${TYPE[toKind(element.type)]}`;
    if (element.type === TYPE.tag) return [own, ...toPlaceholders(element.children)];
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [own];
    return [own, ...Object.values(element.options).flatMap(({ value }) => toPlaceholders(value))];
  });
}

function toParts(message: Message): string[] {
  if (typeof message === "string") return [];
  return [...new Set([...toPlaceholders(message), ...toOptions(message)])].toSorted();
}

interface Call {
  readonly name: string;
  /** What is known of its first argument: all of it, or how it begins. */
  readonly text: string;
  readonly isWhole: boolean;
}

function toCall(node: SourceNode): Call | null {
  if (node.type !== "CallExpression") return null;
  const { name = "" } = node["callee"] as { readonly name?: string };
  const [first] = node["arguments"] as {
    readonly type: string;
    readonly value?: unknown;
    readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
  }[];
  if (first?.type === "Literal") return { name, text: String(first.value), isWhole: true };
  const beginning = first?.quasis?.[0]?.value.cooked;
  return beginning === undefined ? null : { name, text: beginning, isWhole: false };
}

/** The keys that the page names, and the beginnings of those that it composes from a code: `views.`. */
function findUsed(): { readonly keys: ReadonlySet<string>; readonly beginnings: readonly string[] } {
  const calls = PAGE_FILES.flatMap((file) => {
    const found: Call[] = [];
    visit(readPageSource(file), (node) => {
      const call = toCall(node);
      if (call !== null) found.push(call);
    });
    return found;
  });
  const texts = calls.filter(({ name }) => name === "t" || name === "rich");
  const rooms = calls.filter(({ name }) => name === "findText").map(({ text }) => `${text}.`);
  return {
    keys: new Set(texts.filter(({ isWhole }) => isWhole).map(({ text }) => text)),
    beginnings: [...texts.filter(({ isWhole }) => !isWhole).map(({ text }) => text), ...rooms],
  };
}

it("has no room twice", () => {
  const own = readdirSync("web/texts/en").map((file) => file.replace(".ts", ""));

  expect(SERVER_ROOMS.filter((room) => own.includes(room))).toEqual([]);
});

describe("the English texts", () => {
  it("are all used", () => {
    const { keys, beginnings } = findUsed();
    const unused = toKeys(EN).filter(
      (key) =>
        !SERVER_ROOMS.some((room) => key.startsWith(`${room}.`)) &&
        !keys.has(key) &&
        !beginnings.some((beginning) => key.startsWith(beginning)),
    );

    expect(unused).toEqual([]);
    expect(keys.size, "the scan found no texts, so it proved nothing").toBeGreaterThan(500);
  });
});

it("names the local engine's signals as the engine does", () => {
  const signals = ALL_GROUPS.flatMap((group) => group.signals.map(({ code, title }) => [code, title]));

  expect(EN["signals"]).toEqual(Object.fromEntries(signals));
});

describe.each(OTHERS)("the texts in %s", (language) => {
  const texts = readTexts(language);

  it("are complete, and nothing more", () => {
    expect(toKeys(texts).toSorted()).toEqual(toKeys(EN).toSorted());
  });

  it("have the same placeholders and options", () => {
    const differing = toKeys(texts).flatMap((key) => {
      const [own, english] = [findMessage(texts, key), findMessage(EN, key)];
      if (own === undefined || english === undefined) return [];
      const names = [toParts(own), toParts(english)];
      return JSON.stringify(names[0]) === JSON.stringify(names[1])
        ? []
        : [{ key, own: names[0], english: names[1] }];
    });

    expect(differing).toEqual([]);
  });
});
