/** A piece of a page, safe to send. Only {@link html} makes it. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** @internal */
  static of(text: string): Html {
    return new Html(text);
  }

  toString(): string {
    return this.#text;
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[];

/** Make a piece of a page. Everything in it is escaped, also in quoted attributes, except other pieces. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return Html.of(texts.reduce((before, text, at) => before + toSafe(parts[at - 1]) + text));
}

function toSafe(part: Part): string {
  if (part === undefined || part === null || part === false) return "";
  if (part instanceof Html) return part.toString();
  if (typeof part === "object") return part.map(toSafe).join("");
  return String(part).replaceAll(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A text of ours that stands on a page as it is, such as a style. */
export function toTrusted(text: string): Html {
  return Html.of(text);
}
