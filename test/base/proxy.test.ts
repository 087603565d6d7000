import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { toDispatcher } from "../../src/base/proxy.ts";
import { Secret } from "../../src/base/secret.ts";
import { parseConfig } from "../../src/config.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { createVerificationClient } from "../../src/service/client.ts";
import { anOrder } from "../support/orders.ts";
import { startEgressProxy, type EgressProxy } from "../support/egress-proxy.ts";

const PROXY = "http://user:secret@proxy.example:8080";
const ON = { NODE_USE_ENV_PROXY: "1" };

describe("HTTPS_PROXY", () => {
  it.each([
    ["without a proxy", ON],
    ["if Node doesn't use it", { HTTPS_PROXY: PROXY }],
    ["if Node's use of it is off", { HTTPS_PROXY: PROXY, NODE_USE_ENV_PROXY: "0" }],
    ["if it's empty", { HTTPS_PROXY: "", ...ON }],
    ["for http alone", { HTTP_PROXY: PROXY, ...ON }],
    ["whatever it is, if Node doesn't use it", { HTTPS_PROXY: "none" }],
  ])("isn't used %s", (_case, env) => {
    expect(parseConfig(env).proxy).toBeUndefined();
  });

  it("is used with NO_PROXY, and hidden wherever it is printed", () => {
    const { proxy } = parseConfig({ ...ON, HTTPS_PROXY: PROXY, NO_PROXY: ".internal" });

    expect([proxy?.url.reveal(), proxy?.except]).toEqual([PROXY, ".internal"]);
    expect(JSON.stringify(proxy)).not.toContain("secret@");
  });

  it("gives way to the name in lower case, unless that's empty, as in Node", () => {
    const env = { ...ON, HTTPS_PROXY: "x", https_proxy: PROXY, no_proxy: "", NO_PROXY: "b" };
    const { proxy } = parseConfig(env);

    expect([proxy?.url.reveal(), proxy?.except]).toEqual([PROXY, "b"]);
  });

  it.each([
    "egress.example:3128",
    "socks5://egress.example",
    "http://egress.example:none",
    "http://user:s3cret%@egress.example",
    "http://egress.example/path",
    "http://egress.example\\path",
    "http://egress.example?query",
  ])("can't be %s", (url) => {
    const parse = () => parseConfig({ ...ON, HTTPS_PROXY: url });

    expect(parse).toThrow(/HTTPS_PROXY: expected a proxy's address/);
    expect(parse).not.toThrow("egress");
  });
});

describe("calls through a proxy", () => {
  let proxy: EgressProxy | undefined;
  afterEach(() => proxy?.close());

  function clientOf(url: URL | string, proxyUrl: string, timeoutMs = 5_000) {
    const dispatcher = toDispatcher({ url: new Secret(proxyUrl), except: "" });
    const options = { apiKey: SANDBOX_API_KEY, organization: "sandbox", timeoutMs, dispatcher };
    const client = createVerificationClient({ url, ...options });
    onTestFinished(() => client.close());
    return client;
  }

  it.each([
    ["refuses the connection", (url: string) => url, /nothing was sent: the proxy refused the connection$/],
    [
      "refuses the password",
      (url: string) => url.replace("egress", "nobody"),
      /the proxy refused the connection$/,
    ],
    ["can't be reached", () => "http://127.0.0.1:1", /nothing was sent: ECONNREFUSED$/],
  ])("aren't billed if it %s", async (_case, toUrl, message) => {
    proxy = await startEgressProxy(() => undefined);

    await expect(
      clientOf("https://verification.example", toUrl(proxy.url)).verify(anOrder()),
    ).rejects.toMatchObject({
      code: "VERIFICATION_UNREACHABLE",
      retryable: true,
      metered: "no",
      message: expect.stringMatching(message),
    });
  });

  it("reach this machine directly", async () => {
    proxy = await startEgressProxy(() => undefined);
    const service = createSandboxService();
    onTestFinished(() => service.close());

    const { result } = await clientOf(await service.listen(), proxy.url).verify(anOrder());

    expect(result.riskLevel).toBeDefined();
    expect(proxy.tunnels).toEqual([]);
  });

  it("share their connections for as long as the configuration is the same", () => {
    const config = { url: new Secret(PROXY), except: "" };

    expect(toDispatcher(config)).toBe(toDispatcher(config));
    expect(toDispatcher(undefined)).toBeUndefined();
  });
});
