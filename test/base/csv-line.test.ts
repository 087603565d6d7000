import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCsvLine, type CsvValue } from "../../src/base/csv.ts";

const read = (text: string): string[][] => parse(text);

describe("toCsvLine", () => {
  it.each<[CsvValue[], string]>([
    [["a", 1.5, null], "a,1.5,\r\n"],
    [["a,b", 'say "x"', "two\nlines"], '"a,b","say ""x""","two\nlines"\r\n'],
    [[-5, "-5"], "-5,'-5\r\n"],
    [["=1+1", "+1", "@SUM(A1)", "\t=1", "\r=1"], "'=1+1,'+1,'@SUM(A1),'\t=1,\"'\r=1\"\r\n"],
    [["＝1", "＠x"], "'＝1,'＠x\r\n"],
    [['=HYPERLINK("http://x.example")'], '"\'=HYPERLINK(""http://x.example"")"\r\n'],
  ])("writes %j", (values, line) => {
    expect(toCsvLine(values)).toBe(line);
  });

  it("is parsed back to the same values, except for formulas", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string(), { minLength: 3, maxLength: 3 }), { minLength: 1 }),
        (rows) => {
          const filled = rows.map((row) => row.map((text) => `x${text}`));
          expect(read(filled.map(toCsvLine).join(""))).toEqual(filled);
          for (const field of read(rows.map(toCsvLine).join("")).flat()) {
            expect(field).not.toMatch(/^[=+\-@\t\r\n]/);
          }
        },
      ),
    );
  });
});
