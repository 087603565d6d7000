// What of a buyer is compared, as text. It must be the text that Holdfast made the list's digests from:
// `toLinkKeys` in src/engine/velocity/keys.ts. test/extensions/block-list.test.ts compares the two.
//
// Only texts in ASCII: without Unicode's tables, others could come out differently. They aren't on the list either.

/** The mailbox of an address, however it is written; null if it isn't an address in ASCII. */
export function toMailbox(email: string): string | null {
  const text = trimSpaces(email);
  let at = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 0x20 || code > 0x7e) return null;
    if (code != 0x40 /* @ */) continue;
    if (at >= 0) return null;
    at = i;
  }
  if (at < 1 || at == text.length - 1) return null;
  const folded = toLowerCase(text);
  const domain = folded.substring(at + 1);
  const plus = folded.indexOf("+", 1);
  const local = folded.substring(0, plus < 0 || plus > at ? at : plus);
  if (domain != "gmail.com" && domain != "googlemail.com") return local + "@" + domain;
  return local.replaceAll(".", "") + "@gmail.com";
}

const FEWEST_DIGITS = 7;
const COMPARED_DIGITS = 9;

/** The last digits of a phone number, with or without its country code; null if it isn't a whole one in ASCII. */
export function toPhone(phone: string): string | null {
  let digits = "";
  for (let i = 0; i < phone.length; i++) {
    const code = phone.charCodeAt(i);
    if (code > 0x7e) return null;
    if (code >= 0x30 && code <= 0x39) digits += String.fromCharCode(code);
  }
  if (digits.length < FEWEST_DIGITS) return null;
  return digits.substring(max(0, digits.length - COMPARED_DIGITS));
}

function toLowerCase(text: string): string {
  let lower = "";
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    lower += String.fromCharCode(code >= 0x41 && code <= 0x5a ? code + 0x20 : code);
  }
  return lower;
}

function trimSpaces(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) == 0x20) from++;
  while (to > from && text.charCodeAt(to - 1) == 0x20) to--;
  return text.substring(from, to);
}
