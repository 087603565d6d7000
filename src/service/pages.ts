import type { Logger } from "../base/logger.ts";
import type { Call } from "./call.ts";

/** One page of a list. */
export interface Page<Entry, Data = unknown> {
  readonly entries: readonly Entry[];
  /** Entries that couldn't be read, and were left out. */
  readonly unreadable: number;
  /** Position of the page, from 1. */
  readonly page: number;
  readonly totalPages: number;
  /** Entries on all pages. */
  readonly total: number;
  /** The whole answer, with all its fields. */
  readonly data: Data;
}

/** A list that is read page by page as you iterate over it. Nothing is read before. */
export interface Pages<Entry, Data = unknown> extends AsyncIterable<Entry> {
  /** Read one page, from 1. Default: the requested one, or the first. */
  page(page?: number): Call<Page<Entry, Data>>;
  /** All pages, starting from the requested one. */
  pages(): AsyncIterable<Page<Entry, Data>>;
  /** All entries. `max` limits a list of unknown length. */
  all(options?: { readonly max?: number | undefined }): Promise<readonly Entry[]>;
}

/** Say how many entries of a page were left out. */
export function warnOfUnreadable(
  logger: Logger,
  about: { readonly path: string; readonly page: number; readonly unreadable: number },
): void {
  if (about.unreadable > 0) logger.warn(about, "entries of a list can't be read, and were left out");
}

export function createPages<Entry, Data>(
  first: number,
  read: (page: number) => Call<Page<Entry, Data>>,
): Pages<Entry, Data> {
  async function* pages(): AsyncGenerator<Page<Entry, Data>> {
    let former: string | undefined;
    for (let number = first; ; number += 1) {
      const page = await read(number);
      const shown = JSON.stringify(page.entries);
      // After its last page, a service may return that page again, endlessly if it gives no count.
      if (shown === former) return;
      former = shown;
      yield page;
      // An empty page ends the list, whatever its count says.
      if (number >= page.totalPages || page.entries.length + page.unreadable === 0) return;
    }
  }

  async function* entries(): AsyncGenerator<Entry> {
    for await (const page of pages()) yield* page.entries;
  }

  return {
    page: (number = first) => read(number),
    pages,
    [Symbol.asyncIterator]: entries,
    async all({ max = Number.POSITIVE_INFINITY } = {}) {
      const found: Entry[] = [];
      for await (const entry of entries()) if (found.push(entry) >= max) break;
      return found.slice(0, max);
    },
  };
}
