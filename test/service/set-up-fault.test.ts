import { Agent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { clientOf, sendJson, startServer, type Responder } from "./loopback.ts";
import { failureOf, REQUEST, SUCCESS } from "./samples.ts";

const ORGANIZATIONS = { success: true, data: { organizations: [{ id: "org_1", slug: "acme" }] } };
const PAGE: Responder = (response) => response.end("<!doctype html><title>Shop</title>");
const REDIRECT: Responder = (response) => response.writeHead(301, { location: "https://www.example" }).end();
const NO_POST: Responder = (response, { method }) =>
  response.writeHead(method === "POST" ? 405 : 301).end("<h1>405</h1>");

/** Answers the first call, and every later one as another server does. */
const once =
  (later: Responder): Responder =>
  (response, seen, count) =>
    count === 1 ? sendJson(response, 200, SUCCESS) : later(response, seen, count);

describe("a page or a redirect at the service's address", () => {
  it.each([
    ["a page", PAGE],
    ["a redirect", REDIRECT],
    ["no POST", NO_POST],
  ])("is another server's if the free call gets one too: %s", async (_title, respond) => {
    const server = await startServer(respond);

    const error = await failureOf(clientOf(server.url).verify(REQUEST));

    expect(error).toMatchObject({ code: "CONFIG_INVALID", retryable: false, metered: "unknown" });
    expect(error.message).toContain("another server");
    expect(error.message).toContain("VERIFY_URL");
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  it("costs nothing without an organization: the free call comes first", async () => {
    const server = await startServer(PAGE);

    const error = await failureOf(clientOf(server.url, { organization: undefined }).verify(REQUEST));

    expect(error).toMatchObject({ code: "CONFIG_INVALID", metered: "no" });
    expect(server.seen).toHaveLength(1);
  });

  it("is an outage if the free call works", async () => {
    const server = await startServer((response, seen, count) =>
      seen.method === "GET" ? sendJson(response, 200, ORGANIZATIONS) : PAGE(response, seen, count),
    );

    const error = await failureOf(clientOf(server.url).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_MALFORMED", retryable: true, metered: "yes" });
  });

  it.each([
    ["a page", PAGE],
    ["a redirect", REDIRECT],
  ])("is an outage once the service has answered: %s", async (_title, later) => {
    const server = await startServer(once(later));
    const client = clientOf(server.url);

    await client.verify(REQUEST);
    const error = await failureOf(client.verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_MALFORMED", retryable: true });
    expect(server.seen).toHaveLength(2);
  });
});

describe("a name that isn't known", () => {
  it("is a fault of the set-up, and an outage once the service has answered", async () => {
    const server = await startServer((response) => {
      response.setHeader("connection", "close");
      sendJson(response, 200, SUCCESS);
    });
    let isKnown = false;
    const notFound = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    const dispatcher = new Agent({
      connect: {
        lookup: (_host, _options, callback) =>
          isKnown ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(notFound, "", 4),
      },
    });
    onTestFinished(() => dispatcher.destroy());
    const client = clientOf(`http://localhost:${server.port}`, { dispatcher });

    const before = await failureOf(client.verify(REQUEST));
    isKnown = true;
    await client.verify(REQUEST);
    isKnown = false;
    const after = await failureOf(client.verify(REQUEST));

    expect(before).toMatchObject({ code: "CONFIG_INVALID", retryable: false, metered: "no" });
    expect(before.message).toContain("this host isn't known (ENOTFOUND)");
    expect(after).toMatchObject({ code: "VERIFICATION_UNREACHABLE", retryable: true, metered: "no" });
  });
});
