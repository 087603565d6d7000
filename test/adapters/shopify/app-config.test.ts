import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DISPUTES_SCOPE, PAYMENTS_SCOPE, VALIDATIONS_SCOPE } from "../../../adapters/shopify/admin/scopes.ts";
import { DISPUTE_TOPICS, HANDLED_TOPICS } from "../../../adapters/shopify/intake/interpret.ts";

const ROOT = new URL("../../../", import.meta.url);
const HANDLED_BY = "# Handled by: ";

interface Subscription {
  readonly topics: readonly string[];
  readonly uri: string | undefined;
  /** The comment lines right above it. */
  readonly comments: readonly string[];
}

function readLines(name: string): string[] {
  return readFileSync(new URL(name, ROOT), "utf8").split("\n");
}

/** The subscriptions of a TOML text. Covers enough of the format for this file: one key a line, lists on one line. */
function subscriptionsOf(lines: readonly string[]): Subscription[] {
  const heads = lines.flatMap((line, index) => (line === "[[webhooks.subscriptions]]" ? [index] : []));
  return heads.map((head) => {
    const body = lines.slice(head + 1);
    const end = body.findIndex((line) => line.startsWith("[") || line.startsWith("#"));
    const own = end === -1 ? body : body.slice(0, end);
    const above = lines.slice(0, head);
    return {
      topics: own
        .filter((line) => /^(?:compliance_)?topics = \[/.test(line))
        .flatMap((line) => [...line.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "")),
      uri: own.map((line) => /^uri = "(.*)"$/.exec(line)?.[1]).find((uri) => uri !== undefined),
      comments: above.slice(above.findLastIndex((line) => !line.startsWith("#")) + 1),
    };
  });
}

/** The value of `key = "value"`, wherever it is. */
function valueOf(lines: readonly string[], key: string): string | undefined {
  return lines
    .map((line) => line.match(new RegExp(`^${key} = (.*)$`))?.[1])
    .find((value) => value !== undefined);
}

describe("shopify.app.toml", () => {
  const lines = readLines("shopify.app.toml");
  const subscriptions = subscriptionsOf(lines);

  it("subscribes to exactly the handled topics, each once, without the ones that need an optional scope", () => {
    const topics = subscriptions.flatMap((subscription) => subscription.topics);
    expect(topics.concat(DISPUTE_TOPICS).toSorted()).toEqual(HANDLED_TOPICS.toSorted());
  });

  it("gives no subscription a name: Shopify CLI makes one for each topic, and a name may be used once", () => {
    expect(lines.filter((line) => line.startsWith("name = "))).toEqual(['name = "Holdfast"']);
  });

  it("declares privacy topics as such and no others", () => {
    const compliance = lines.filter((line) => line.startsWith("compliance_topics"));
    expect(compliance).toEqual([
      'compliance_topics = ["customers/data_request", "customers/redact", "shop/redact"]',
    ]);
  });

  it("sends every topic to the webhook route", () => {
    expect(subscriptions.map((subscription) => subscription.uri)).toEqual(
      subscriptions.map(() => "/webhooks/shopify"),
    );
  });

  it("names above each subscription the file that handles it, with those topics in it", () => {
    expect(subscriptions.length).toBeGreaterThan(0);
    for (const { topics, comments } of subscriptions) {
      const handler = comments.find((line) => line.startsWith(HANDLED_BY))?.slice(HANDLED_BY.length);
      expect(handler, topics.join()).toBe("adapters/shopify/intake/interpret.ts");
      const source = readLines(handler ?? "").join("\n");
      for (const topic of topics) expect(source).toContain(`"${topic}"`);
    }
  });

  it("asks for the scopes that the app uses, under managed installation", () => {
    expect(valueOf(lines, "scopes")).toBe(
      '"read_customers,write_merchant_managed_fulfillment_orders,write_orders,write_third_party_fulfillment_orders"',
    );
    expect(valueOf(lines, "optional_scopes")).toBe(
      `["${DISPUTES_SCOPE}", "${VALIDATIONS_SCOPE}", "${PAYMENTS_SCOPE}"]`,
    );
    expect(valueOf(lines, "use_legacy_install_flow")).toBe("false");
    expect(valueOf(lines, "embedded")).toBe("true");
    expect(valueOf(lines, "api_version")).toBe('"2026-10"');
  });

  it("has placeholders where a deployment has its own values", () => {
    expect(valueOf(lines, "client_id")).toMatch(/^"REPLACE/);
    expect(valueOf(lines, "application_url")).toMatch(/^"https:\/\/replace-.*\.example\/"$/);
  });

  it("would detect a topic without a handler, and a missing topic", () => {
    const broken = subscriptionsOf([
      "# Handled by: adapters/shopify/intake/interpret.ts",
      "[[webhooks.subscriptions]]",
      'topics = ["orders/create", "orders/paid"]',
      'uri = "/elsewhere"',
      "",
      "[[webhooks.subscriptions]]",
      'compliance_topics = ["shop/redact"]',
    ]);
    expect(broken).toEqual([
      {
        topics: ["orders/create", "orders/paid"],
        uri: "/elsewhere",
        comments: ["# Handled by: adapters/shopify/intake/interpret.ts"],
      },
      { topics: ["shop/redact"], uri: undefined, comments: [] },
    ]);
  });
});

describe("shopify.web.toml", () => {
  const lines = readLines("shopify.web.toml");

  it("starts the app with its own start script and lets the CLI choose the port", () => {
    const scripts: unknown = JSON.parse(readLines("package.json").join("\n"));
    expect(valueOf(lines, "dev")).toBe('"npm start"');
    expect(scripts).toHaveProperty("scripts.start");
    expect(valueOf(lines, "port")).toBeUndefined();
    expect(valueOf(lines, "webhooks_path")).toBe('"/webhooks/shopify"');
  });
});
