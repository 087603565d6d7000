import { describe, expect, it } from "vitest";
import { toShopKey } from "../../../src/platform/shop-key.ts";
import {
  createSessionValue,
  findSessionCookie,
  listSessionCookies,
  listSessionValues,
  toEndedCookies,
  toSessionCookie,
} from "../../../src/server/sign-in/session-cookie.ts";

const [A, B] = [createSessionValue(), createSessionValue()];
const [SHOP, OTHER] = [toShopKey("fake:a.example"), toShopKey("fake:b.example")];
const NAME = `holdfast_session_${SHOP}`;
const SECURE = `__Host-${NAME}`;
const asked = (cookie: string | undefined) => ({ headers: cookie === undefined ? {} : { cookie } });
const find = (cookie: string | undefined, https = false) =>
  findSessionCookie(asked(cookie), SHOP, https)?.value;

describe("createSessionValue", () => {
  it("returns 256 bits that differ each time", () => {
    const values = new Set(Array.from({ length: 1_000 }, createSessionValue));
    expect(values.size).toBe(1_000);
    for (const value of values) expect(Buffer.from(value, "base64url")).toHaveLength(32);
  });
});

describe("toSessionCookie", () => {
  it("hides it from scripts, other sites and, over https, from other hosts and plain http", () => {
    const session = { shopKey: SHOP, value: A };
    expect(toSessionCookie(session, false)).toBe(
      `${NAME}=${A}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict`,
    );
    expect(toSessionCookie(session, true)).toBe(
      `${SECURE}=${A}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure`,
    );
  });

  it("doesn't say in its name which shop it's for", () => {
    expect(toSessionCookie({ shopKey: SHOP, value: A }, true)).not.toContain("example");
  });
});

describe("toEndedCookies", () => {
  const sent = `${NAME}=${A}; ${SECURE}=${B}; holdfast_session_${OTHER}=x; other=1`;
  const ended = "Path=/; Max-Age=0; HttpOnly; SameSite=Strict";

  it("makes the browser delete a shop's, under both names", () => {
    expect(toEndedCookies(asked(sent), SHOP)).toEqual([`${NAME}=; ${ended}`, `${SECURE}=; ${ended}; Secure`]);
  });

  it("makes the browser delete all of ours, and no others", () => {
    expect(toEndedCookies(asked(sent))).toHaveLength(3);
    expect(toEndedCookies(asked(sent)).join()).not.toContain("other=");
    expect(toEndedCookies(asked(undefined))).toEqual([]);
  });
});

describe("findSessionCookie", () => {
  it.each([
    ["alone", `${NAME}=${A}`],
    ["among others", `a=1; ${NAME}=${A};b=2`],
    ["with spaces around", `  ${NAME} =  ${A}  ; x`],
    ["beside another shop's", `holdfast_session_${OTHER}=${B}; ${NAME}=${A}`],
    [
      "beside names that contain its own",
      `x${NAME}=${B}; ${NAME}2=${B}; ${NAME}=${A}; holdfast_session=${B}`,
    ],
    ["beside cookies that are hardly any", `;;=;==; =x; ${NAME}=${A}; \u{1}=`],
    ["under the name of https", `${SECURE}=${A}`],
    ["under the name of https, which nobody else can set", `${NAME}=${B}; ${SECURE}=${A}`],
  ])("finds the session %s", (_name, cookie) => {
    expect(find(cookie)).toBe(A);
  });

  it.each([
    ["no cookie", undefined],
    ["an empty header", ""],
    ["an empty value", `${NAME}=`],
    ["no value", NAME],
    ["no shop", `holdfast_session_=${A}`],
    ["another shop's", `holdfast_session_${OTHER}=${A}`],
    ["a shop's key that is too long", `${NAME}x=${A}`],
    ["a shop's key with other signs", `holdfast_session_${"%".repeat(16)}=${A}`],
    ["another case", `Holdfast_Session_${SHOP}=${A}`],
    ["the shop's key in another case", `holdfast_session_${SHOP.toUpperCase()}=${A}`],
    ["a value in quotes", `${NAME}="${A}"`],
    ["a value that is too short", `${NAME}=${A.slice(1)}`],
    ["a value that is too long", `${NAME}=${A}x`],
    ["a value with other signs", `${NAME}=${"%".repeat(43)}`],
    ["two of the same name", `${NAME}=${A}; ${NAME}=${B}`],
    ["the same twice", `${NAME}=${A}; ${NAME}=${A}`],
    ["a second one that is no session's", `${NAME}=${A}; ${NAME}=x`],
    ["two of https", `${SECURE}=${A}; ${SECURE}=${B}; ${NAME}=${A}`],
  ])("finds none in %s", (_name, cookie) => {
    expect(find(cookie)).toBeUndefined();
  });

  it("accepts over https only a cookie that only https can set", () => {
    expect(find(`${NAME}=${A}`, true)).toBeUndefined();
    expect(find(`${NAME}=${B}; ${SECURE}=${A}`, true)).toBe(A);
  });

  it("takes no longer for a hostile header than for any other", () => {
    const hostile = `${`${NAME}=;`.repeat(40_000)}${NAME}${" ".repeat(500_000)}`;
    const startMs = performance.now();
    expect(find(hostile)).toBeUndefined();
    // A search that starts over at each character would take minutes.
    expect(performance.now() - startMs).toBeLessThan(30_000);
  });
});

describe("listSessionCookies", () => {
  it("lists one session for each shop, and none where it isn't clear which", () => {
    const third = toShopKey("default");
    const cookie = [
      `${NAME}=${B}`,
      `${SECURE}=${A}`,
      `holdfast_session_${OTHER}=${B}`,
      `holdfast_session_${third}=${A}`,
      `holdfast_session_${third}=${B}`,
    ].join("; ");
    expect(listSessionCookies(asked(cookie), false)).toEqual([
      { shopKey: SHOP, value: A },
      { shopKey: OTHER, value: B },
    ]);
    expect(listSessionCookies(asked(cookie), true)).toEqual([{ shopKey: SHOP, value: A }]);
  });

  it("reads a limited number", () => {
    const many = Array.from(
      { length: 500 },
      (_, at) => `holdfast_session_${toShopKey(`shop:${at}`)}=${createSessionValue()}`,
    ).join("; ");
    expect(listSessionCookies(asked(many), false)).toHaveLength(40);
    expect(listSessionValues(asked(many))).toHaveLength(40);
    expect(toEndedCookies(asked(many))).toHaveLength(40);
  });
});

describe("listSessionValues", () => {
  it("lists every session once, of a shop or of all", () => {
    expect(listSessionValues(asked(undefined))).toEqual([]);
    const cookie = `${NAME}=${A}; ${SECURE}=${B}; ${NAME}=${A}; ${NAME}=x; holdfast_session_${OTHER}=${"o".repeat(43)}`;
    expect(listSessionValues(asked(cookie), SHOP)).toEqual([A, B]);
    expect(listSessionValues(asked(cookie))).toEqual([A, B, "o".repeat(43)]);
  });
});
