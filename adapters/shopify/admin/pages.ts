/** One page of a list of the Admin API, as {@link PAGE_INFO} requests it. */
export interface Page<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The fields that a document requests for every list that may have more pages. */
export const PAGE_INFO = /* GraphQL */ `
  pageInfo {
    hasNextPage
    endCursor
  }
`;

/** The nodes of a page and of all following pages; null if the object with the list was deleted meanwhile. */
export async function readPages<T>(
  first: Page<T>,
  read: (after: string) => Promise<Page<T> | undefined>,
): Promise<readonly T[] | null> {
  const nodes = [...first.nodes];
  let { hasNextPage, endCursor } = first.pageInfo;
  while (hasNextPage && endCursor !== null) {
    const page = await read(endCursor);
    if (page === undefined) return null;
    nodes.push(...page.nodes);
    ({ hasNextPage, endCursor } = page.pageInfo);
  }
  return nodes;
}
