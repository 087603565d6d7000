import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CSV_START, toCsvLine, type CsvValue } from "../../base/csv.ts";
import type { Logger } from "../../base/logger.ts";

interface CsvFile {
  /** Without characters that a header would have to quote. */
  readonly name: string;
  readonly heading: readonly string[];
  /** Its rows, made while they are sent. */
  readonly pages: AsyncGenerator<readonly (readonly CsvValue[])[]>;
}

/** Send a CSV file page by page. Rejects if its first page can't be made, so that the failure can still be reported. */
export async function sendCsv(
  { logger }: { readonly logger: Logger },
  res: ServerResponse,
  { name, heading, pages }: CsvFile,
): Promise<void> {
  const first = await pages.next();
  res.writeHead(200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}"`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });

  async function* lines(): AsyncGenerator<string> {
    yield CSV_START + toCsvLine(heading);
    for (const row of first.value ?? []) yield toCsvLine(row);
    for await (const page of pages) yield page.map(toCsvLine).join("");
  }

  try {
    await pipeline(Readable.from(lines()), res);
  } catch (error) {
    // Cut the connection, so that nobody mistakes a part of the file for the whole.
    logger.warn({ err: error }, "a file couldn't be sent completely");
  }
}
