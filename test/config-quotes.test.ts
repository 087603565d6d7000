import { describe, expect, it } from "vitest";
import type { Environment } from "../src/base/variables.ts";
import { parseConfig } from "../src/config.ts";
import { isHoldfastError } from "../src/base/errors.ts";

const NAMES = (
  "PORT HOST DATABASE_URL DATA_KEY CONSOLE_TOKEN TRUST_PROXY PDF_FONTS CREDITS_PER_TENANT_DAILY ROLE LOG_LEVEL " +
  "VERIFY_URL VERIFY_API_KEY VERIFY_ORGANIZATION VERIFY_TIMEOUT_MS " +
  "CATALOG_URL CATALOG_API_KEY CATALOG_ORGANIZATION MANAGEMENT_URL MANAGEMENT_TOKEN " +
  "SHOPIFY_API_KEY SHOPIFY_API_SECRET SHOPIFY_API_SECRET_PREVIOUS SHOPIFY_APP_URL SHOPIFY_FLOW_TRIGGER " +
  "SHOPIFY_BILLING SHOPIFY_APP_HANDLE KEEP_CONTENT_DAYS KEEP_ORDERS_DAYS NODE_USE_ENV_PROXY " +
  "ALERT_WEBHOOK_URL ALERT_WEBHOOK_SECRET SMTP_URL ALERT_EMAIL_FROM ALERT_EMAIL_TO"
).split(" ");
const EXPECTED = "expected no quotes around the value (docker run --env-file keeps them)";

function problemsOf(env: Environment): Record<string, string> {
  try {
    parseConfig(env);
    return {};
  } catch (error) {
    if (!isHoldfastError(error, "CONFIG_INVALID")) throw error;
    return Object.fromEntries(error.fields.map(({ path, message }) => [path, message]));
  }
}

describe("parseConfig, with the quotes that docker run --env-file keeps", () => {
  it.each(['"', "'"])("refuses every variable with %s around its value, and says why", (quote) => {
    const values = Object.fromEntries(NAMES.map((name) => [name, `${quote}1${quote}`]));

    expect(problemsOf(values)).toEqual(Object.fromEntries(NAMES.map((name) => [name, EXPECTED])));
  });

  it("refuses them around the hosts that a proxy isn't used for", () => {
    const proxy = { NODE_USE_ENV_PROXY: "1", https_proxy: "http://proxy.example:1", no_proxy: '".internal"' };

    expect(problemsOf(proxy)).toEqual({ no_proxy: EXPECTED });
  });

  it("keeps a quote inside a value, or at one end", () => {
    const token = "'0123456789\"abcdef";

    expect(parseConfig({ CONSOLE_TOKEN: token }).consoleToken?.reveal()).toBe(token);
  });
});
