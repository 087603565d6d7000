import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { expected, FIELD_CODES, readExpected, toFieldProblem } from "../../src/base/field-codes.ts";
import { toExpectation, toFieldProblems } from "../../src/order/field-problems.ts";

const SOURCES = globSync("src/**/*.ts")
  .filter((file) => !file.startsWith("src/texts/") && !file.includes("/generated/"))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));
const ALL_SOURCES = SOURCES.map(({ text }) => text).join("\n");

describe("toFieldProblem", () => {
  it("says it in English, with its code and what it names", () => {
    expect(toFieldProblem("hold.deadlineHours", "whole-number-between", { min: 1, max: 2_160 })).toEqual({
      path: "hold.deadlineHours",
      message: "expected a whole number from 1 to 2160",
      code: "whole-number-between",
      params: { min: 1, max: 2_160 },
    });
    expect(toFieldProblem("name", "name")).toEqual({
      path: "name",
      message: "expected a name",
      code: "name",
    });
  });

  it("accepts only the params that the text names", () => {
    // @ts-expect-error: the limit is missing.
    expect(toFieldProblem("name", "max-characters").message).toBe("expected at most undefined characters");
    // @ts-expect-error: the text has no placeholder.
    expect(toFieldProblem("name", "name", { max: 1 }).message).toBe("expected a name");
  });
});

describe("readExpected", () => {
  it("reads what a schema said", () => {
    const message = expected("one-of", { allowed: 'a "quoted" {word}\nand another' });

    expect(readExpected("list", message)).toEqual({
      path: "list",
      message: 'expected one of a "quoted" {word}\nand another',
      code: "one-of",
      params: { allowed: 'a "quoted" {word}\nand another' },
    });
  });

  it.each(["expected text", "field:constructor {}", "field:from-the-future {}"])(
    "leaves %j as it is",
    (message) => {
      expect(readExpected("x", message)).toEqual({ path: "x", message });
    },
  );
});

it.each<[name: string, schema: z.ZodType, value: unknown, problem: object]>([
  ["a missing text", z.object({ a: z.string() }), {}, { path: "a", code: "text" }],
  ["a number that is too small", z.number().min(3), 1, { code: "min-number", params: { min: 3 } }],
  ["a list that is too long", z.array(z.int()).max(1), [1, 2], { code: "max-entries", params: { max: 1 } }],
  ["a text that is too short", z.string().min(2), "a", { code: "min-characters", params: { min: 2 } }],
  ["a text of another format", z.string().regex(/^x/), "a", { code: "format" }],
  ["a value that isn't allowed", z.enum(["a", "b"]), "c", { code: "one-of", params: { allowed: "a, b" } }],
  ["an unknown key", z.strictObject({}), { z: 1 }, { path: "z", code: "unknown-field" }],
  ["no member of a union", z.union([z.int(), z.boolean()]), "c", { code: "invalid" }],
  ["a check without words", z.string().refine(() => false), "c", { code: "invalid" }],
])("has a code for %s, which zod found", (_, schema, value, problem) => {
  const { error } = schema.safeParse(value, { error: toExpectation });

  expect(error === undefined ? [] : toFieldProblems(error)).toEqual([expect.objectContaining(problem)]);
});

describe("the codes", () => {
  it("are all used", () => {
    const composed =
      /^(?:list-of-(?:channels|entries|rules|tags)|(?:min|max)-(?:characters|entries|number))$/;
    const unused = FIELD_CODES.filter((code) => !composed.test(code) && !ALL_SOURCES.includes(`"${code}"`));

    expect(unused).toEqual([]);
  });

  it("stand for every text about a field of the policy and of the API", () => {
    const written = SOURCES.filter(({ file }) => /^src\/(?:policy|server)\//.test(file)).flatMap(
      ({ file, text }) =>
        [...text.matchAll(/["`]expected [^"`]*["`]|\bpath: [^,{}]+, message: ["`]/g)].map(
          ([found]) => `${file}: ${found}`,
        ),
    );

    expect(written).toEqual([]);
  });
});
