import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** Compiling takes seconds, and a minute on cores that twenty other processes use. */
export const COMPILE_LIMIT_MS = 240_000;

/** A run of a function: what it wrote, or that it stopped. Shopify lets the buyer continue then. */
export type FunctionRun = { readonly output: unknown } | { readonly failed: string };

export interface CompiledFunction {
  readonly bytes: Buffer;
  readonly module: WebAssembly.Module;
}

/** The function that refuses buyers. */
export const compileBlockList = (): Promise<CompiledFunction> => compile("extensions/block-list");
/** The function that hides payment methods. */
export const compileBlockPayment = (): Promise<CompiledFunction> => compile("extensions/block-payment");

/** Compile a function with the command of its `shopify.extension.toml`. */
async function compile(path: string): Promise<CompiledFunction> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-function-"));
  try {
    const outFile = join(folder, "function.wasm");
    const compiler = createRequire(resolve(path, "package.json")).resolve("assemblyscript/bin/asc.js");
    const options = ["--config", "asconfig.json", "--outFile", outFile];
    await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: path });
    const bytes = await readFile(outFile);
    return { bytes, module: await WebAssembly.compile(new Uint8Array(bytes)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What the TOML names: a function has no other export that can be called. */
function findRun(exports: WebAssembly.Exports): () => void {
  const [run] = Object.entries(exports).flatMap(([name, one]) => (name.endsWith("_run") ? [one] : []));
  return run as () => void;
}

/** Run the function as Shopify does: in a new instance, input on standard input, output from standard output. */
export function runFunction(module: WebAssembly.Module, input: string | Buffer): FunctionRun {
  const bytes = Buffer.from(input as string);
  const written: Buffer[] = [];
  let at = 0;
  let memory: WebAssembly.Memory | undefined;
  const view = () => new DataView((memory as WebAssembly.Memory).buffer);
  const buffers = (vectors: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const address = view().getUint32(vectors + 8 * index, true);
      const length = view().getUint32(vectors + 8 * index + 4, true);
      return Buffer.from((memory as WebAssembly.Memory).buffer, address, length);
    });
  const wasi = {
    // Hands out little at a time, as a pipe may.
    fd_read(fd: number, vectors: number, count: number, result: number): number {
      if (fd !== 0) return 8;
      let read = 0;
      for (const buffer of buffers(vectors, count)) {
        const copied = bytes.copy(buffer, 0, at, Math.min(bytes.length, at + 4_096));
        at += copied;
        read += copied;
      }
      view().setUint32(result, read, true);
      return 0;
    },
    fd_write(fd: number, vectors: number, count: number, result: number): number {
      if (fd !== 1) return 8;
      const parts = buffers(vectors, count).map((buffer) => Buffer.from(buffer.subarray(0, 100)));
      written.push(...parts);
      view().setUint32(result, Buffer.concat(parts).length, true);
      return 0;
    },
  };
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi });
  memory = exports["memory"] as WebAssembly.Memory;
  try {
    findRun(exports)();
  } catch (error) {
    return { failed: String(error) };
  }
  return { output: JSON.parse(Buffer.concat(written).toString()) as unknown };
}
