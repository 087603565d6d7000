import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ALERTS, findTraits, raiseAlert, resolveAlert } from "../src/base/alerts.ts";
import { VERIFICATION_ALERTS } from "../src/service/circuit-rules.ts";
import { createLogRecorder } from "./support/log-recorder.ts";

const SOURCES = [...globSync("src/**/*.ts"), ...globSync("adapters/**/*.ts")]
  .filter((file) => file !== "src/base/alerts.ts" && !file.startsWith("src/texts/"))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));
const ALL_SOURCES = SOURCES.map(({ text }) => text).join("\n");
const NAMES = Object.keys(ALERTS);

describe("alerts", () => {
  it("are in the table of docs/alerts.md, each once, and no others", () => {
    const document = readFileSync("docs/alerts.md", "utf8");
    const told = [...document.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? "");

    expect(told.toSorted()).toEqual(NAMES.toSorted());
    expect(NAMES.length).toBeGreaterThan(15);
  });

  it("are all used", () => {
    const keys = Object.keys(VERIFICATION_ALERTS).map((key) => `VERIFICATION_ALERTS.${key}`);
    const unused = NAMES.filter((name) => name !== "notifier_failed" && !ALL_SOURCES.includes(`"${name}"`));

    expect([...unused, ...keys.filter((key) => !ALL_SOURCES.includes(key))]).toEqual([]);
  });

  it("are raised by their functions, which know all names and levels, and never by a log line alone", () => {
    const written = SOURCES.flatMap(({ file, text }) =>
      [...text.matchAll(/\blogger\??\.\w+\([^;]*?\b(?:alert|resolved): ["V]/g)].map(() => file),
    );

    expect(written).toEqual([]);
    expect(
      ALL_SOURCES.match(/\b(?:raiseAlert|alertOnce|resolveAlert|reportOver)\(/g)?.length,
    ).toBeGreaterThan(30);
  });

  it("are lasting if the sources say that they are over", () => {
    const { requestRefused: _, ...blocked } = VERIFICATION_ALERTS;
    const ended = [
      ...ALL_SOURCES.matchAll(/\b(?:resolveAlert|reportOver)\([^;]*?(?:"([a-z_]+)"|ALERT)/g),
    ].map(([, name = "webhooks_unauthenticated"]) => name);
    const lasting = NAMES.filter((name) => findTraits(name)?.lasting === true);

    expect([...new Set([...Object.values(blocked), ...ended])].toSorted()).toEqual(lasting.toSorted());
  });

  it("are one log line each, with their own level", () => {
    const { logger, lines } = createLogRecorder();

    raiseAlert(logger, "hold_expiring", { orderId: "1" }, "near");
    raiseAlert(logger, "one_ip_address", { tenant: "t" }, "one address");
    resolveAlert(logger, "coverage_low", { eligible: 20 }, "over");

    expect(lines).toMatchObject([
      { level: "error", alert: "hold_expiring", orderId: "1" },
      { level: "warn", alert: "one_ip_address", tenant: "t" },
      { level: "info", resolved: "coverage_low", eligible: 20 },
    ]);
  });

  it("can't be misspelled", () => {
    const { logger } = createLogRecorder();

    // @ts-expect-error -- no such alert
    raiseAlert(logger, "hold_expirng", {}, "near");
    // @ts-expect-error -- this alert never ends
    resolveAlert(logger, "hold_expiring", {}, "near");
    // @ts-expect-error -- which step failed is part of what a person has to do
    raiseAlert(logger, "enforcement_failed", { orderId: "1" }, "failed");
    expect(findTraits("hold_expirng")).toBeUndefined();
  });
});
