import { Agent } from "undici";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createScreener, type ServiceOptions } from "../../src/index.ts";
import { sendJson, startServer, findClosedPort } from "../service/loopback.ts";
import { until } from "../support/until.ts";
import { anOrder } from "../support/orders.ts";

/** What is printed on standard error. */
function listenToErrors(): () => readonly string[] {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  return () => printed.mock.calls.map(([line]) => String(line));
}

afterEach(() => {
  vi.restoreAllMocks();
});

function open(service: Partial<ServiceOptions> & Pick<ServiceOptions, "url">, whenUnavailable: string) {
  const screener = createScreener({
    service: { apiKey: "key", organization: "acme", ...service },
    policy: { whenUnavailable },
  });
  onTestFinished(() => screener.close());
  return screener;
}

const CAUSES: Readonly<Record<string, () => Promise<Partial<ServiceOptions> & Pick<ServiceOptions, "url">>>> =
  {
    "a certificate of another authority": () => startServer((response) => response.end(), "https"),
    "another server": () => startServer((response) => response.end("<html></html>")),
    "an address without the service": () => startServer((response) => response.writeHead(404).end()),
    "a refused key": () => startServer((response) => sendJson(response, 401, { success: false })),
    "a key of another organization": () =>
      startServer((response) => sendJson(response, 403, { success: false })),
    "a closed dispatcher": async () => {
      const dispatcher = new Agent();
      await dispatcher.close();
      return { url: "https://verify.example", dispatcher };
    },
    "a dispatcher that can't run here": async () => ({
      url: "https://verify.example",
      dispatcher: {
        dispatch() {
          throw new WebAssembly.CompileError("Wasm code generation disallowed by embedder");
        },
      },
    }),
  };

describe.each(["local", "allow"])("a set-up that can't work, with whenUnavailable %s", (whenUnavailable) => {
  it.each(Object.entries(CAUSES))("holds every order, and says so once: %s", async (_title, start) => {
    const errors = listenToErrors();
    const { url, dispatcher } = await start();
    const screener = open({ url, dispatcher }, whenUnavailable);

    const checks = [await screener.check(anOrder()), await screener.check(anOrder({ orderId: "1002" }))];

    for (const { status, action, reasons } of checks) {
      expect({ status, action }).toEqual({ status: "degraded", action: "hold" });
      expect(reasons).toContainEqual(
        expect.stringMatching(
          /^degraded:(?:CONFIG_INVALID|VERIFICATION_UNAUTHORIZED|VERIFICATION_FORBIDDEN)$/,
        ),
      );
    }
    expect(errors()).toEqual([expect.stringMatching(/^holdfast error: .+(?:CONFIG_INVALID|VERIFICATION_)/)]);
  });
});

describe("an outage", () => {
  it("leaves the decision to whenUnavailable, and is printed with the first order", async () => {
    const errors = listenToErrors();
    const screener = open({ url: `http://127.0.0.1:${await findClosedPort()}` }, "allow");

    const check = await screener.check(anOrder(), { deadlineMs: 500 });

    expect(check).toMatchObject({ action: "allow" });
    await until(() => errors().length > 0);
    expect(errors()).toEqual([expect.stringContaining("ECONNREFUSED")]);
  });
});
