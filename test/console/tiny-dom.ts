/** As much of the DOM as the console's script uses. Writing HTML is not part of it, so a script that tries fails. */
export class TinyElement {
  readonly tag: string;
  readonly attributes = new Map<string, string>();
  readonly listeners = new Map<string, (event: { preventDefault(): void }) => void>();
  readonly dataset: Record<string, string> = {};
  hidden = false;
  disabled = false;
  value = "";
  focused = false;
  #children: (TinyElement | string)[] = [];

  constructor(tag: string) {
    this.tag = tag;
  }

  get textContent(): string {
    return this.#children.map((child) => (typeof child === "string" ? child : child.textContent)).join(" ");
  }

  set textContent(text: string) {
    this.#children = [text];
  }

  set innerHTML(_html: string) {
    throw new Error("the script writes HTML");
  }

  get elements(): readonly TinyElement[] {
    return this.#children.filter((child) => typeof child !== "string");
  }

  get childElementCount(): number {
    return this.elements.length;
  }

  /** This element and all below it with this tag. */
  all(tag: string): readonly TinyElement[] {
    return [...(this.tag === tag ? [this] : []), ...this.elements.flatMap((child) => child.all(tag))];
  }

  setAttribute(name: string, value: string): void {
    if (name.startsWith("on")) throw new Error("the script writes a handler as text");
    this.attributes.set(name, value);
  }

  append(...children: readonly (TinyElement | string)[]): void {
    this.#children.push(...children);
  }

  replaceChildren(...children: readonly (TinyElement | string)[]): void {
    this.#children = [...children];
  }

  addEventListener(type: string, listener: (event: { preventDefault(): void }) => void): void {
    this.listeners.set(type, listener);
  }

  focus(): void {
    this.focused = true;
  }

  /** Send an event as a person would; tells whether the browser's own reaction was prevented. */
  fire(type: string): boolean {
    let isPrevented = false;
    const preventDefault = () => {
      isPrevented = true;
    };
    const listener = this.listeners.get(type);
    if (listener === undefined) throw new Error(`nobody listens to ${type} on ${this.tag}`);
    listener({ preventDefault });
    return isPrevented;
  }
}

/** A document with every element of `page` that has an id. */
export class TinyDocument {
  readonly body = new TinyElement("body");
  readonly #byId = new Map<string, TinyElement>();

  constructor(page: string) {
    this.body.dataset["embedded"] = /data-embedded="(\w+)"/.exec(page)?.[1] ?? "";
    for (const [tag = "", name = ""] of page.matchAll(/<([a-z]+\d?)\b[^>]*>/g)) {
      const id = / id="([^"]+)"/.exec(tag)?.[1];
      if (id === undefined) continue;
      const made = new TinyElement(name);
      made.hidden = / hidden[ >]/.test(tag);
      this.#byId.set(id, made);
    }
  }

  getElementById(id: string): TinyElement {
    const found = this.#byId.get(id);
    if (found === undefined) throw new Error(`the page has no element ${id}`);
    return found;
  }

  createElement(tag: string): TinyElement {
    return new TinyElement(tag);
  }
}
