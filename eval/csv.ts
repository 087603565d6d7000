/** A record of a CSV file, with the number of its first line; without cells if that line is broken. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[] | null;
}

/** A longer record counts as a quotation mark that was never closed. Far above the largest order. */
const MAX_RECORD_LENGTH = 131_072;
/** A cell and what ends it (RFC 4180, section 2; a bare CR ends a line as well). */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|\r|$)/y;
const LINE_END = /\r?\n|\r/g;

/** Cells and where the next record starts; `more` if the text ends too early to know. */
type Scan = "more" | "broken" | { readonly cells: readonly string[]; readonly end: number };

/**
 * Read CSV text, strictly by RFC 4180, record by record. Empty lines are left out.
 *
 * A broken record costs only its first line: reading continues with the next one, so that a quotation mark that was
 * never closed doesn't swallow the rest of the file. For the same reason a record over several lines must have as
 * many cells as the first record of the file.
 *
 * @param chunks Text, cut anywhere.
 */
export async function* readCsv(
  chunks: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<CsvRecord, void, undefined> {
  const read = createReader();
  for await (const chunk of chunks) yield* read(chunk, false);
  yield* read("", true);
}

function createReader(): (chunk: string, isLast: boolean) => Generator<CsvRecord, void, undefined> {
  let text = "";
  let line = 1;
  let isAtStart = true;
  /** In a broken line that is so long that its end hasn't arrived yet. */
  let isSkipping = false;
  let columns: number | undefined;

  function take(chunk: string): void {
    text += chunk;
    // A byte order mark isn't text.
    if (isAtStart && text.startsWith("\uFEFF")) text = text.slice(1);
    isAtStart &&= text === "";
  }

  return function* read(chunk, isLast) {
    take(chunk);
    let from = 0;
    while (from < text.length) {
      const scan = isSkipping ? "broken" : scanRecord(text, from, isLast, columns);
      if (scan === "more") break;
      const { cells, end } = scan === "broken" ? { cells: null, end: findLineEnd(text, from, isLast) } : scan;
      if (!isSkipping && !isEmptyLine(cells)) {
        columns ??= cells?.length;
        yield { line, cells };
      }
      isSkipping = end === null;
      line += countLineEnds(text, from, end ?? from);
      from = end ?? text.length;
    }
    text = text.slice(from);
  };
}

function scanRecord(text: string, from: number, isLast: boolean, columns: number | undefined): Scan {
  const cells: string[] = [];
  CELL.lastIndex = from;
  for (;;) {
    const match = CELL.exec(text);
    const end = match === null ? text.length : CELL.lastIndex;
    if (end - from > MAX_RECORD_LENGTH) return "broken";
    if (match === null) return isLast ? "broken" : "more";
    // The next chunk could still belong to this cell, or be the second half of a line end.
    if (end === text.length && !isLast && !match[0].endsWith("\n")) return "more";
    cells.push(toCell(match));
    if (match[3] !== ",")
      return isStretched(text, from, end, cells.length - (columns ?? cells.length))
        ? "broken"
        : { cells, end };
  }
}

/** Whether a record spans several lines and has too many or too few cells: its quotation marks belong elsewhere. */
function isStretched(text: string, from: number, end: number, excess: number): boolean {
  return excess !== 0 && countLineEnds(text, from, end) > 1;
}

function toCell([, quoted, plain = ""]: RegExpExecArray): string {
  return quoted === undefined ? plain : quoted.replaceAll('""', '"');
}

function isEmptyLine(cells: readonly string[] | null): boolean {
  return cells?.length === 1 && cells[0] === "";
}

/** Where the next line starts; null if the end of this one hasn't arrived yet. */
function findLineEnd(text: string, from: number, isLast: boolean): number | null {
  LINE_END.lastIndex = from;
  const match = LINE_END.exec(text);
  const end = match === null ? text.length : match.index + match[0].length;
  return end === text.length && match?.[0].endsWith("\n") !== true && !isLast ? null : end;
}

function countLineEnds(text: string, from: number, end: number): number {
  let count = 0;
  LINE_END.lastIndex = from;
  for (let match = LINE_END.exec(text); match !== null && match.index < end; match = LINE_END.exec(text))
    count += 1;
  return count;
}
