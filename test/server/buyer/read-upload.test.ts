import type { IncomingMessage } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readUpload } from "../../../src/server/buyer/read-upload.ts";
import { createUploadSlots, SLOTS_PER_TENANT } from "../../../src/server/buyer/upload-slots.ts";
import { END, FILE_HEADERS, JPEG, MULTIPART, NOTE_PART, part } from "../../support/buyer-uploads.ts";

const slots = createUploadSlots({ now: () => 0 });
const sender = { tenant: "test:shop", checkId: "1", address: undefined };
const FILE_BYTES = 1_000;
const BEGIN = Buffer.concat([NOTE_PART, Buffer.from(`--xYz\r\n${FILE_HEADERS}\r\n\r\n`)]);

const read = (body: Readable, headers: Record<string, string> = MULTIPART) =>
  readUpload(Object.assign(body, { headers }) as unknown as IncomingMessage, {
    fileBytes: FILE_BYTES,
    slots,
    sender,
  });
/** Whether every place is free. */
function areFree(): boolean {
  const taken = Array.from({ length: SLOTS_PER_TENANT }, (_, one) =>
    slots.take({ ...sender, checkId: `free-${one}` }, () => {}),
  );
  for (const slot of taken) slot?.release();
  return taken.every((slot) => slot !== undefined);
}

describe("reading a form with a file", () => {
  afterEach(() => {
    expect(areFree()).toBe(true);
    vi.useRealTimers();
  });

  it("gives the file and the fields, however they're cut into pieces", async () => {
    const bytes = Buffer.concat([BEGIN, JPEG, Buffer.from("\r\n"), END, Buffer.from("an epilogue")]);
    for (const size of [1, 2, 7, 64, bytes.length]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const submitted = await read(Readable.from(pieces));
      if (submitted.outcome !== "read") throw new Error(submitted.outcome);
      expect(submitted.body.file).toEqual({ bytes: JPEG, isCut: false });
      expect([...submitted.body.fields]).toEqual([["note", "Hello from me"]]);
      submitted.release();
    }
  });

  it("takes no place for a form without a file, which is read although all places are taken", async () => {
    const taken = Array.from({ length: SLOTS_PER_TENANT }, (_, one) =>
      slots.take({ ...sender, checkId: `busy-${one}` }, () => expect.unreachable("nobody has to give way")),
    );
    const noFile = part(
      'Content-Disposition: form-data; name="file"; filename=""\r\nContent-Type: image/jpeg',
    );
    for (const parts of [
      [NOTE_PART, END],
      [NOTE_PART, noFile, END],
    ]) {
      const submitted = await read(Readable.from(parts));
      expect(submitted).toMatchObject({ outcome: "read", body: { file: undefined } });
      if (submitted.outcome === "read") submitted.release();
    }
    expect(await read(Readable.from([BEGIN, JPEG, Buffer.from("\r\n"), END]))).toMatchObject({
      outcome: "refused",
      problem: "upload-busy",
    });
    for (const slot of taken) slot?.release();
  });

  it("gives only the beginning of a file that is too large", async () => {
    const submitted = await read(
      Readable.from([NOTE_PART, part(FILE_HEADERS, Buffer.alloc(FILE_BYTES + 1, 7)), END]),
    );
    if (submitted.outcome !== "read") throw new Error(submitted.outcome);
    expect(submitted.body.file).toMatchObject({ isCut: true });
    expect(submitted.body.file?.bytes).toHaveLength(FILE_BYTES);
    submitted.release();
  });

  it("stops at a file without end, and keeps the note", async () => {
    let pieces = 0;
    const endless = Readable.from(
      (async function* make() {
        yield BEGIN;
        for (; pieces < 1_000; pieces += 1) yield Buffer.alloc(1_048_576);
      })(),
    );

    expect(await read(endless)).toMatchObject({
      outcome: "refused",
      problem: "file-too-large",
      fields: new Map([["note", "Hello from me"]]),
    });
    expect(pieces).toBeLessThan(100);
    endless.destroy();
  });

  it("doesn't begin with a body that announces too much", async () => {
    const body = Readable.from([BEGIN]);
    const announced = { ...MULTIPART, "content-length": String(1e9) };
    expect(await read(body, announced)).toMatchObject({ outcome: "refused", problem: "file-too-large" });
    expect(body.readableDidRead).toBe(false);
  });

  it("gives up on a sender that is too slow, and keeps the note", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const body = new PassThrough();
    const reading = read(body);
    body.write(BEGIN);
    await vi.waitFor(() => expect(body.readableFlowing && body.readableLength === 0).toBe(true));
    vi.advanceTimersByTime(60_000);

    expect(await reading).toMatchObject({
      outcome: "refused",
      problem: "upload-slow",
      isFree: true,
      fields: new Map([["note", "Hello from me"]]),
    });
  });

  it("ends with a connection that ends too early", async () => {
    const body = new PassThrough();
    const reading = read(body);
    body.write(BEGIN);
    await vi.waitFor(() => expect(body.readableFlowing && body.readableLength === 0).toBe(true));
    body.destroy();

    expect(await reading).toEqual({ outcome: "gone" });
  });
});
