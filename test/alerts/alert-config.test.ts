import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { parseSmtpUrl } from "../../src/alerts/alert-config.ts";
import type { Environment } from "../../src/base/variables.ts";
import { parseConfig } from "../../src/config.ts";
import { isHoldfastError } from "../../src/base/errors.ts";

const EMAIL = {
  SMTP_URL: "smtps://alerts:pass%40word@mail.example",
  ALERT_EMAIL_FROM: "holdfast@shop.example",
  ALERT_EMAIL_TO: "jane@shop.example, owner+alerts@shop.example",
};
const WEBHOOK = {
  ALERT_WEBHOOK_URL: "https://hooks.example/services/T0/B0?token=a-token",
  ALERT_WEBHOOK_SECRET: "0123456789abcdef",
};

/** The names of the refused variables. */
function refusedOf(env: Environment): string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (!isHoldfastError(error, "CONFIG_INVALID")) throw error;
    for (const value of Object.values(env)) expect(error.message).not.toContain(value);
    return error.fields.map(({ path }) => path);
  }
}

describe("the variables about alerts", () => {
  it("are read, and their secrets aren't shown", () => {
    const config = parseConfig({ ...EMAIL, ...WEBHOOK });

    expect(config.alerts?.webhook?.url.reveal()).toBe(WEBHOOK.ALERT_WEBHOOK_URL);
    expect(config.alerts?.webhook?.secret?.reveal()).toBe(WEBHOOK.ALERT_WEBHOOK_SECRET);
    expect(config.alerts?.email).toMatchObject({
      from: "holdfast@shop.example",
      to: ["jane@shop.example", "owner+alerts@shop.example"],
    });
    expect(config.alerts?.email?.smtpUrl.reveal()).toBe(EMAIL.SMTP_URL);
    const shown = inspect(config, { depth: 9 }) + JSON.stringify(config);
    for (const secret of ["a-token", "0123456789abcdef", "pass%40word"]) expect(shown).not.toContain(secret);
  });

  it("are all optional, and each channel works without the other", () => {
    expect(parseConfig({}).alerts).toBeUndefined();
    expect(parseConfig(EMAIL).alerts?.webhook).toBeUndefined();
    expect(parseConfig({ ALERT_WEBHOOK_URL: "http://127.0.0.1:9000/hook" }).alerts).toMatchObject({
      webhook: { secret: undefined },
      email: undefined,
    });
  });

  it.each([
    ["ALERT_WEBHOOK_URL", "http://hooks.example/x"],
    ["ALERT_WEBHOOK_URL", "http://127.0.0.1.example/x"],
    ["ALERT_WEBHOOK_URL", "ftp://hooks.example/x"],
    ["ALERT_WEBHOOK_URL", "https://user:pass@hooks.example/x"],
    ["ALERT_WEBHOOK_URL", "https://hooks.example/x#part"],
    ["ALERT_WEBHOOK_URL", "https://hooks.example/x y"],
    ["ALERT_WEBHOOK_URL", "hooks.example"],
    ["ALERT_WEBHOOK_SECRET", "too short"],
    ["ALERT_WEBHOOK_SECRET", "fifteen-letters"],
    ["ALERT_WEBHOOK_SECRET", "whsec_not-base64-at-all"],
    ["SMTP_URL", "mail.example:587"],
    ["SMTP_URL", "http://mail.example"],
    ["SMTP_URL", "smtp://:25"],
    ["SMTP_URL", "smtp://user@mail.example"],
    ["SMTP_URL", "smtp://user:pass%0d%0aQUIT@mail.example"],
    ["SMTP_URL", "smtp://user:%ff@mail.example"],
    ["SMTP_URL", "smtp://mail.example?pool=true"],
    ["SMTP_URL", "smtp://mail.example/path"],
    ["SMTP_URL", "smtp://mail.example:0"],
    ["ALERT_EMAIL_FROM", "Holdfast <holdfast@shop.example>"],
    ["ALERT_EMAIL_FROM", "a@shop.example,b@shop.example"],
    ["ALERT_EMAIL_FROM", "a@shop.example\r\nBcc: b@shop.example"],
    ["ALERT_EMAIL_FROM", `"a b"@shop.example`],
    ["ALERT_EMAIL_TO", "jane"],
    ["ALERT_EMAIL_TO", "jane@shop.example,"],
    ["ALERT_EMAIL_TO", "jane@shop.example;joe@shop.example"],
    ["ALERT_EMAIL_TO", Array.from({ length: 21 }, (_, n) => `a${n}@shop.example`).join(",")],
  ])("stop the start when %s is %j", (name, value) => {
    expect(refusedOf({ ...EMAIL, ...WEBHOOK, [name]: value })).toEqual([name]);
  });

  it("name what is missing beside those that are set", () => {
    expect(refusedOf({ ALERT_WEBHOOK_SECRET: "0123456789abcdef" })).toEqual(["ALERT_WEBHOOK_SECRET"]);
    expect(refusedOf({ SMTP_URL: EMAIL.SMTP_URL })).toEqual(["ALERT_EMAIL_FROM", "ALERT_EMAIL_TO"]);
    expect(refusedOf({ ALERT_EMAIL_TO: "jane@shop.example" })).toEqual(["SMTP_URL", "ALERT_EMAIL_FROM"]);
  });
});

describe("parseSmtpUrl", () => {
  it("reads server, port and sign-in", () => {
    expect(parseSmtpUrl("smtps://a%40b.example:p%3Aw@mail.example:4465/")).toEqual({
      host: "mail.example",
      port: 4_465,
      secure: true,
      loopback: false,
      auth: { user: "a@b.example", pass: "p:w" },
    });
  });

  it.each([
    ["smtp://localhost", "localhost", true],
    ["smtp://127.0.0.1:25", "127.0.0.1", true],
    ["smtp://[::1]:25", "::1", true],
    ["smtp://127.0.0.1.example", "127.0.0.1.example", false],
    ["smtp://0.0.0.0", "0.0.0.0", false],
    ["smtp://mail.example", "mail.example", false],
  ])("detects whether %s is this machine", (url, host, loopback) => {
    expect(parseSmtpUrl(url)).toMatchObject({ host, loopback, secure: false, auth: undefined });
  });
});
