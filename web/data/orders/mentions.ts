import { getSession } from "../api/session.ts";
import { nameActor } from "../api/words.ts";

/** Somebody who can be mentioned, and who can review orders. */
export interface Colleague {
  readonly actor: string;
  readonly name: string;
}

/** Everybody who can decide, by name. */
export function listColleagues(): readonly Colleague[] {
  const session = getSession();
  if (session === null) return [];
  const actors = new Set([...session.colleagues, ...(session.role === "viewer" ? [] : [session.actor])]);
  return [...actors]
    .map((actor) => ({ actor, name: nameActor(actor) }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** What is typed after the last `@`, if it may become a name. */
const STARTED = /(?:^|\s)@([\p{L}\p{M}.' -]{0,40})$/u;

/** Colleagues whose names may be about to follow the `@` before the caret. */
export function suggestMentions(before: string, colleagues: readonly Colleague[]): readonly Colleague[] {
  const typed = STARTED.exec(before)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  return colleagues.filter(({ name }) => {
    const full = name.toLowerCase();
    return full.startsWith(typed) && full !== typed.trimEnd();
  });
}

/** The text with the name in the place of what was typed of it, and where the caret goes. */
export function insertMention(text: string, caret: number, { name }: Colleague) {
  const before = text.slice(0, caret).replace(/@[^@]*$/u, `@${name} `);
  return { text: before + text.slice(caret).trimStart(), caret: before.length };
}

/** Who is mentioned in a note. */
export function findMentions(text: string, colleagues: readonly Colleague[]): readonly string[] {
  return colleagues.filter(({ name }) => text.includes(`@${name}`)).map(({ actor }) => actor);
}
