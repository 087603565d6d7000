import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createByteBudget,
  readBody,
  type BodyOutcome,
  type ByteBudget,
} from "../../src/console/request-body.ts";
import { connectRaw } from "./raw-client.ts";

/** A server that reads every body with `read` and answers with how that ended. */
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

function hasLeft(budget: ByteBudget, bytes: number): boolean {
  if (!budget.take(bytes)) return false;
  budget.give(bytes);
  return true;
}

const post = async (url: string, body: string) => (await fetch(url, { method: "POST", body })).text();

describe("readBody", () => {
  it("gives back what an aborted body took from the shared budget", async () => {
    const budget = createByteBudget(10);
    const { port, url, outcomes } = await serve((req) =>
      readBody(req, { maxBytes: 10, timeoutMs: 5_000, budget }),
    );
    const client = await connectRaw(port);
    client.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n12345678");
    await expect.poll(() => hasLeft(budget, 10)).toBe(false);

    client.abort();

    await expect.poll(() => outcomes).toEqual(["aborted"]);
    expect(await post(url, "0123456789")).toBe("0123456789");
  });

  it("keeps the bytes of a complete body taken until the caller gives them back", async () => {
    const budget = createByteBudget(10);
    const { url } = await serve((req) => readBody(req, { maxBytes: 10, timeoutMs: 5_000, budget }));

    expect(await post(url, "123456")).toBe("123456");
    expect(await post(url, "12345")).toBe("overloaded");
    budget.give(6);
    expect(await post(url, "12345")).toBe("12345");
  });

  it("gives back what a body that became too large had taken", async () => {
    const budget = createByteBudget(10);
    const { port } = await serve((req) => readBody(req, { maxBytes: 8, timeoutMs: 5_000, budget }));
    const client = await connectRaw(port);

    client.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n");
    client.write("5\r\nfghij\r\n0\r\n\r\n");

    expect(await client.until("too-large")).toContain("200 OK");
    expect(hasLeft(budget, 10)).toBe(true);
  });

  it("notices that the sender left before reading began", async () => {
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    const { port, outcomes } = await serve(async (req) => {
      req.once("close", leave);
      await gone;
      return readBody(req, { maxBytes: 10, timeoutMs: 60_000 });
    });
    const client = await connectRaw(port);
    client.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");

    client.abort();

    await expect.poll(() => outcomes).toEqual(["aborted"]);
  });
});
