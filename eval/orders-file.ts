import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { readCsv } from "./csv.ts";
import type { LabelledOrder } from "./labelled-order.ts";
import { readRow, type OddCell, type Row } from "./read-row.ts";
import { parseHeader, type Header } from "./request-columns.ts";

/** A row that can't be used. Never contains a value of it. */
export interface BadRow {
  /** Line of the file, from 1. */
  readonly line: number;
  /** Null when the whole row is at fault. */
  readonly column: string | null;
  readonly problem: string;
}

/** Cells of one column that the request schema would refuse; their rows were judged anyway. */
export interface OddCells extends OddCell {
  readonly cells: number;
  readonly firstLine: number;
}

/** The result of reading a file. Complete once all its orders were taken. */
export interface FileReport {
  readonly badRows: {
    readonly count: number;
    /** The first twenty. */
    readonly first: readonly BadRow[];
  };
  readonly unknownColumns: readonly string[];
  readonly oddCells: readonly OddCells[];
}

/** A file of labeled orders. Made by {@link openOrdersFile}. */
export interface OrdersFile {
  /** The orders, in the order of the file. Can be read once. */
  readonly orders: AsyncIterable<LabelledOrder>;
  report(): FileReport;
}

/** Options of {@link openOrdersFile}. */
export interface OrdersFileOptions {
  /** Called with the share of the file that has been read, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

const BAD_ROWS_NAMED = 20;

/**
 * Open a CSV file of labeled orders, whose columns are named after the fields of a verification request.
 *
 * @throws {Error} when the file can't be read. Taking its orders throws if it has no usable heading.
 */
export async function openOrdersFile(path: string, options: OrdersFileOptions = {}): Promise<OrdersFile> {
  const { size } = await stat(path);
  const notes = createNotes();

  async function* readOrders(): AsyncGenerator<LabelledOrder, void, undefined> {
    const file = createReadStream(path, { encoding: "utf8" });
    let header: Header | undefined;
    for await (const { line, cells } of readCsv(file as AsyncIterable<string>)) {
      if (header === undefined) {
        if (cells === null) throw new Error("the first line of the file is not CSV");
        header = parseHeader(cells);
        notes.unknownColumns.push(...header.unknown);
        continue;
      }
      options.onProgress?.(size === 0 ? 1 : file.bytesRead / size);
      const row: Row =
        cells === null
          ? { kind: "bad", column: null, problem: "a quotation mark in the wrong place" }
          : readRow(header, cells);
      if (row.kind === "order") {
        notes.addOdd(row.odd, line);
        yield row.order;
      } else notes.addBad({ line, column: row.column, problem: row.problem });
    }
    if (header === undefined) throw new Error("the file is empty");
  }

  return { orders: readOrders(), report: notes.report };
}

function createNotes() {
  const unknownColumns: string[] = [];
  const first: BadRow[] = [];
  const oddCells = new Map<string, OddCells>();
  let badRows = 0;
  return {
    unknownColumns,
    addBad(row: BadRow): void {
      badRows += 1;
      if (first.length < BAD_ROWS_NAMED) first.push(row);
    },
    addOdd(odd: readonly OddCell[], line: number): void {
      for (const { column, expected } of odd) {
        const key = `${column}\0${expected}`;
        const known = oddCells.get(key) ?? { column, expected, cells: 0, firstLine: line };
        oddCells.set(key, { ...known, cells: known.cells + 1 });
      }
    },
    report: (): FileReport => ({
      badRows: { count: badRows, first },
      unknownColumns,
      oddCells: [...oddCells.values()],
    }),
  };
}
