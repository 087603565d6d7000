import type { Dispatcher } from "undici";

/**
 * A handler as undici 5 and 6 call it. From undici 7 on, a handler with `onRequestStart` is called by the newer names only.
 *
 * Their retrying dispatchers call `onConnect` before the first attempt, and for none of the others.
 */
export interface FormerHandler {
  /** The connection is ready, and nothing is written yet. */
  onConnect(abort: Dispatcher.DispatchController["abort"]): void;
  /** True: go on reading. Also called for 1xx. */
  onHeaders(status: number, headers: readonly Buffer[]): boolean;
  onData(chunk: Buffer): boolean;
  onComplete(): void;
  onError(error: unknown): void;
}

/** Headers by lower-case name, from a list of names and values in turn. */
export function toHeaders(list: readonly Buffer[]): Record<string, string | string[]> {
  const texts = list.map((part) => part.toString("latin1"));
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index + 1 < texts.length; index += 2) {
    const name = (texts[index] ?? "").toLowerCase();
    const value = texts[index + 1] ?? "";
    const known = Object.hasOwn(headers, name) ? headers[name] : undefined;
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return headers;
}
