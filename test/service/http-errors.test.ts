import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { getEventListeners, once } from "node:events";
import type { LookupFunction, Socket } from "node:net";
import { Agent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_RESPONSE_BYTES } from "../../src/service/send-once.ts";
import { clientOf, findClosedPort, sendJson, startServer, startTcp, TEST_CERTIFICATE } from "./loopback.ts";
import { failureOf, REQUEST, RESULT, SUCCESS } from "./samples.ts";

const BODY = JSON.stringify(SUCCESS);
const HEAD = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n`;

/** A dispatcher that trusts the loopback certificate and resolves names by `lookup`. */
function agentResolving(lookup: LookupFunction): Agent {
  const made = new Agent({ connect: { ca: TEST_CERTIFICATE, lookup } });
  onTestFinished(() => made.destroy());
  return made;
}

/** A promise and the function that settles it. */
function signalOnce(): { readonly reached: Promise<void>; readonly reach: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reached: promise, reach: resolve };
}

describe("a call that was certainly not sent", () => {
  const unsent = { code: "VERIFICATION_UNREACHABLE", retryable: true, metered: "no" };
  const misconfigured = { code: "CONFIG_INVALID", retryable: false, metered: "no" };

  it("is unreachable when the connection is refused", async () => {
    const error = await failureOf(clientOf(`http://127.0.0.1:${await findClosedPort()}`).verify(REQUEST));

    expect(error).toMatchObject(unsent);
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.cause).toMatchObject({ code: "ECONNREFUSED" });
  });

  it("is unreachable when both families of localhost refuse", async () => {
    const error = await failureOf(clientOf(`http://localhost:${await findClosedPort()}`).verify(REQUEST));

    expect(error).toMatchObject(unsent);
    expect(error.message).toContain("ECONNREFUSED");
  });

  it("is a fault of the set-up when the name doesn't resolve", async () => {
    const notFound = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    const dispatcher = agentResolving((_name, _options, callback) => callback(notFound, "", 4));

    const error = await failureOf(clientOf("https://verify.example", { dispatcher }).verify(REQUEST));

    expect(error).toMatchObject(misconfigured);
    expect(error.message).toContain("ENOTFOUND");
  });

  it("is a fault of the set-up when the certificate isn't trusted", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS), "https");

    const error = await failureOf(clientOf(server.url).verify(REQUEST));

    expect(error).toMatchObject(misconfigured);
    expect(error.message).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(server.seen).toEqual([]);
  });

  it("is a fault of the set-up when the certificate belongs to another name", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS), "https");
    const dispatcher = agentResolving((_name, _options, callback) =>
      callback(null, [{ address: "127.0.0.1", family: 4 }]),
    );

    const error = await failureOf(
      clientOf(`https://verify.example:${server.port}`, { dispatcher }).verify(REQUEST),
    );

    expect(error).toMatchObject(misconfigured);
    expect(error.message).toContain("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(server.seen).toEqual([]);
  });

  it("is unreachable when the connection breaks during the TLS handshake", async () => {
    const { port } = await startTcp((socket) => socket.once("data", () => socket.destroy()));

    expect(await failureOf(clientOf(`https://127.0.0.1:${port}`).verify(REQUEST))).toMatchObject(unsent);
  });

  it("is unreachable when the time is up during the connection, and isn't sent afterwards", async () => {
    const { port } = await startTcp(() => {});
    const startedAtMs = performance.now();

    const error = await failureOf(clientOf(`https://127.0.0.1:${port}`, { timeoutMs: 200 }).verify(REQUEST));

    expect(error).toMatchObject(unsent);
    expect(error.message).toMatch(/no connection within \d+ ms/);
    expect(performance.now() - startedAtMs).toBeGreaterThan(190);
  });

  it("isn't sent late either: its turn on a busy connection passes, and the connection stays in use", async () => {
    const { reached, reach } = signalOnce();
    let release = () => {};
    const server = await startServer((response, _seen, count) => {
      release = () => sendJson(response, 200, SUCCESS);
      if (count === 1) reach();
      else release();
    });
    const dispatcher = new Agent({ connections: 1 });
    onTestFinished(() => dispatcher.destroy());
    const first = clientOf(server.url, { dispatcher }).verify(REQUEST);
    await reached;

    const timedOut = await failureOf(clientOf(server.url, { dispatcher, timeoutMs: 50 }).verify(REQUEST));
    const caller = new AbortController();
    const aborted = failureOf(
      clientOf(server.url, { dispatcher }).verify(REQUEST, { signal: caller.signal }),
    );
    caller.abort();
    expect(timedOut).toMatchObject(unsent);
    expect(await aborted).toMatchObject({ code: "VERIFICATION_ABORTED", retryable: true, metered: "no" });
    release();
    await first;
    await clientOf(server.url, { dispatcher }).verify(REQUEST);

    expect(server.seen).toHaveLength(2);
    expect(server.connections()).toBe(1);
  });

  it("is a fault of the set-up when the dispatcher is closed", async () => {
    const dispatcher = new Agent();
    await dispatcher.close();

    expect(await failureOf(clientOf("http://127.0.0.1:9", { dispatcher }).verify(REQUEST))).toMatchObject(
      misconfigured,
    );
  });
});

describe("a call that may have been billed", () => {
  const timedOut = { code: "VERIFICATION_TIMEOUT", retryable: true, metered: "unknown" };
  const interrupted = { code: "VERIFICATION_INTERRUPTED", retryable: true, metered: "unknown" };

  it.each<[title: string, send: (socket: Socket) => void]>([
    ["no answer", () => {}],
    ["early hints alone", (socket) => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n")],
    ["half a header", (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-ty")],
    ["a header and no body", (socket) => socket.write(`${HEAD}content-length: ${BODY.length}\r\n\r\n`)],
    [
      "a body that never ends",
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        const timer = setInterval(() => socket.write("1\r\n \r\n"), 20);
        socket.on("close", () => clearInterval(timer));
      },
    ],
  ])("times out within its one limit on %s", async (_title, send) => {
    const { url } = await startTcp((socket) => socket.once("data", () => send(socket)));
    const startedAtMs = performance.now();

    const error = await failureOf(clientOf(url, { timeoutMs: 750 }).verify(REQUEST));

    expect(error).toMatchObject(timedOut);
    // What is left of the limit once the request can be sent.
    expect(Number(/within (\d+) ms$/.exec(error.message)?.[1])).toBeLessThanOrEqual(750);
    expect(performance.now() - startedAtMs).toBeGreaterThan(740);
  });

  it("still counts as answered if the answer came in time and this process was too busy to read it", async () => {
    const { url } = await startTcp((socket) =>
      socket.once("data", () => {
        socket.write(`${HEAD}content-length: ${BODY.length}\r\n\r\n${BODY}`);
        const busyUntilMs = performance.now() + 1_200;
        while (performance.now() < busyUntilMs);
      }),
    );

    expect((await clientOf(url, { timeoutMs: 1_000 }).verify(REQUEST)).result).toEqual(RESULT);
  });

  it.each<[title: string, answer: string]>([
    ["closed without an answer", ""],
    ["closed within the header", "HTTP/1.1 200 OK\r\ncontent-ty"],
    ["cut off within the body", `${HEAD}content-length: ${BODY.length}\r\n\r\n${BODY.slice(0, 40)}`],
    ["cut off within a chunk", `${HEAD}transfer-encoding: chunked\r\n\r\nff\r\n${BODY.slice(0, 40)}`],
    ["not HTTP", "hello there\r\n\r\n"],
  ])("is interrupted when the connection is %s", async (_title, answer) => {
    for (const end of ["end", "resetAndDestroy"] as const) {
      const { url } = await startTcp((socket) =>
        socket.once("data", () =>
          socket.write(answer, () => (end === "end" ? socket.end() : socket.resetAndDestroy())),
        ),
      );

      expect(await failureOf(clientOf(url).verify(REQUEST))).toMatchObject(interrupted);
    }
  });

  it("is malformed, not interrupted, if the answer ends with its connection and isn't JSON", async () => {
    const { url } = await startTcp((socket) =>
      socket.once("data", () => socket.end(`${HEAD}connection: close\r\n\r\n${BODY.slice(0, 40)}`)),
    );

    expect(await failureOf(clientOf(url).verify(REQUEST))).toMatchObject({
      code: "VERIFICATION_MALFORMED",
      metered: "yes",
    });
  });

  it("is interrupted, and not sent again, if the server closes a kept connection on the second request", async () => {
    let requests = 0;
    let connections = 0;
    const { url } = await startTcp((socket, count) => {
      connections = count;
      socket.on("data", (data) => {
        if (!data.includes("POST ")) return;
        requests += 1;
        if (requests === 2) socket.resetAndDestroy();
        else socket.write(`${HEAD}content-length: ${BODY.length}\r\n\r\n${BODY}`);
      });
    });
    const client = clientOf(url, { connections: 1 });
    await client.verify(REQUEST);

    const error = await failureOf(client.verify(REQUEST));

    expect(error).toMatchObject(interrupted);
    expect([requests, connections]).toEqual([2, 1]);
    expect((await client.verify(REQUEST)).result).toEqual(RESULT);
  });

  it("uses a new connection if the kept one was closed while idle", async () => {
    const sockets: Socket[] = [];
    const { url } = await startTcp((socket) => {
      sockets.push(socket);
      socket.on("data", () => socket.write(`${HEAD}content-length: ${BODY.length}\r\n\r\n${BODY}`));
    });
    const client = clientOf(url, { connections: 1 });
    await client.verify(REQUEST);
    sockets[0]?.end();
    await once(sockets[0] as Socket, "close");

    expect((await client.verify(REQUEST)).result).toEqual(RESULT);
    expect(sockets).toHaveLength(2);
  });

  it("isn't sent again when many wait behind a connection that breaks", async () => {
    let requests = 0;
    const { url } = await startTcp((socket) =>
      socket.on("data", (data) => {
        requests += data.toString().split("POST ").length - 1;
        socket.resetAndDestroy();
      }),
    );
    const client = clientOf(url, { connections: 2 });

    const errors = await Promise.all(Array.from({ length: 20 }, () => failureOf(client.verify(REQUEST))));

    expect(errors.map((error) => error.code)).toEqual(
      Array.from({ length: 20 }, () => "VERIFICATION_INTERRUPTED"),
    );
    expect(requests).toBe(20);
  });

  it("ignores early hints", async () => {
    const { url } = await startTcp((socket) =>
      socket.once("data", () =>
        socket.write(`HTTP/1.1 103 Early Hints\r\n\r\n${HEAD}content-length: ${BODY.length}\r\n\r\n${BODY}`),
      ),
    );

    expect((await clientOf(url).verify(REQUEST)).result).toEqual(RESULT);
  });
});

describe("a response that is too long", () => {
  it("is read up to its limit and no further", async () => {
    const { reached, reach } = signalOnce();
    let written = 0;
    const { url } = await startTcp((socket) => {
      socket.once("close", reach);
      socket.once("data", () => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        const more = () => {
          let room = true;
          while (room && !socket.destroyed && written < 64 * MAX_RESPONSE_BYTES) {
            written += 65_536;
            room = socket.write(`10000\r\n${" ".repeat(65_536)}\r\n`);
          }
        };
        socket.on("drain", more);
        more();
      });
    });

    const error = await failureOf(clientOf(url).verify(REQUEST));
    await reached;

    expect(error).toMatchObject({ code: "VERIFICATION_MALFORMED", retryable: true, metered: "yes" });
    expect(written).toBeLessThan(32 * MAX_RESPONSE_BYTES);
  });

  it("is an answer if it has exactly the maximum length", async () => {
    const padded = BODY.padEnd(MAX_RESPONSE_BYTES, " ");
    const server = await startServer((response, _seen, count) =>
      response.end(count === 1 ? padded : `${padded} `),
    );
    const client = clientOf(server.url);

    expect((await client.verify(REQUEST)).result).toEqual(RESULT);
    expect((await failureOf(client.verify(REQUEST))).code).toBe("VERIFICATION_MALFORMED");
  });
});

describe("a caller that gives up", () => {
  it("costs nothing before the start: nothing is sent", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));

    const error = await failureOf(clientOf(server.url).verify(REQUEST, { signal: AbortSignal.abort() }));

    expect(error).toMatchObject({ code: "VERIFICATION_ABORTED", retryable: true, metered: "no" });
    expect(server.connections()).toBe(0);
  });

  it("is answered immediately while connecting, at no cost", async () => {
    const caller = new AbortController();
    const { port } = await startTcp(() => caller.abort(new Error("enough")));

    const error = await failureOf(
      clientOf(`https://127.0.0.1:${port}`).verify(REQUEST, { signal: caller.signal }),
    );

    expect(error).toMatchObject({ code: "VERIFICATION_ABORTED", retryable: true, metered: "no" });
  });

  it("may have been billed while waiting for the answer, and the connection is dropped", async () => {
    const caller = new AbortController();
    const { reached, reach } = signalOnce();
    const { url } = await startTcp((socket) => {
      socket.once("close", reach);
      socket.once("data", () => caller.abort());
    });

    const error = await failureOf(clientOf(url).verify(REQUEST, { signal: caller.signal }));
    await reached;

    expect(error).toMatchObject({ code: "VERIFICATION_ABORTED", retryable: true, metered: "unknown" });
  });

  it.each(["200 OK", "401 Unauthorized"])("may have been billed while reading a %s", async (status) => {
    const caller = new AbortController();
    const { reached, reach } = signalOnce();
    const { url } = await startTcp((socket) => {
      socket.once("close", reach);
      socket.once("data", () => socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 40\r\n\r\n{`));
    });
    // undici announces a response's head before its reader gets it, so the test goes one step back.
    const onHead = () => setImmediate(() => caller.abort());
    subscribe("undici:request:headers", onHead);
    onTestFinished(() => void unsubscribe("undici:request:headers", onHead));

    const error = await failureOf(clientOf(url).verify(REQUEST, { signal: caller.signal }));
    await reached;

    expect(error).toMatchObject({ code: "VERIFICATION_ABORTED", retryable: true, metered: "unknown" });
  });

  it("changes nothing after the answer", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));
    const caller = new AbortController();
    const client = clientOf(server.url);

    const { result } = await client.verify(REQUEST, { signal: caller.signal });
    caller.abort();

    expect(result).toEqual(RESULT);
    expect((await client.verify(REQUEST)).result).toEqual(RESULT);
  });

  it("can reuse one signal for a thousand calls: no listener and no timer stays behind", async () => {
    const server = await startServer((response) => response.end(BODY));
    const client = clientOf(server.url, { connections: 32 });
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const { signal } = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const timersBefore = timers();

    let left = 1_000;
    const callOneByOne = async () => {
      while ((left -= 1) >= 0) await client.verify(REQUEST, { signal });
    };
    await Promise.all(Array.from({ length: 32 }, callOneByOne));

    expect(server.seen).toHaveLength(1_000);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(warnings).toEqual([]);
    expect(timers() - timersBefore).toBeLessThan(100);
  });
});
