import { FormData } from "undici";
import { HoldfastError } from "../base/errors.ts";
import { toFieldProblems } from "../order/request.ts";
import { toMimeType, type CatalogFile } from "./operations/files.ts";
import type { Operation } from "./operations/operation.ts";

/** How a form carries a field that is an object. */
export type FormObjects = "json" | "fields";

/**
 * Check the body of a call against the interface.
 *
 * @throws {HoldfastError} `INPUT_INVALID` with one entry in `fields` per field at fault. Nothing was sent then.
 */
export function parseInput(operation: Operation, given: unknown): Readonly<Record<string, unknown>> {
  const parsed = operation.body.safeParse(given);
  if (parsed.success) return parsed.data as Readonly<Record<string, unknown>>;
  const fields = toFieldProblems(parsed.error);
  const names = [...new Set(fields.map(({ path }) => path || "body"))].slice(0, 10).join(", ");
  throw new HoldfastError("INPUT_INVALID", `the call can't be sent: ${names}`, {
    retryable: false,
    metered: "no",
    fields,
  });
}

/** A multipart form. Files are streamed from where they are. */
export function toForm(body: Readonly<Record<string, unknown>>, objects: FormObjects): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (name === "files") {
      for (const file of value as readonly CatalogFile[]) append(form, file);
    } else if (typeof value !== "object" || value === null) {
      form.append(name, String(value));
    } else if (objects === "json") {
      form.append(name, JSON.stringify(value));
    } else {
      for (const [key, member] of Object.entries(value)) form.append(`${name}[${key}]`, String(member));
    }
  }
  return form;
}

function append(form: FormData, file: CatalogFile): void {
  const type = toMimeType(file);
  // `slice` gives the same content under another type, and copies nothing.
  const { content } = file;
  form.append("files", content.type === type ? content : content.slice(0, content.size, type), file.name);
}
