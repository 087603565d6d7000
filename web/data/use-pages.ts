import { useEffect, useState } from "preact/hooks";
import { showToast } from "../components/toasts.tsx";
import { call, explain, type CallOptions } from "./api.ts";
import { useLoad, type Load } from "./use-load.ts";

/** A list that the API gives page by page. */
export interface Pages<P> {
  /** The first page. */
  readonly first: Load<P>;
  readonly pages: readonly P[];
  readonly hasMore: boolean;
  readonly showMore: () => Promise<void>;
}

/** Load a list's first page, and the others when asked to. */
export function usePages<P extends { readonly nextCursor: string | null }>(
  path: string,
  query: NonNullable<CallOptions["query"]>,
): Pages<P> {
  const first = useLoad<P>(path, { query });
  const [more, setMore] = useState<readonly P[]>([]);
  useEffect(() => setMore([]), [first.data]);
  const pages = first.data === null ? [] : [first.data, ...more];
  const cursor = pages.at(-1)?.nextCursor ?? null;

  async function showMore(): Promise<void> {
    try {
      const { data } = await call<P>(path, { query: { ...query, cursor } });
      setMore([...more, data]);
    } catch (error) {
      showToast(explain(error), "bad");
    }
  }

  return { first, pages, hasMore: cursor !== null, showMore };
}
