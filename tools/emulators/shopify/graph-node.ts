/** What graphql-js resolves fields from: values, and functions of the field's arguments. */
export type GraphNode = Readonly<Record<string, unknown>>;

/** Arguments of a connection. */
export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** One page of `entries`. A cursor is the number of entries before it. */
export function toConnection<T>(
  entries: readonly T[],
  page: PageArguments,
  toNode: (entry: T) => GraphNode,
): GraphNode {
  const start = page.after === null || page.after === undefined ? 0 : Number(page.after);
  const end = start + (page.first ?? entries.length);
  const nodes = entries.slice(start, end).map((entry) => toNode(entry));
  // An empty page has no cursor.
  const endCursor = nodes.length === 0 ? null : String(start + nodes.length);
  return { nodes, pageInfo: { hasNextPage: end < entries.length, endCursor } };
}
