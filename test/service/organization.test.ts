import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { clientOf, findClosedPort, sendJson, startServer, type Responder } from "./loopback.ts";
import { API_KEY, failureOf, REQUEST, RESULT, SUCCESS } from "./samples.ts";

const ACME = { id: "org_1", slug: "acme", name: "Acme", role: "owner" };
const UMBRELLA = { id: "org_2", slug: "umbrella", name: "Umbrella", role: "member" };

/** A service whose key reaches `organizations`. */
const reaching =
  (organizations: readonly object[]): Responder =>
  (response, { method }) =>
    sendJson(response, 200, method === "GET" ? { success: true, data: { organizations } } : SUCCESS);

const undiscovered = { organization: undefined } as const;

describe("VerificationClient.organizations", () => {
  it("lists the organizations that the key reaches, with a GET that has no body", async () => {
    const server = await startServer(reaching([ACME, UMBRELLA]));

    expect(await clientOf(server.url).organizations()).toEqual([ACME, UMBRELLA]);
    expect(server.seen[0]).toMatchObject({ method: "GET", url: "/api/organizations/get", body: "" });
    expect(server.seen[0]?.headers).toMatchObject({ "x-api-key": API_KEY });
    expect(server.seen[0]?.headers).not.toHaveProperty("content-type");
  });

  it("needs no more than an id", async () => {
    const server = await startServer(reaching([{ id: "org_1", slug: null, extra: 1 }]));

    expect(await clientOf(server.url).organizations()).toEqual([
      { id: "org_1", slug: "", name: "", role: "" },
    ]);
  });

  it.each<[code: string, respond: Responder]>([
    [
      "VERIFICATION_FORBIDDEN",
      (response) => sendJson(response, 403, { success: false, message: "Invalid API Key" }),
    ],
    ["CONFIG_INVALID", (response) => sendJson(response, 404, {})],
    ["VERIFICATION_FAILED", (response) => sendJson(response, 500, {})],
    ["CONFIG_INVALID", (response) => response.end("<html>")],
    [
      "VERIFICATION_MALFORMED",
      (response) => sendJson(response, 200, { success: true, data: { organizations: [{}] } }),
    ],
    ["VERIFICATION_MALFORMED", (response) => sendJson(response, 302, {})],
    ["VERIFICATION_INTERRUPTED", (response) => response.destroy()],
    ["VERIFICATION_TIMEOUT", () => {}],
  ])("costs nothing when it ends as %s", async (code, respond) => {
    const server = await startServer(respond);

    // Only the call without an answer has to run out of time.
    const timeoutMs = code === "VERIFICATION_TIMEOUT" ? 750 : 30_000;
    const error = await failureOf(clientOf(server.url, { timeoutMs }).organizations());

    expect(error).toMatchObject({ code, metered: "no" });
  });

  it("can be canceled, before and after it was sent", async () => {
    const caller = new AbortController();
    const server = await startServer(() => caller.abort());
    const client = clientOf(server.url);

    for (const signal of [caller.signal, AbortSignal.abort()]) {
      const error = await failureOf(client.organizations({ signal }));
      expect(error).toMatchObject({ code: "VERIFICATION_ABORTED", metered: "no" });
    }
    expect(server.seen).toHaveLength(1);
  });
});

describe("organization discovery", () => {
  it("asks once for fifty concurrent calls, and never again", async () => {
    const server = await startServer(reaching([ACME]));
    const client = clientOf(server.url, undiscovered);

    const answers = await Promise.all(Array.from({ length: 50 }, () => client.verify(REQUEST)));
    await client.verify(REQUEST);

    expect(answers.every((answer) => answer.result.riskLevel === RESULT.riskLevel)).toBe(true);
    expect(server.seen.filter((seen) => seen.method === "GET")).toHaveLength(1);
    const posts = server.seen.filter((seen) => seen.method === "POST");
    expect(posts).toHaveLength(51);
    expect(new Set(posts.map((seen) => seen.url))).toEqual(new Set(["/api/acme/order-verification"]));
  });

  it("makes no free call when the organization is given", async () => {
    const server = await startServer(reaching([ACME]));

    await clientOf(server.url).verify(REQUEST);

    expect(server.seen.map((seen) => seen.method)).toEqual(["POST"]);
  });

  it.each([
    ["a blank slug", { ...ACME, slug: " " }],
    ["no slug", { id: ACME.id }],
    ["a slug that would leave its path", { ...ACME, slug: ".." }],
  ])("falls back to the id for %s", async (_title, organization) => {
    const server = await startServer(reaching([organization]));

    await clientOf(server.url, undiscovered).verify(REQUEST);

    expect(server.seen.at(-1)?.url).toBe("/api/org_1/order-verification");
  });

  it.each([
    ["none", [], "no organization"],
    ["only names that do not fit a path", [{ id: ".", slug: ".." }], "no organization"],
    ["several", [ACME, UMBRELLA], "acme, umbrella"],
    ["very many", Array.from({ length: 25 }, (_, index) => ({ id: `o${index}` })), "o9 and 15 more"],
  ])("refuses to guess when the key reaches %s", async (_title, organizations, told) => {
    const server = await startServer(reaching(organizations));

    const error = await failureOf(clientOf(server.url, undiscovered).verify(REQUEST));

    expect(error).toMatchObject({ code: "CONFIG_INVALID", retryable: false, metered: "no" });
    expect(error.message).toContain(told);
    expect(server.seen.map((seen) => seen.method)).toEqual(["GET"]);
  });

  it("passes a failure on to every waiting call, and tries again for the next one", async () => {
    const server = await startServer((response, seen, count) => {
      if (count === 1) sendJson(response, 503, {});
      else reaching([ACME])(response, seen, count);
    });
    const client = clientOf(server.url, undiscovered);

    const errors = await Promise.all(Array.from({ length: 5 }, () => failureOf(client.verify(REQUEST))));

    expect(errors.map(({ code, retryable, metered }) => [code, retryable, metered])).toEqual(
      Array.from({ length: 5 }, () => ["VERIFICATION_FAILED", true, "no"]),
    );
    expect((await client.verify(REQUEST)).result).toEqual(RESULT);
    expect(server.seen.map((seen) => seen.method)).toEqual(["GET", "GET", "POST"]);
  });

  it.each([403, 404])("is asked for again once the service answers %i for it", async (status) => {
    let slug = "acme";
    const server = await startServer((response, seen, count) => {
      if (seen.method === "GET" || seen.url?.includes(`/${slug}/`) === true)
        return reaching([{ ...ACME, slug }])(response, seen, count);
      return sendJson(response, status, {});
    });
    const client = clientOf(server.url, undiscovered);
    await client.verify(REQUEST);

    slug = "acme-inc";
    await failureOf(client.verify(REQUEST));

    expect((await client.verify(REQUEST)).result).toEqual(RESULT);
    expect(server.seen.map((seen) => seen.method)).toEqual(["GET", "POST", "POST", "GET", "POST"]);
  });

  it("reports that nothing was sent if the service can't be reached", async () => {
    const client = clientOf(`http://127.0.0.1:${await findClosedPort()}`, undiscovered);

    const error = await failureOf(client.verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_UNREACHABLE", retryable: true, metered: "no" });
  });

  it("leaves at least half of the time limit to the paid call", async () => {
    const server = await startServer(() => {});

    const error = await failureOf(
      clientOf(server.url, { ...undiscovered, timeoutMs: 2_000 }).verify(REQUEST),
    );

    expect(error).toMatchObject({ code: "VERIFICATION_TIMEOUT", metered: "no" });
    expect(error.message).toContain("within 1000 ms");
    expect(server.seen.map((seen) => seen.method)).toEqual(["GET"]);
  });

  it("lets one caller give up without affecting another", async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<() => void>();
    const server = await startServer((response, seen, count) => {
      const answer = () => reaching([ACME])(response, seen, count);
      if (seen.method === "GET") onAsked(answer);
      else answer();
    });
    const client = clientOf(server.url, undiscovered);
    const caller = new AbortController();
    const leaving = failureOf(client.verify(REQUEST, { signal: caller.signal }));
    const { signal } = new AbortController();
    const staying = client.verify(REQUEST, { signal });
    const answer = await asked;

    caller.abort();
    const left = await leaving;
    answer();

    expect(left).toMatchObject({ code: "VERIFICATION_ABORTED", retryable: true, metered: "no" });
    expect((await staying).result).toEqual(RESULT);
    expect([signal, caller.signal].flatMap((each) => getEventListeners(each, "abort"))).toEqual([]);
    expect(server.seen.map((seen) => seen.method)).toEqual(["GET", "POST"]);
  });

  it("isn't started for a caller that already gave up", async () => {
    const server = await startServer(reaching([ACME]));

    await failureOf(clientOf(server.url, undiscovered).verify(REQUEST, { signal: AbortSignal.abort() }));

    expect(server.connections()).toBe(0);
  });
});
