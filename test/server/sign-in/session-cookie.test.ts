import { describe, expect, it } from "vitest";
import {
  createSessionValue,
  findSessionValue,
  listSessionValues,
  toEndedCookies,
  toSessionCookie,
} from "../../../src/server/sign-in/session-cookie.ts";

const [A, B] = [createSessionValue(), createSessionValue()];
const asked = (cookie: string | undefined) => ({ headers: cookie === undefined ? {} : { cookie } });

describe("createSessionValue", () => {
  it("returns 256 bits that differ each time", () => {
    const values = new Set(Array.from({ length: 1_000 }, createSessionValue));
    expect(values.size).toBe(1_000);
    for (const value of values) expect(Buffer.from(value, "base64url")).toHaveLength(32);
  });
});

describe("toSessionCookie", () => {
  it("hides it from scripts, other sites and, over https, from other hosts and plain http", () => {
    expect(toSessionCookie(A, false)).toBe(
      `holdfast_session=${A}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict`,
    );
    expect(toSessionCookie(A, true)).toBe(
      `__Host-holdfast_session=${A}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure`,
    );
  });
});

describe("toEndedCookies", () => {
  it("makes the browser delete them", () => {
    const ended = "Path=/; Max-Age=0; HttpOnly; SameSite=Strict";
    expect(toEndedCookies(false)).toEqual([`holdfast_session=; ${ended}`]);
    expect(toEndedCookies(true)).toEqual([
      `__Host-holdfast_session=; ${ended}; Secure`,
      `holdfast_session=; ${ended}`,
    ]);
  });
});

describe("findSessionValue", () => {
  it.each([
    ["alone", `holdfast_session=${A}`],
    ["among others", `a=1; holdfast_session=${A};b=2`],
    ["with spaces around", `  holdfast_session =  ${A}  ; x`],
    [
      "beside names that contain its own",
      `xholdfast_session=${B}; holdfast_session2=${B}; holdfast_session=${A}`,
    ],
    ["beside cookies that are hardly any", `;;=;==; =x; holdfast_session=${A}; \u{1}=`],
    ["under the name of https", `__Host-holdfast_session=${A}`],
    [
      "under the name of https, which nobody else can set",
      `holdfast_session=${B}; __Host-holdfast_session=${A}`,
    ],
  ])("finds the session %s", (_name, cookie) => {
    expect(findSessionValue(asked(cookie), false)).toBe(A);
  });

  it.each([
    ["no cookie", undefined],
    ["an empty header", ""],
    ["an empty value", "holdfast_session="],
    ["no value", "holdfast_session"],
    ["another case", `Holdfast_Session=${A}`],
    ["a value in quotes", `holdfast_session="${A}"`],
    ["a value that is too short", `holdfast_session=${A.slice(1)}`],
    ["a value that is too long", `holdfast_session=${A}x`],
    ["a value with other signs", `holdfast_session=${"%".repeat(43)}`],
    ["two of the same name", `holdfast_session=${A}; holdfast_session=${B}`],
    ["the same twice", `holdfast_session=${A}; holdfast_session=${A}`],
    ["a second one that is no session's", `holdfast_session=${A}; holdfast_session=x`],
    ["two of https", `__Host-holdfast_session=${A}; __Host-holdfast_session=${B}; holdfast_session=${A}`],
  ])("finds none in %s", (_name, cookie) => {
    expect(findSessionValue(asked(cookie), false)).toBeUndefined();
  });

  it("accepts over https only a cookie that only https can set", () => {
    expect(findSessionValue(asked(`holdfast_session=${A}`), true)).toBeUndefined();
    expect(findSessionValue(asked(`holdfast_session=${B}; __Host-holdfast_session=${A}`), true)).toBe(A);
  });

  it("takes no longer for a hostile header than for any other", () => {
    const hostile = `${"holdfast_session=;".repeat(40_000)}holdfast_session${" ".repeat(500_000)}`;
    const startMs = performance.now();
    expect(findSessionValue(asked(hostile), false)).toBeUndefined();
    // A search that starts over at each character would take minutes.
    expect(performance.now() - startMs).toBeLessThan(30_000);
  });
});

describe("listSessionValues", () => {
  it("lists every session of the request once, up to a few", () => {
    expect(listSessionValues(asked(undefined))).toEqual([]);
    expect(
      listSessionValues(
        asked(
          `holdfast_session=${A}; __Host-holdfast_session=${B}; holdfast_session=${A}; holdfast_session=x`,
        ),
      ),
    ).toEqual([B, A]);
    const many = Array.from({ length: 50 }, () => `holdfast_session=${createSessionValue()}`).join("; ");
    expect(listSessionValues(asked(many))).toHaveLength(4);
  });
});
