import { HoldfastError, toConfigError } from "../../base/errors.ts";

/** A JSON object of a file. Nothing about its fields is known. */
export type OrderDocument = Readonly<Record<string, unknown>>;

/** A platform's orders, as `holdfast verify` reads them. */
export interface OrderFormat {
  /** Its name for `--platform`. */
  readonly name: string;
  /** Whether a document has the shape of this platform's orders. */
  readonly matches: (document: OrderDocument) => boolean;
  /**
   * A storefront's order from the platform's. Pure.
   *
   * @throws {HoldfastError} `ORDER_INVALID` with the platform's own names of the fields that can't be read.
   */
  readonly map: (document: OrderDocument) => OrderDocument;
  /** Reads the file's text where numbers beyond 2^53 matter. Default: `JSON.parse`. Null: no JSON object. */
  readonly parse?: ((text: string) => OrderDocument | null) | undefined;
}

/** An order in the service's own fields, which needs no mapping. */
const REQUEST: OrderFormat = {
  name: "request",
  matches: (document) => ["orderAmount", "customerEmail", "customerName"].some((name) => name in document),
  map: (document) => document,
};

/**
 * The format of a document: the one with this name, or the first whose shape it has.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for an unknown name, `ORDER_INVALID` for an unknown shape.
 */
export function findFormat(
  document: OrderDocument,
  platforms: readonly OrderFormat[],
  name: string | undefined,
): OrderFormat {
  // Last, because some platforms have a field with the same name.
  const formats = [...platforms, REQUEST];
  const found = formats.find((format) =>
    name === undefined ? format.matches(document) : format.name === name,
  );
  if (found !== undefined) return found;
  const names = formats.map((format) => format.name).join(", ");
  if (name !== undefined) throw toConfigError(`--platform: expected one of ${names}`);
  const message = `This isn't an order of a known platform. Pass the order itself, not what wraps it, or name its platform with --platform: ${names}`;
  throw new HoldfastError("ORDER_INVALID", message, { retryable: false });
}
