import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { createVerificationClient } from "../../src/service/client.ts";
import type { VerificationClientOptions } from "../../src/service/client-options.ts";
import { expectNoSecrets } from "./samples.ts";

const VALID: VerificationClientOptions = { url: "https://verify.example.com", apiKey: "placeholder" };

/** Returns the error that refused options cause. */
function refusalOf(options: object): HoldfastError {
  try {
    createVerificationClient({ ...VALID, ...options });
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    expect(error).toMatchObject({ code: "CONFIG_INVALID", retryable: false });
    expectNoSecrets(error);
    return error;
  }
  return expect.fail("the options were taken");
}

describe("parseClientOptions", () => {
  it.each([
    "https://verify.example.com",
    "https://verify.example.com:8443/prefix/",
    new URL("https://verify.example.com"),
    "http://localhost:3000",
    "http://127.0.0.1",
    "http://127.9.8.7:80/",
    "http://[::1]:3000",
    "http://0x7f.1/",
  ])("accepts the url %s", async (url) => {
    await createVerificationClient({ ...VALID, url }).close();
  });

  it.each([
    ["plain http to a public host", "http://verify.example.com"],
    ["plain http to a host that looks like loopback", "http://127.0.0.1.example.com"],
    ["plain http to a host named after localhost", "http://localhost.example.com"],
    ["plain http to every interface", "http://0.0.0.0:3000"],
    ["plain http to a private network", "http://10.0.0.1"],
    ["plain http to a mapped address", "http://[::ffff:127.0.0.1]"],
    ["another scheme", "ftp://localhost"],
    ["a file", "file:///etc/hosts"],
    ["no scheme", "verify.example.com"],
    ["nothing", ""],
    ["nothing at all", undefined],
    ["a user name", "https://key-canary-7f3a9c@verify.example.com"],
    ["a password", "https://a:key-canary-7f3a9c@verify.example.com"],
    ["a password alone", "https://:key-canary-7f3a9c@verify.example.com"],
    ["a query", "https://verify.example.com/?key=key-canary-7f3a9c"],
    ["an empty query", "https://verify.example.com/?"],
    ["a fragment", "https://verify.example.com/#top"],
  ])("refuses a url with %s", (_title, url) => {
    const { message } = refusalOf({ url });

    expect(message).toContain("`url`");
    expect(message).toContain("VERIFY_URL");
    expect(message).not.toContain("canary");
  });

  it.each([
    "",
    " ",
    "key-canary-7f3a9c\n",
    "key-canary-7f3a9c ",
    "key-canary-7f3a9c\r\nx: y",
    "key-canary-7f3a9cé",
    "key canary",
    '"key-canary-7f3a9c"',
    "'key-canary-7f3a9c'",
    undefined,
    null,
    5,
  ])("refuses the apiKey %j without repeating it", (apiKey) => {
    const { message } = refusalOf({ apiKey });

    expect(message).toContain("`apiKey`");
    expect(message).not.toContain("canary");
  });

  it.each<[option: string, value: unknown]>([
    ["auth", "basic"],
    ["organization", ""],
    ["organization", " "],
    ["organization", "."],
    ["organization", ".."],
    ["organization", "\uD800"],
    ["organization", 5],
    ["timeoutMs", 0],
    ["timeoutMs", -1],
    ["timeoutMs", Number.NaN],
    ["timeoutMs", Number.POSITIVE_INFINITY],
    ["timeoutMs", 2 ** 31],
    ["timeoutMs", "5000"],
    ["connections", 0],
    ["connections", 1.5],
    ["connections", "8"],
  ])("refuses %s: %j", (option, value) => {
    expect(refusalOf({ [option]: value }).message).toContain(`\`${option}\``);
  });
});
