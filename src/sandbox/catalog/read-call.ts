import type { IncomingMessage } from "node:http";
import { parseJson } from "../../base/json.ts";
import { CATALOG_OPERATIONS } from "../../catalog/operations/catalog-operations.ts";
import type { Operation } from "../../catalog/operations/operation.ts";
import { isFields } from "../../order/complete-order.ts";
import { toRefusal, fitsPath, isJson, readBytes, refuseBody } from "../http.ts";

/** An operation with its name, such as `products.create`. */
export interface NamedOperation {
  readonly name: string;
  readonly operation: Operation;
}

/** The operations of a path, and its parameter. */
export interface PathMatch {
  readonly found: readonly NamedOperation[];
  readonly id: string;
}

const NAMED_OPERATIONS: readonly NamedOperation[] = Object.entries(CATALOG_OPERATIONS).flatMap(
  ([group, operations]) =>
    Object.entries(operations as Readonly<Record<string, Operation>>).map(([name, operation]) => ({
      name: `${group}.${name}`,
      operation,
    })),
);

/** The operations at a path (`/webhooks` has several), with the path's parameter. */
export function matchPath(segments: readonly string[]): PathMatch | undefined {
  const found = NAMED_OPERATIONS.filter(({ operation }) => fitsPath(operation.path, segments));
  // A literal path comes before one with a parameter.
  const literal = found.filter(({ operation }) => !operation.path.includes(":id"));
  const chosen = literal.length > 0 ? literal : found;
  const [first] = chosen;
  if (first === undefined) return undefined;
  const position = first.operation.path.split("/").slice(1).indexOf(":id");
  return { found: chosen, id: position < 0 ? "" : (segments[position] ?? "") };
}

/** Largest JSON body that is read. */
const JSON_LIMIT_BYTES = 112 * 1024 * 1024;
/** Largest form that is read. The interface limits each uploaded file, and not all of them together. */
const FORM_LIMIT_BYTES = 1024 * 1024 * 1024;

/** The body of a request before any check: the JSON object, or a form's fields. */
export async function readGiven(
  request: IncomingMessage,
  kind: Operation["kind"],
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBytes(request, kind === "form" ? FORM_LIMIT_BYTES : JSON_LIMIT_BYTES);
  if (bytes === undefined) throw toRefusal(413);
  if (kind === "download") return {};
  if (kind === "form") return readForm(request, bytes);
  if (bytes.length === 0) return {};
  if (!isJson(request)) throw refuseBody("expected Content-Type application/json");
  const given = parseJson(bytes.toString("utf8"));
  if (!isFields(given)) throw refuseBody("expected a JSON object");
  return given;
}

async function readForm(request: IncomingMessage, bytes: Buffer): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers["content-type"] ?? "";
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  } catch {
    throw refuseBody("expected Content-Type multipart/form-data");
  }
  const fields: Record<string, unknown> = {};
  const files: object[] = [];
  for (const [name, value] of form) {
    if (typeof value === "string") addField(fields, name, value);
    else if (name !== "files") fields[name] = value.name;
    // The sender's type counts, not the file name's extension.
    else files.push({ name: value.name, content: value, type: value.type || "application/octet-stream" });
  }
  return { files, ...fields };
}

/** A form's text as the value that it represents: a switch, a JSON object, or `object[member]`. */
function addField(fields: Record<string, unknown>, name: string, value: string): void {
  const [, object, member] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
  if (object !== undefined && member !== undefined) {
    const held = (fields[object] ?? {}) as Readonly<Record<string, unknown>>;
    fields[object] = { ...held, [member]: toScalar(value) };
  } else {
    fields[name] = name === "prompt" ? value : toScalar(value);
  }
}

function toScalar(value: string): unknown {
  if (value === "true" || value === "false") return value === "true";
  return value.startsWith("{") ? (parseJson(value) ?? value) : value;
}
