import type { IncomingMessage } from "node:http";
import type { BusboyHeaders, BusboyInstance } from "@fastify/busboy";
import type { BuyerTextKey } from "../../buyer-check/texts/en.ts";
import type { Submitted } from "./submitted-body.ts";
import type { Sender, UploadSlots } from "./upload-slots.ts";

/** A form of ours has a note, a file and the button that was pressed. */
const LIMITS = { files: 1, fields: 8, parts: 9, fieldSize: 16 * 1024, headerPairs: 16, headerSize: 4 * 1024 };
/** A phone's upload may be slow. The server itself gives up a little later. */
const TIMEOUT_MS = 60_000;
/**
 * What is read at most of a body whose file is too large: a browser shows an answer only once it has sent everything. Only
 * {@link UploadOptions.fileBytes} of it are kept.
 */
const MOST_BYTES = 48 * 1024 * 1024;
const MULTIPART = /^multipart\/form-data\s*;/i;
/** The only field that can bring a file. */
const FILE_FIELD = "file";

export interface UploadOptions {
  readonly fileBytes: number;
  readonly slots: UploadSlots;
  readonly sender: Sender;
}

/** Read a form with a file. Never rejects. */
export async function readUpload(req: IncomingMessage, options: UploadOptions): Promise<Submitted> {
  const headers = { "content-type": req.headers["content-type"] ?? "" };
  const encoding = req.headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity" || !MULTIPART.test(headers["content-type"]))
    return refuse("try-again");
  if (Number(req.headers["content-length"] ?? 0) > MOST_BYTES) return refuse("file-too-large");
  const parser = await openParser(headers, options.fileBytes);
  if (parser === null) return refuse("try-again");
  return req.destroyed ? { outcome: "gone" } : await collect(req, parser, options);
}

function refuse(problem: BuyerTextKey): Submitted {
  return { outcome: "refused", problem, isFree: false, fields: new Map() };
}

/** Null for a form that has no boundary. */
async function openParser(headers: BusboyHeaders, fileSize: number): Promise<BusboyInstance | null> {
  const { Busboy: Parser } = await import("@fastify/busboy");
  try {
    const isPartAFile = (name: string | undefined): boolean => name === FILE_FIELD;
    return new Parser({ headers, isPartAFile, limits: { ...LIMITS, fileSize } });
  } catch {
    return null;
  }
}

/** What has arrived of a form. */
interface Arrived {
  readonly fields: Map<string, string>;
  readonly file: FileBytes;
  isCut: boolean;
  /** Why nothing more is kept. What still arrives is read and dropped. */
  fault: { readonly problem: BuyerTextKey; readonly isFree: boolean } | null;
}

function collect(req: IncomingMessage, parser: BusboyInstance, options: UploadOptions): Promise<Submitted> {
  const arrived: Arrived = { fields: new Map(), file: createFileBytes(), isCut: false, fault: null };
  return new Promise((resolve) => {
    let bytes = 0;
    const open = { request: true, parser: true };

    const fail = (problem: BuyerTextKey, isFree: boolean): void => {
      arrived.fault ??= { problem, isFree };
      arrived.file.drop();
    };
    let slot: ReturnType<UploadSlots["take"]>;
    /** Only a file takes a place: a note alone is small. */
    function onFile(): void {
      if (arrived.fault !== null) return;
      slot = options.slots.take(options.sender, () => fail("upload-busy", true));
      if (slot === undefined) fail("upload-busy", true);
    }

    function end(outcome: "read" | "gone"): void {
      clearTimeout(timer);
      req.off("data", onData).off("end", onEnd).off("close", onClose).unpipe(parser);
      parser.removeAllListeners().on("error", ignore).destroy();
      if (outcome === "gone" || arrived.fault !== null) slot?.release();
      else slot?.complete();
      resolve(outcome === "gone" ? { outcome } : toSubmitted(arrived, () => slot?.release()));
    }
    /** The rest of a form that can't be read is dropped as it arrives, so that the browser shows why. */
    function onParsed(): void {
      open.parser = false;
      if (!open.request) end("read");
    }
    function onEnd(): void {
      open.request = false;
      if (!open.parser || arrived.fault !== null) end("read");
    }
    function onData(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes <= MOST_BYTES) return;
      fail("file-too-large", false);
      end("read");
    }
    // It also closes after its end, perhaps before the last parts were read.
    function onClose(): void {
      if (open.request) end("gone");
    }
    function onUnreadable(): void {
      fail("try-again", false);
      req.unpipe(parser).resume();
      onParsed();
    }

    const timer = setTimeout(() => {
      fail("upload-slow", true);
      end("read");
    }, TIMEOUT_MS);
    readParts(parser, arrived, onFile);
    for (const event of ["partsLimit", "filesLimit", "fieldsLimit", "error"] as const)
      parser.on(event, onUnreadable);
    parser.on("finish", onParsed);
    req.on("error", ignore).on("data", onData).on("end", onEnd).on("close", onClose).pipe(parser);
  });
}

/** Keep the parts of a form as they arrive. */
function readParts(parser: BusboyInstance, arrived: Arrived, onFile: () => void): void {
  parser.on("field", (name: unknown, value) => {
    if (typeof name === "string" && !arrived.fields.has(name)) arrived.fields.set(name, value);
  });
  parser.on("file", (_name, file) => {
    file.on("error", ignore);
    file.on("limit", () => (arrived.isCut = true));
    // Browsers also send the field of a file that nobody chose, without a byte.
    file.once("data", onFile);
    file.on("data", (chunk: Buffer) => {
      if (arrived.fault === null) arrived.file.add(chunk);
    });
  });
}

function toSubmitted({ fields, file, isCut, fault }: Arrived, release: () => void): Submitted {
  if (fault !== null) return { outcome: "refused", ...fault, fields };
  const bytes = file.join();
  return {
    outcome: "read",
    body: { fields, file: bytes.length === 0 ? undefined : { bytes, isCut } },
    release,
  };
}

const BLOCK_BYTES = 64 * 1024;

type FileBytes = ReturnType<typeof createFileBytes>;

/** Bytes in blocks, because whoever sends a file byte by byte would make each of them a buffer that is a hundred times as large. */
function createFileBytes() {
  let blocks: Buffer[] = [];
  let left = 0;
  return {
    add(chunk: Buffer): void {
      for (let at = 0; at < chunk.length;) {
        if (left === 0) {
          blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
          left = BLOCK_BYTES;
        }
        const copied = chunk.copy(blocks.at(-1) ?? chunk, BLOCK_BYTES - left, at);
        at += copied;
        left -= copied;
      }
    },
    drop(): void {
      [blocks, left] = [[], 0];
    },
    join(): Buffer {
      const bytes = Buffer.concat(blocks, blocks.length * BLOCK_BYTES - left);
      blocks = [];
      return bytes;
    },
  };
}

function ignore(): void {}
