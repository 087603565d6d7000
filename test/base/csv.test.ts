import * as fc from "fast-check";
import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { parseCsv, toCsvText } from "../../src/base/csv.ts";

// An empty line contains no record, and a lone byte order mark no text.
const cell = fc.string({ unit: fc.constantFrom(...('ab ,"\r\n;é😀'.match(/./gsu) ?? [])), maxLength: 8 });
const row = fc.array(cell, { minLength: 2, maxLength: 4 });

const cellsOf = (text: string) => parseCsv(text).map(({ cells }) => cells);

it("CSV text is parsed back unchanged, here and by another parser", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
      const text = toCsvText(rows);

      expect(cellsOf(text)).toEqual(rows);
      expect(parse(text, { relax_column_count: true })).toEqual(rows);
    }),
    { numRuns: 500 },
  );
});

it("a byte order mark, LF and CR line ends, blank lines and a missing last line end are accepted", () => {
  expect(parseCsv('\uFEFFa,b\n\n"1\n2",\r3,4\r\n5,')).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 3, cells: ["1\n2", ""] },
    { line: 5, cells: ["3", "4"] },
    { line: 6, cells: ["5", ""] },
  ]);
  expect([cellsOf(""), cellsOf("\n"), cellsOf("a"), cellsOf(",")]).toEqual([[], [], [["a"]], [["", ""]]]);
});

it("a quote inside a plain cell is text", () => {
  const text = 'A2,5" nail\r\nA3,a""b,"c"\r\n';

  expect(cellsOf(text)).toEqual([
    ["A2", '5" nail'],
    ["A3", 'a""b', "c"],
  ]);
  expect(parse(text, { relax_quotes: true, relax_column_count: true })).toEqual(cellsOf(text));
});

it.each([
  ["isn't closed", 'a,b\n1,"2\n3,4\n', 2],
  ["isn't closed, with a doubled quote", 'a,b\n\n"1\n",2\n3,"4""', 5],
  ["goes on after its closing quote", 'a,b\n"1"2,3\n', 2],
])("a quoted cell that %s is refused, with its line", (_what, text, line) => {
  expect(() => parseCsv(text)).toThrow(`line ${line}: expected a cell`);
});

it("a quoted cell of a megabyte is read", () => {
  const long = 'x"\n'.repeat(350_000);

  expect(cellsOf(toCsvText([["a", long]]))).toEqual([["a", long]]);
});
