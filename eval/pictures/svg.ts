/** A picture in progress: marks in drawing order, with escaped text. */
export type Svg = string;

type Attributes = Readonly<Record<string, string | number>>;

/** An element with attributes and, inside, other elements. */
export function element(name: string, attributes: Attributes, inside: readonly Svg[] = []): Svg {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? toShort(value) : escape(value)}"`)
    .join("");
  return inside.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${inside.join("")}</${name}>`;
}

/** A piece of text. */
export function text(content: string, attributes: Attributes): Svg {
  return element("text", attributes, [escape(content)]);
}

/** A whole picture on a white background; screen readers read `title`. */
export function picture(title: string, width: number, height: number, inside: readonly Svg[]): string {
  const root = element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "font-family": "system-ui, sans-serif",
      "font-size": 13,
      fill: "#222222",
    },
    [
      element("title", {}, [escape(title)]),
      element("rect", { width, height, fill: "#ffffff" }),
      ...inside.map((mark) => `\n${mark}`),
      "\n",
    ],
  );
  return `${root}\n`;
}

function toShort(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escape(content: string): string {
  return content
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
