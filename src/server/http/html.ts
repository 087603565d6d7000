/** A piece of HTML that needs no more escaping. Made only by {@link html} and {@link trustedHtml}. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a hole of an {@link html} template. Absent values leave nothing behind. */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | null | undefined | false;

/**
 * Write HTML: every hole is escaped for text and for quoted attribute values, unless it is {@link Html} already. Holes
 * belong in text or inside double quotes, never in a tag's name, an unquoted attribute, a script or a style.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(
    parts.reduce((text, part, index) => {
      const value = values[index];
      return `${text}${part}${value === undefined ? "" : render(value)}`;
    }, ""),
  );
}

/** Take HTML as it is. Only for text that the caller escaped or wrote itself. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  // Old parsers end an unquoted attribute at a backtick.
  "`": "&#96;",
};

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.toString();
  if (typeof value === "string") return value.replaceAll(/[&<>"'`]/g, (char) => ESCAPES[char] ?? "");
  if (typeof value === "number") return String(value);
  return value.map((item) => render(item)).join("");
}
