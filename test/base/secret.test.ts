import { format, inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Secret } from "../../src/base/secret.ts";

describe("Secret", () => {
  const secret = new Secret("correct-horse");

  it("reveals its value when asked", () => {
    expect(secret.reveal()).toBe("correct-horse");
  });

  it.each<[name: string, print: () => string]>([
    ["a text", () => `${String(secret)}!`],
    ["JSON", () => JSON.stringify({ secret })],
    ["inspect", () => inspect({ deep: { secret } }, { depth: 9, showHidden: true })],
    ["format", () => format("%s %o %j", secret, secret, secret)],
    ["concatenation", () => "x".concat(String(secret))],
    ["its keys", () => Object.entries(secret).flat().join()],
  ])("stays hidden in %s", (_name, print) => {
    expect(print()).not.toContain("horse");
  });

  it("hides bytes as well", () => {
    expect(JSON.stringify(new Secret(Buffer.from("abc")))).toBe('"[secret]"');
  });
});
