import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import { MOST_FILE_BYTES } from "../../../src/buyer-check/evidence.ts";
import {
  ASKING_FOR_EVIDENCE,
  checkOf,
  deliver,
  keyOf,
  openBuyerShopForEach,
  post,
  savePolicy,
  shop,
  until,
} from "../../support/buyer-shop.ts";
import {
  END,
  FILE_HEADERS,
  fileOf,
  finishUpload,
  holdForEvidence,
  JPEG,
  MULTIPART,
  NOTE_PART,
  openUpload,
  part,
  sendRaw,
  sentOf,
  upload,
} from "../../support/buyer-uploads.ts";

openBuyerShopForEach();

const field = (name: string, type = "") => `Content-Disposition: form-data; name="${name}"${type}`;
const join = (...parts: readonly Buffer[]) => new Blob([new Uint8Array(Buffer.concat(parts))]);
const file = (content: Buffer) => part(FILE_HEADERS, content);

describe("what a buyer sends for a person", () => {
  it("is kept with the order, which then waits for a person", async () => {
    const link = await holdForEvidence();
    const page = await (await fetch(link)).text();
    expect(page).toContain('enctype="multipart/form-data"');
    expect(page).not.toMatch(/<script|earlier order/);

    const response = await upload(link, { note: "  It was me.\r\nCall me. ", file: JPEG });

    expect(response.status).toBe(200);
    const { file: kept, note } = (await sentOf())[0] ?? {};
    expect({ note, kept }).toEqual({
      note: "It was me.\nCall me.",
      kept: { type: "image/jpeg", size: JPEG.length },
    });
    expect(await fileOf()).toEqual({ type: "image/jpeg", bytes: JPEG });
    expect((await checkOf("1"))?.answer).toMatchObject({ answer: "for-person", method: "evidence" });
    expect(await until("1", () => true)).toMatchObject({ state: "review", decision: { action: "hold" } });
    expect((await upload(link, { note: "again" })).status).toBe(404);
    expect(await sentOf()).toHaveLength(1);
  });

  it("can be a note alone, a file alone, or that the order isn't theirs, but not nothing", async () => {
    const link = await holdForEvidence();
    const nothing = await upload(link, { note: " \n" });
    expect([nothing.status, await nothing.text()]).toEqual([
      422,
      expect.stringContaining("Write a note, or add a file."),
    ]);
    expect(await sentOf()).toEqual([]);
    expect((await upload(link, { note: "It was me" })).status).toBe(200);
    expect((await upload(await holdForEvidence("2"), { file: JPEG })).status).toBe(200);
    expect(
      (await upload(await holdForEvidence("3"), { answer: "no", note: "Stolen card", file: JPEG })).status,
    ).toBe(200);

    expect(await sentOf()).toMatchObject([{ note: "It was me", file: null }]);
    expect(await sentOf("2")).toMatchObject([{ note: null, file: { type: "image/jpeg" } }]);
    expect(await sentOf("3")).toMatchObject([{ note: "Stolen card", file: { type: "image/jpeg" } }]);
    expect((await checkOf("3"))?.answer?.answer).toBe("wrong");
  });

  it("counts as no in any case, and says if the file couldn't be kept", async () => {
    const text = Buffer.from("a text");
    const large = Buffer.concat([JPEG, Buffer.alloc(MOST_FILE_BYTES)]);
    for (const [orderId, bytes, isKept] of [
      ["1", JPEG, true],
      ["2", text, false],
      ["3", large, false],
    ] as const) {
      const link = await holdForEvidence(orderId);
      const response = await upload(link, { answer: "no", file: bytes });

      expect(response.status).toBe(200);
      expect((await response.text()).includes("couldn’t keep the file")).toBe(!isKept);
      expect((await checkOf(orderId))?.answer?.answer).toBe("wrong");
      expect(await sentOf(orderId)).toHaveLength(isKept ? 1 : 0);
    }
  });

  it.each([
    ["HTML named .jpg", "<!doctype html><script>alert(1)</script>", "photo.jpg"],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "photo.png"],
    ["HTML in front of a picture", `<script>alert(1)</script>${JPEG.toString("latin1")}`, "a.jpg"],
    ["an archive", gzipSync(Buffer.alloc(1_000_000)).toString("latin1"), "bomb.pdf"],
  ])("can't be %s, whatever it's called, and the note isn't lost", async (_what, content, name) => {
    const link = await holdForEvidence();
    const response = await upload(link, { note: "<b>It was me", file: Buffer.from(content, "latin1"), name });

    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text).toContain("This kind of file can’t be sent.");
    expect(text).toContain(">&#60;b&#62;It was me</textarea>");
    expect(await sentOf()).toEqual([]);
    expect(await checkOf("1")).toMatchObject({ answer: null, tries: 1 });
  });

  it("can't be larger than the limit, and the note isn't lost", async () => {
    const link = await holdForEvidence();
    const large = await upload(link, {
      note: "It was me",
      file: Buffer.concat([JPEG, Buffer.alloc(MOST_FILE_BYTES)]),
    });

    expect(large.status).toBe(422);
    expect(await large.text()).toMatch(/The file is too large[^]*>It was me<\/textarea>/);
    expect(await sentOf()).toEqual([]);
    const full = Buffer.concat([JPEG, Buffer.alloc(MOST_FILE_BYTES - JPEG.length)]);
    expect((await upload(link, { note: "It was me", file: full })).status).toBe(200);
    expect((await fileOf())?.bytes.equals(full)).toBe(true);
  });

  it.each([
    [
      "ten thousand parts",
      () => join(...Array<Buffer>(10_000).fill(part(field("x"), "1")), NOTE_PART, END),
      MULTIPART,
    ],
    ["two files", () => join(NOTE_PART, file(JPEG), file(JPEG), END), MULTIPART],
    ["no boundary", () => join(NOTE_PART, END), { "content-type": "multipart/form-data" }],
    [
      "another boundary",
      () => join(NOTE_PART, END),
      { "content-type": "multipart/form-data; boundary=other" },
    ],
    ["no end", () => join(NOTE_PART, file(JPEG)), MULTIPART],
    [
      "a header without end",
      () => join(Buffer.from("--xYz\r\nContent-Disposition: "), Buffer.alloc(1e6, "a")),
      MULTIPART,
    ],
    ["nothing", () => join(), MULTIPART],
    [
      "a compressed body",
      () => join(gzipSync(Buffer.concat([NOTE_PART, END]))),
      { ...MULTIPART, "content-encoding": "gzip" },
    ],
    ["JSON", () => join(Buffer.from('{"note":"x"}')), { "content-type": "application/json" }],
    [
      "a form without files",
      () => join(Buffer.from("note=x")),
      { "content-type": "application/x-www-form-urlencoded" },
    ],
  ])("can't be a body with %s", async (_what, body, headers) => {
    const link = await holdForEvidence();

    expect((await sendRaw(link, body(), headers)).status).toBe(422);
    expect(await sentOf()).toEqual([]);
    expect(await checkOf("1")).toMatchObject({ answer: null, tries: 1 });
    // The next attempt isn't affected.
    expect((await upload(link, { note: "It was me", file: JPEG })).status).toBe(200);
  });

  it("is read without its names, its types and its hidden characters", async () => {
    const link = await holdForEvidence();
    const utf16 = "\r\nContent-Type: text/plain; charset=utf-16le";
    const broken = Buffer.from("a\0b\u0007c\ud800d\r\ne\u2028f", "utf16le");
    const body = join(
      part(field("__proto__"), "x"),
      part(field("note") + utf16, broken),
      part(
        'Content-Disposition: form-data; name="file"; filename="../../etc/passwd\0.html"\r\nContent-Type: text/html',
        JPEG,
      ),
      part(field("note"), "a second note"),
      END,
    );

    expect((await sendRaw(link, body, MULTIPART)).status).toBe(200);
    const [sent] = await sentOf();
    expect(sent?.note).toBe("abc\ufffdd\ne\nf");
    expect(JSON.stringify(sent)).not.toMatch(/passwd|html/);
    expect((await fileOf())?.type).toBe("image/jpeg");
  });

  it("costs no try if it's cut off, and leaves nothing behind", async () => {
    const link = await holdForEvidence();
    for (let round = 0; round < 6; round += 1) {
      const socket = await openUpload(link, "203.0.113.5");
      socket.destroy();
    }
    await vi.waitFor(async () => expect((await upload(link, { note: "It was me" })).status).toBe(200));

    expect(await checkOf("1")).toMatchObject({ tries: 0 });
    expect(await sentOf()).toMatchObject([{ note: "It was me", file: null }]);
  });

  it("costs no try and keeps the note if the shop has no place for it, and other buyers get theirs", async () => {
    const links = [];
    for (const order of ["1", "2", "3", "4", "5"]) links.push(await holdForEvidence(order));
    const honest = await holdForEvidence("6");
    const sockets = [];
    for (const link of links) sockets.push(await openUpload(link, "203.0.113.5"));

    expect((await upload(honest, { file: JPEG }, { "x-forwarded-for": "203.0.113.6" })).status).toBe(200);
    const pages = await Promise.all(sockets.map(finishUpload));

    const refused = pages.filter((page) => page.startsWith("HTTP/1.1 422"));
    expect(refused.length).toBeGreaterThanOrEqual(1);
    for (const page of refused) expect(page).toMatch(/receiving other files[^]*>Hello from me<\/textarea>/);
    for (const order of ["1", "2", "3", "4", "5"]) expect((await checkOf(order))?.tries).toBe(0);
  });

  it("counts as a no even if the shop has no place for the file", async () => {
    const links = [];
    for (const order of ["1", "2", "3", "4", "5"]) links.push(await holdForEvidence(order));
    const honest = await holdForEvidence("6");
    const no = part(field("answer"), "no");
    const sockets = [];
    for (const link of links) sockets.push(await openUpload(link, "203.0.113.5", no));
    // It takes the place of one of them.
    expect((await upload(honest, { file: JPEG }, { "x-forwarded-for": "203.0.113.6" })).status).toBe(200);

    const pages = await Promise.all(sockets.map(finishUpload));

    expect(pages.map((page) => page.slice(0, 12))).toEqual(Array(5).fill("HTTP/1.1 200"));
    for (const order of ["1", "2", "3", "4", "5"])
      expect((await checkOf(order))?.answer).toMatchObject({ answer: "wrong" });
  });

  it("costs no try and keeps the note if it can't be stored", async () => {
    const link = await holdForEvidence();
    const down = new HoldfastError("STORE_UNAVAILABLE", "down", { retryable: true });
    vi.spyOn(shop.store.buyerChecks, "answer").mockRejectedValueOnce(down);
    const response = await upload(link, { note: "It was me", file: JPEG });

    expect([response.status, await response.text()]).toEqual([
      503,
      expect.stringContaining(">It was me</textarea>"),
    ]);
    expect(await checkOf("1")).toMatchObject({ answer: null, tries: 0 });
    expect((await upload(link, { note: "It was me", file: JPEG })).status).toBe(200);
  });

  it("slows down whose uploads fail, per client address", async () => {
    const link = await holdForEvidence();
    const from = (ip: string) => ({ "x-forwarded-for": ip });
    vi.spyOn(shop.store.buyerEvidence, "countBytes").mockResolvedValue(Number.MAX_SAFE_INTEGER);
    const statuses = [];
    for (let round = 0; round <= 30; round += 1)
      statuses.push((await upload(link, { file: JPEG }, from("203.0.113.7"))).status);

    expect(statuses).toEqual([...Array<number>(30).fill(422), 429]);
    expect(await checkOf("1")).toMatchObject({ answer: null, tries: 0 });
    expect((await upload(link, { note: "It was me" }, from("203.0.113.8"))).status).toBe(200);
  });

  it("isn't asked for if the shop has no room for more files", async () => {
    vi.spyOn(shop.store.buyerEvidence, "countBytes").mockResolvedValue(Number.MAX_SAFE_INTEGER);
    await savePolicy(ASKING_FOR_EVIDENCE);
    shop.level = "high";
    await deliver("1");
    await until("1", ({ state }) => state === "review");

    await vi.waitFor(async () => expect((await checkOf("1"))?.methods.evidence).toBe("storage-full"));
    expect(shop.mails).toEqual([]);
  });

  it("isn't taken in the form of another way to answer", async () => {
    const link = await holdForEvidence();
    expect((await post(link, { answer: "yes" })).status).toBe(404);
    expect((await shop.store.orders.get(keyOf("1")))?.state).toBe("review");
  });
});
