import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ENGLISH_REFUSALS } from "../../src/base/english-refusals.ts";
import { describeRefusal, REFUSAL_CODES, refusalOf } from "../../src/base/refusals.ts";
import { REVIEW_OBSTACLES } from "../../src/store/orders/reviews.ts";
import { TEXTS } from "../../src/texts/en/refusals.ts";

const SOURCES = globSync("src/**/*.ts")
  .filter((file) => !/^src\/(?:texts\/|base\/english-refusals)|\/generated\//.test(file))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));
const ALL_SOURCES = SOURCES.map(({ text }) => text).join("\n");

describe("refusalOf", () => {
  it("says it in English, with its code and what it names", () => {
    expect(refusalOf(429, "sandbox-limit", { max: 30 })).toEqual({
      status: 429,
      detail: "You can create 30 sandbox orders per hour. Try again later.",
      refusal: "sandbox-limit",
      params: { max: 30 },
    });
    expect(describeRefusal("view-not-found")).toEqual({
      detail: "View not found.",
      refusal: "view-not-found",
    });
  });

  it("accepts only the params that the text names", () => {
    // @ts-expect-error: the limit is missing.
    expect(refusalOf(429, "sandbox-limit").detail).toContain("undefined");
    // @ts-expect-error: the text has no placeholder.
    expect(refusalOf(404, "not-found", { max: 1 }).detail).toBe("Not found.");
  });
});

describe("the codes", () => {
  it("are all used", () => {
    const composed = /^(?:viewer|reviewer|owner)-required$|^(?:service|catalog)-unreachable$/;
    const unused = REFUSAL_CODES.filter((code) => !composed.test(code) && !ALL_SOURCES.includes(`"${code}"`));

    expect(unused).toEqual([]);
  });

  it("are either translated or English only", () => {
    expect(Object.keys(ENGLISH_REFUSALS).filter((code) => Object.hasOwn(TEXTS, code))).toEqual([]);
  });

  it("name every obstacle to a person's decision", () => {
    const obstacles: readonly (keyof typeof ENGLISH_REFUSALS)[] = REVIEW_OBSTACLES;

    expect(obstacles.filter((code) => !Object.hasOwn(ENGLISH_REFUSALS, code))).toEqual([]);
  });

  it("stand for every detail that the server answers with", () => {
    // An answer's detail, or a status that a sentence follows. Timelines and findings have details of their own.
    const LITERALS = [
      /\b(?:const detail|detail:)\s*=?\s*["'`][A-Z][^"'`]*/g,
      /\bstatus: \d{3},\s*detail: [^,}]*/g,
      /\b(?:new ProblemError|sendProblem)\([^;]{0,120}?\bdetail: ["'`][^"'`]*/g,
    ];
    const written = SOURCES.filter(({ file }) => file.startsWith("src/server/")).flatMap(({ file, text }) =>
      LITERALS.flatMap((literal) => [...text.matchAll(literal)].map(([found]) => `${file}: ${found}`)),
    );

    expect(written).toEqual([]);
  });
});
