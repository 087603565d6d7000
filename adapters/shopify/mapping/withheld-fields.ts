import type { AdminError } from "../admin/admin-answer.ts";

/** Whether a field that is null was withheld from the app; `path` as in an answer, e.g. `orders.nodes.0.email`. */
export type IsWithheld = (path: string) => boolean;

/**
 * Tell the nulls of an answer apart: a buyer who gave nothing, and an app that is not approved to see it. Shopify names
 * each field it withholds in an error beside the data; a field that cannot be null takes the fields around it with it,
 * so those are withheld too. An error that names no field leaves every null in doubt, and doubt counts as withheld.
 */
export function toWithheld(errors: readonly AdminError[]): IsWithheld {
  const paths = new Set<string>();
  for (const { path } of errors) {
    for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) paths.add(path.slice(0, end));
  }
  const unnamed = errors.some(({ path }) => path === "");
  return (path) => unnamed || paths.has(path);
}
