import { inspect } from "node:util";

const REDACTED = "[secret]";

/** A value that only `reveal` returns: printing, logging or serialising it shows `[secret]`. */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself. Pass it on directly and keep no copy. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
