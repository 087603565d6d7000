import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CATALOG_OPERATIONS } from "../../src/catalog/operations/catalog-operations.ts";

/** The schemas of every operation's answer, whatever the groups are. */
function listAnswers(operations: object): readonly z.ZodType[] {
  return Object.values(operations).flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null) return [];
    if ("data" in one && one.data instanceof z.ZodType) return [one.data];
    return listAnswers(one);
  });
}

describe("CATALOG_OPERATIONS", () => {
  it("puts no name into zod's registry: a shop's own zod may share it, and refuse one that is there twice", () => {
    const answers = listAnswers(CATALOG_OPERATIONS);

    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter((schema) => z.globalRegistry.has(schema))).toEqual([]);
  });
});
