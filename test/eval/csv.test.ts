import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv, type CsvRecord } from "../../eval/csv.ts";
import { anyText } from "../support/any-text.ts";

/** Read text in pieces of `size` characters. */
async function readAll(text: string, size = text.length + 1): Promise<readonly CsvRecord[]> {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  const records: CsvRecord[] = [];
  for await (const record of readCsv(pieces)) records.push(record);
  return records;
}

async function readCells(text: string, size?: number): Promise<readonly (readonly string[] | null)[]> {
  return (await readAll(text, size)).map(({ cells }) => cells);
}

const anyCell = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", " ", '"', ",", "\n", "\r"), maxLength: 6 }),
  anyText({ maxLength: 6 }),
);
/** A table of two to four columns whose first line isn't empty and has no byte order mark. */
const anyTable = fc
  .integer({ min: 2, max: 4 })
  .chain((columns) =>
    fc.array(fc.array(anyCell, { minLength: columns, maxLength: columns }), { minLength: 1 }),
  )
  .filter((table) => table[0]?.[0]?.startsWith("\uFEFF") === false);

function write(table: readonly (readonly string[])[], lineEnd: string): string {
  const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return table.map((row) => row.map(quote).join(",") + lineEnd).join("");
}

describe("readCsv", () => {
  it("reads back every table, wherever the text is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTable,
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.integer({ min: 1, max: 20 }),
        async (table, lineEnd, size) => {
          expect(await readCells(write(table, lineEnd), size)).toEqual(table);
        },
      ),
    );
  });

  it("agrees with csv-parse on well-formed text", async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, fc.constantFrom("\n", "\r\n"), async (table, lineEnd) => {
        const text = write(table, lineEnd);
        const expected = parse(text, { record_delimiter: lineEnd });
        expect(await readCells(text)).toEqual(expected);
      }),
    );
  });

  it("reads the same from any text, wherever it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r"), maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (text, size) => {
          expect(await readAll(text, size)).toEqual(await readAll(text));
        },
      ),
    );
  });

  it.each([
    ["a quotation mark inside a plain cell", 'a,b\n1,x"y\n2,z\n'],
    ["text after a closing quotation mark", 'a,b\n1,"x"y\n2,z\n'],
    ["a quotation mark that is never closed", 'a,b\n1,"xy\n2,z\n'],
    ["one that is closed by the next record's", 'a,b\n1,"xy\n2,"z"\n'],
    ["one that makes a cell of several records", 'a,b\n1,"x\n2,z\n3,"",w\n4,"v"\n'],
  ])("loses one line to %s", async (_, text) => {
    for (const size of [1, 7, 1_000]) {
      const records = await readAll(text, size);

      expect(records[1]).toEqual({ line: 2, cells: null });
      expect(records[2]?.cells?.[0]).toBe("2");
      expect(records[2]?.line).toBe(3);
    }
  });

  it("recovers after a quotation mark that is never closed in a large file", async () => {
    const records = await readAll(`a,b\n1,"x\n${"2,z\n".repeat(100_000)}`, 65_536);

    expect(records).toHaveLength(100_002);
    expect(records.filter(({ cells }) => cells === null)).toEqual([{ line: 2, cells: null }]);
    expect(records.at(-1)).toEqual({ line: 100_002, cells: ["2", "z"] });
  });

  it("reports a line without end once and continues after it", async () => {
    const records = await readAll(`a,b\n${"x".repeat(500_000)}\r\n3,4\r\n`, 65_535);

    expect(records.slice(1)).toEqual([
      { line: 2, cells: null },
      { line: 3, cells: ["3", "4"] },
    ]);
  });

  it("leaves out a byte order mark and empty lines, and counts lines inside cells", async () => {
    const records = await readAll('\uFEFFa,b\r\n\r\n1,"x\ny"\r\n3,4', 2);

    expect(records).toEqual([
      { line: 1, cells: ["a", "b"] },
      { line: 3, cells: ["1", "x\ny"] },
      { line: 5, cells: ["3", "4"] },
    ]);
  });

  it("returns nothing for empty input", async () => {
    expect(await readAll("")).toEqual([]);
    expect(await readAll("\uFEFF")).toEqual([]);
    expect(await readAll("\n\r\n\n")).toEqual([]);
  });
});
