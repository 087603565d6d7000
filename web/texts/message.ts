import type { MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import type { PlaceholdersIn, ValuesIn } from "../../src/texts/placeholders.ts";
import type { EN } from "./en/index.ts";

/** A message as `scripts/compile-texts.ts` leaves it: its text, or its elements if it has placeholders. */
export type Message = string | readonly MessageFormatElement[];

/** Compiled messages by room and name. */
export type Texts = Readonly<Record<string, Readonly<Record<string, Message>>>>;

type Catalog = typeof EN;
export type TextRoom = keyof Catalog;

/** A message's key: the catalog's file, a dot and the name in it. */
export type TextKey = { [Room in TextRoom]: `${Room}.${keyof Catalog[Room] & string}` }[TextRoom];

type SourceOf<Key extends TextKey> = Key extends `${infer Room extends TextRoom}.${infer Name}`
  ? Catalog[Room][Name & keyof Catalog[Room]]
  : never;

export type PlaceholderOf<Key extends TextKey> = PlaceholdersIn<SourceOf<Key>>;

/** The second parameter of a function that fills messages: left out if there are no placeholders. */
export type Values<Key extends TextKey, Types extends Record<"text" | "number" | "tag", unknown>> = ValuesIn<
  SourceOf<Key>,
  Types
>;
