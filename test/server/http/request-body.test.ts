import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createBodyMemory,
  type BodyMemory,
  readBody,
  type BodyOutcome,
} from "../../../src/server/http/request-body.ts";
import { connectRaw } from "./raw-client.ts";
import { until } from "../../support/until.ts";

/** A server that reads every body with `read` and responds with how that ended. */
async function serve(read: (req: IncomingMessage) => Promise<BodyOutcome>) {
  const outcomes: string[] = [];
  const server = createServer((req, res) => {
    void read(req).then((result) => {
      outcomes.push(result.outcome);
      res.end(result.outcome === "complete" ? result.body : result.outcome);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, outcomes, url: `http://127.0.0.1:${port}/` };
}

const KB = 1024;

/** Space for 10 KB, including the overhead of each piece. */
function createMemory(now: () => number = () => 0): BodyMemory {
  const part = { ordinaryBytes: 10 * KB, ordinaryTotalBytes: 10 * KB, largeTotalBytes: 10 * KB };
  return createBodyMemory({ ...part, patienceMs: 1_000, now });
}

function hasRoom(memory: BodyMemory, bytes: number): boolean {
  const share = memory.open(0, () => {});
  const fits = share.take(bytes);
  share.release();
  return fits;
}

const limits = { maxBytes: 10 * KB, timeoutMs: 60_000 };
const post = async (url: string, body: string) => (await fetch(url, { method: "POST", body })).text();
const headOf = (bytes: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`;

describe("readBody", () => {
  it("releases the shared memory of an aborted body", async () => {
    const memory = createMemory();
    const { port, outcomes } = await serve((req) => readBody(req, { ...limits, memory }));
    const client = await connectRaw(port);
    client.write(`${headOf(9 * KB)}${"x".repeat(8 * KB)}`);
    await until(() => expect(hasRoom(memory, 8 * KB)).toBe(false));

    client.abort();

    await until(() => expect(outcomes).toEqual(["aborted"]));
    expect(hasRoom(memory, 9 * KB)).toBe(true);
  });

  it("holds a complete body's memory until the caller releases it", async () => {
    const releases: (() => void)[] = [];
    const memory = createMemory();
    const { url } = await serve(async (req) => {
      const read = await readBody(req, { ...limits, memory });
      if (read.outcome === "complete") releases.push(read.release);
      return read;
    });

    expect(await post(url, "x".repeat(6 * KB))).toHaveLength(6 * KB);
    expect(await post(url, "x".repeat(5 * KB))).toBe("overloaded");
    releases[0]?.();
    expect(await post(url, "x".repeat(5 * KB))).toHaveLength(5 * KB);
  });

  it("releases the memory of a body that became too large", async () => {
    const memory = createMemory();
    const { port } = await serve((req) => readBody(req, { ...limits, maxBytes: 8, memory }));
    const client = await connectRaw(port);

    client.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n");
    client.write("5\r\nfghij\r\n0\r\n\r\n");

    expect(await client.until("too-large")).toContain("200 OK");
    expect(hasRoom(memory, 9 * KB)).toBe(true);
  });

  it("ends a slow body when others need its memory", async () => {
    let nowMs = 0;
    const memory = createMemory(() => nowMs);
    const { port, url, outcomes } = await serve((req) => readBody(req, { ...limits, memory }));
    const slow = await connectRaw(port);
    slow.write(`${headOf(9 * KB)}${"x".repeat(8 * KB)}`);
    await until(() => expect(hasRoom(memory, 8 * KB)).toBe(false));

    nowMs += 1_000;

    expect(await post(url, "x".repeat(5 * KB))).toHaveLength(5 * KB);
    expect(await slow.until("timed-out")).toContain("200 OK");
    expect(outcomes.toSorted()).toEqual(["complete", "timed-out"]);
  });

  it("doesn't let a body in many small pieces use more memory than its share", async () => {
    const memory = createMemory();
    const { port } = await serve((req) => readBody(req, { ...limits, memory }));
    const client = await connectRaw(port);

    // A hundred bytes of a body, and fifty times as much memory.
    client.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.write(`${"1\r\na\r\n".repeat(100)}0\r\n\r\n`);

    expect(await client.until("overloaded")).toContain("200 OK");
  });

  it("notices that the sender disconnected before reading began", async () => {
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    const { port, outcomes } = await serve(async (req) => {
      req.once("close", leave);
      await gone;
      return readBody(req, { maxBytes: 10, timeoutMs: 60_000 });
    });
    const client = await connectRaw(port);
    client.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");

    client.abort();

    await until(() => expect(outcomes).toEqual(["aborted"]));
  });
});
