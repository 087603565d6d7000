import { toMimeType, type CatalogFile } from "./operations/files.ts";

/** How a form sends a field that is an object. */
export type FormObjects = "json" | "fields";

export type EncodedForm = ReturnType<typeof toForm>;

/**
 * A multipart form, for one attempt. Files are streamed from where they are. Fields that are undefined are left out,
 * and so are null members if each member has its own field.
 */
export function toForm(body: Readonly<Record<string, unknown>>, objects: FormObjects) {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (name === "files") {
      for (const file of value as readonly CatalogFile[]) append(form, file);
    } else if (typeof value === "object" && value !== null && objects === "fields") {
      for (const [key, member] of Object.entries(value)) appendText(form, `${name}[${key}]`, member);
    } else {
      appendText(form, name, value);
    }
  }
  // The platform encodes it: a form of undici works only with the same copy of undici, and a dispatcher may come from
  // another copy.
  const { body: content, headers } = new Response(form);
  return {
    content: content as unknown as AsyncIterable<Uint8Array>,
    contentType: headers.get("content-type") ?? "multipart/form-data",
  };
}

function appendText(form: FormData, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  form.append(name, typeof value === "string" ? value : JSON.stringify(value));
}

function append(form: FormData, file: CatalogFile): void {
  const type = toMimeType(file);
  // `slice` gives the same content under another type, and copies nothing.
  const { content } = file;
  form.append("files", content.type === type ? content : content.slice(0, content.size, type), file.name);
}
