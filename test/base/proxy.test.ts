import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { readProxy } from "../../src/base/proxy.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { createVerificationClient } from "../../src/service/client.ts";
import { anOrder } from "../support/orders.ts";
import { startEgressProxy } from "../support/egress-proxy.ts";

const PROXY = "http://user:secret@proxy.example:8080";
const LOCAL = ",localhost,127.0.0.1,[::1]";

describe("readProxy", () => {
  it.each([
    ["without a proxy", {}],
    ["if Node doesn't use it", { HTTPS_PROXY: PROXY }],
    ["if Node's use of it is off", { HTTPS_PROXY: PROXY, NODE_USE_ENV_PROXY: "0" }],
    ["if it's empty", { HTTPS_PROXY: "", NODE_USE_ENV_PROXY: "1" }],
    ["for http alone", { HTTP_PROXY: PROXY, NODE_USE_ENV_PROXY: "1" }],
  ])("connects directly %s", (_case, env) => {
    expect(readProxy(env)).toBeUndefined();
  });

  it("never uses it for this machine or hosts in NO_PROXY", () => {
    const env = { NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: PROXY, NO_PROXY: ".internal" };

    expect(readProxy(env)).toEqual({ httpProxy: "", httpsProxy: PROXY, noProxy: `.internal${LOCAL}` });
  });

  it("prefers the variables in lower case, as Node does", () => {
    const env = {
      NODE_USE_ENV_PROXY: "1",
      HTTPS_PROXY: "x",
      https_proxy: PROXY,
      no_proxy: "a",
      NO_PROXY: "b",
    };

    expect(readProxy(env)).toMatchObject({ httpsProxy: PROXY, noProxy: `a${LOCAL}` });
  });

  it.each(["egress.example:3128", "socks5://egress.example", "http://egress.example:none"])(
    "refuses %s by name, and hides it",
    (url) => {
      const read = () => readProxy({ NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: url });

      expect(read).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
      expect(read).toThrow(/^HTTPS_PROXY: expected a proxy's address/);
      expect(read).not.toThrow(url);
    },
  );
});

describe("a client behind a proxy", () => {
  afterEach(() => void vi.unstubAllEnvs());

  async function startProxy() {
    const proxy = await startEgressProxy(() => undefined);
    onTestFinished(() => proxy.close());
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    return proxy;
  }

  function clientOf(url: URL | string) {
    const client = createVerificationClient({ url, apiKey: SANDBOX_API_KEY, organization: "sandbox" });
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
  ])("isn't billed if the proxy %s", async (_case, toUrl, message) => {
    const proxy = await startProxy();
    vi.stubEnv("HTTPS_PROXY", toUrl(proxy.url));

    await expect(clientOf("https://verification.example").verify(anOrder())).rejects.toMatchObject({
      code: "VERIFICATION_UNREACHABLE",
      retryable: true,
      metered: "no",
      message: expect.stringMatching(message),
    });
  });

  it("reaches this machine directly", async () => {
    const proxy = await startProxy();
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    const service = createSandboxService();
    onTestFinished(() => service.close());

    const { result } = await clientOf(await service.listen()).verify(anOrder());

    expect(result.riskLevel).toBeDefined();
    expect(proxy.tunnels).toEqual([]);
  });
});
