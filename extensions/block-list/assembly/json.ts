// Reads the texts of a JSON document by their paths. Shopify sends only what the input query asks for.

/** The query asks for no deeper document. */
const MOST_NESTED = 16;

/** The texts of a document. Entries of a list have the list's path. */
export class Texts {
  /** Whether the document was read to its end. */
  complete: bool = false;
  private readonly paths: string[] = [];
  private readonly values: string[] = [];
  private at: i32 = 0;

  constructor(private readonly text: string) {
    this.complete = this.readValue("", 0) && this.next() == -1;
  }

  /** The first text with a path; empty if there is none. */
  first(path: string): string {
    const found = this.all(path);
    return found.length == 0 ? "" : found[0];
  }

  all(path: string): string[] {
    const found: string[] = [];
    for (let i = 0; i < this.paths.length; i++) if (this.paths[i] == path) found.push(this.values[i]);
    return found;
  }

  /** The next character that isn't white space; -1 at the end. */
  private next(): i32 {
    while (this.at < this.text.length) {
      const code = this.text.charCodeAt(this.at);
      if (code != 0x20 && code != 0x0a && code != 0x0d && code != 0x09) return code;
      this.at++;
    }
    return -1;
  }

  private skip(code: i32): bool {
    if (this.next() != code) return false;
    this.at++;
    return true;
  }

  private readValue(path: string, nested: i32): bool {
    const code = this.next();
    if (code == 0x7b /* { */) return this.readObject(path, nested + 1);
    if (code == 0x5b /* [ */) return this.readList(path, nested + 1);
    if (code != 0x22 /* " */) return this.readWord();
    const value = this.readText();
    if (value == null) return false;
    this.paths.push(path);
    this.values.push(value);
    return true;
  }

  private readObject(path: string, nested: i32): bool {
    this.at++;
    if (nested > MOST_NESTED) return false;
    if (this.skip(0x7d /* } */)) return true;
    do {
      if (this.next() != 0x22) return false;
      const key = this.readText();
      if (key == null || !this.skip(0x3a /* : */)) return false;
      if (!this.readValue(path.length == 0 ? key : path + "." + key, nested)) return false;
    } while (this.skip(0x2c /* , */));
    return this.skip(0x7d);
  }

  private readList(path: string, nested: i32): bool {
    this.at++;
    if (nested > MOST_NESTED) return false;
    if (this.skip(0x5d /* ] */)) return true;
    do {
      if (!this.readValue(path, nested)) return false;
    } while (this.skip(0x2c));
    return this.skip(0x5d);
  }

  /** A number, true, false or null, which nothing here needs. */
  private readWord(): bool {
    const from = this.at;
    while (this.at < this.text.length) {
      const code = this.text.charCodeAt(this.at);
      const isPart =
        (code >= 0x61 && code <= 0x7a) ||
        (code >= 0x30 && code <= 0x39) ||
        code == 0x2d ||
        code == 0x2b ||
        code == 0x2e ||
        code == 0x45;
      if (!isPart) break;
      this.at++;
    }
    return this.at > from;
  }

  private readText(): string | null {
    this.at++;
    let from = this.at;
    let read = "";
    while (this.at < this.text.length) {
      const code = this.text.charCodeAt(this.at);
      if (code == 0x22) {
        read += this.text.substring(from, this.at);
        this.at++;
        return read;
      }
      if (code < 0x20) return null;
      if (code != 0x5c /* \ */) {
        this.at++;
        continue;
      }
      read += this.text.substring(from, this.at);
      const escaped = this.readEscape();
      if (escaped < 0) return null;
      read += String.fromCharCode(escaped);
      from = this.at;
    }
    return null;
  }

  /** The character of an escape; -1 if it isn't one. */
  private readEscape(): i32 {
    if (this.at + 1 >= this.text.length) return -1;
    const code = this.text.charCodeAt(this.at + 1);
    this.at += 2;
    if (code == 0x22 || code == 0x5c || code == 0x2f) return code;
    if (code == 0x62) return 0x08;
    if (code == 0x66) return 0x0c;
    if (code == 0x6e) return 0x0a;
    if (code == 0x72) return 0x0d;
    if (code == 0x74) return 0x09;
    if (code != 0x75 || this.at + 4 > this.text.length) return -1;
    let value = 0;
    for (const end = this.at + 4; this.at < end; this.at++) {
      const digit = toHexDigit(this.text.charCodeAt(this.at));
      if (digit < 0) return -1;
      value = value * 16 + digit;
    }
    return value;
  }
}

function toHexDigit(code: i32): i32 {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
