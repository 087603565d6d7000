import * as fc from "fast-check";
import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { parseCsv, toCsvText } from "../../src/base/csv.ts";

// An empty line holds no record, and a lone byte order mark no text.
const cell = fc.string({ unit: fc.constantFrom(...('ab ,"\r\n;é😀'.match(/./gsu) ?? [])), maxLength: 8 });
const row = fc.array(cell, { minLength: 2, maxLength: 4 });

it("CSV text comes back as it was, and as another reader reads it", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
      const text = toCsvText(rows);

      expect(parseCsv(text)).toEqual(rows);
      expect(parse(text, { relax_column_count: true })).toEqual(rows);
    }),
    { numRuns: 500 },
  );
});

it("a byte order mark, LF line ends, blank lines and a missing last line end are read", () => {
  expect(parseCsv('\uFEFFa,b\n\n"1\n2",\n3,4')).toEqual([
    ["a", "b"],
    ["1\n2", ""],
    ["3", "4"],
  ]);
});
