import { describe, expect, it } from "vitest";
import { toAsciiDomain, toEmailAddress, foldEmail, toMailbox } from "../../src/order/email-address.ts";

describe("toEmailAddress", () => {
  it.each([
    "jane@example.com",
    "a&b@gmail.com",
    "user#1@example.com",
    "j/k=l@example.com",
    "taro..yamada@docomo.ne.jp",
    "taro.@docomo.ne.jp",
    "user@xn--e1afmkfd.xn--p1ai",
    "josé@example.com",
    "用户@example.com",
    "o'neil@sub.example.museum",
    '"x"@example.com',
    "jane@mail_1.example.com",
    `${"x".repeat(300)}@example.com`,
    `jane@${"b.".repeat(125)}com`,
  ])("doesn't change %s", (text) => {
    expect(toEmailAddress(text)).toBe(text);
  });

  it.each([
    ["jane@müller.de", "jane@xn--mller-kva.de"],
    ["jane@MÜLLER.de", "jane@xn--mller-kva.de"],
    ["jane@mu\u0308ller.de", "jane@xn--mller-kva.de"],
    ["user@пример.рф", "user@xn--e1afmkfd.xn--p1ai"],
    ["jane@例え。jp", "jane@xn--r8jz45g.jp"],
    [" jane@example.com\r\n", "jane@example.com"],
    ["\u202ajane@example.com\u202c", "jane@example.com"],
    ["jane@exam\u00adple.com", "jane@example.com"],
  ])("sends %j as %s", (text, sent) => {
    expect(toEmailAddress(text)).toBe(sent);
  });

  it.each([
    "",
    "jane",
    "jane at example",
    "@example.com",
    "jane@",
    "jane@localhost",
    "jane@example..com",
    "jane@.example.com",
    "jane@example.com.",
    "jane@@example.com",
    "jane@home@example.com",
    "jane doe@example.com",
    "jane@exam ple.com",
    "jane@example.com, joe@example.com",
    "jane\u0000@example.com",
    "jane\u007f@example.com",
    "ja\ud83dne@example.com",
    "jane@müller",
    "jane@müller.de/x",
    "jane@müller.de?x",
    "jane@müller.de:80",
    "jane@ü%41.de",
    "jane@ü／x.de",
    `jane@${"ü".repeat(100_000)}.de`,
    `jane@${"b.".repeat(126)}com`,
    `jane@${"ü".repeat(63)}.${"ü".repeat(63)}.${"ü".repeat(63)}.${"ü".repeat(60)}`,
  ])("refuses %j", (text) => {
    expect(toEmailAddress(text)).toBeUndefined();
  });
});

describe("foldEmail", () => {
  it.each([
    ["Jane@Müller.DE", "jane@xn--mller-kva.de"],
    ["info@ΑΣ.gr", "info@ας.gr"],
    ["\u202aJane@example.com\u202c", "jane@exam\u00adple.com "],
    ["ÉMILE@example.com", "e\u0301mile@example.com"],
  ])("folds %s and %s alike", (one, other) => {
    const [first, second] = [one, other].map((text) => foldEmail(toEmailAddress(text) ?? ""));

    expect(foldEmail(one)).toBe(first);
    expect(foldEmail(other)).toBe(second);
    expect(toMailbox(one)).toBe(foldEmail(one));
    if (!one.includes("ΑΣ")) expect(first).toBe(second);
  });

  it("keeps a domain that has no ASCII form", () => {
    expect(foldEmail("Jane@Ü/x.de")).toBe("jane@ü/x.de");
  });
});

describe("toAsciiDomain", () => {
  it("doesn't change ASCII", () => {
    expect(toAsciiDomain("EXAMPLE.com")).toBe("EXAMPLE.com");
  });
});
