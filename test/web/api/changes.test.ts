import { expect, it } from "vitest";
import { readEvents } from "../../../web/data/api/changes.ts";

const toStream = (parts: readonly string[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(stream) {
      for (const part of parts) stream.enqueue(new TextEncoder().encode(part));
      stream.close();
    },
  });

it.each([
  [["event: open\ndata: {}\n\nevent: orders\ndata: {}\n\n"]],
  [["event: op", "en\nda", "ta: {}\n", "\nevent: orders\ndata: {}\n\n:\n\n"]],
  [[":\n\nevent: open\ndata: {}\n\n", "event: orders\ndata: {}\n\nevent: cut"]],
])("reads events however they are cut: %j", async (parts) => {
  const seen: string[] = [];
  await readEvents(toStream(parts), (name) => seen.push(name));
  expect(seen).toEqual(["open", "orders"]);
});
