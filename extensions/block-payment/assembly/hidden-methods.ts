// Which payment methods are hidden from a blocked buyer, by the names that the policy has.

/**
 * Names of Shopify's fields for gift cards and store credit, in the languages of its checkout. They stay: whoever has one paid before,
 * and hiding the field removes a gift card that was applied. But they alone are no way to pay.
 */
const CREDITS: string[] = [
  "gift card",
  "store credit",
  "geschenk",
  "guthaben",
  "cadeau",
  "regalo",
  "presente",
  "gavekort",
  "presentkort",
  "lahjakort",
  "podarunkow",
  "ギフト",
  "礼品",
  "禮品",
];

/** IDs of the methods to hide. None if these would be all: a buyer can always pay in some way. */
export function findHidden(ids: string[], names: string[], hidden: string[]): string[] {
  const found: string[] = [];
  // Each method has both.
  if (ids.length != names.length) return found;
  let others = 0;
  for (let i = 0; i < ids.length; i++) {
    if (isNamed(names[i], CREDITS)) continue;
    if (!isNamed(names[i], hidden)) {
      others++;
      continue;
    }
    if (!isPlain(ids[i])) return [];
    found.push(ids[i]);
  }
  return others == 0 ? [] : found;
}

/** A method can have more in its name, such as a provider's. */
function isNamed(name: string, hidden: string[]): bool {
  for (let i = 0; i < hidden.length; i++) if (hidden[i].length > 0 && contains(name, hidden[i])) return true;
  return false;
}

/** Without new strings: a checkout can have many methods, and a function's time is short. */
function contains(name: string, text: string): bool {
  for (let from = 0; from + text.length <= name.length; from++) {
    let same = 0;
    while (same < text.length && fold(name.charCodeAt(from + same)) == fold(text.charCodeAt(same))) same++;
    if (same == text.length) return true;
  }
  return false;
}

/** Only letters in ASCII: others are compared as they are. */
function fold(code: i32): i32 {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** Whether a text can be written in JSON as it is. */
function isPlain(id: string): bool {
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    if (code < 0x20 || code > 0x7e || code == 0x22 /* " */ || code == 0x5c /* \ */) return false;
  }
  return id.length > 0;
}
