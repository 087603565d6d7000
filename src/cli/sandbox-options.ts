import { readFile } from "node:fs/promises";
import { explainSystemError, toConfigError } from "../base/errors.ts";
import type { SandboxServiceOptions } from "../sandbox/sandbox-service.ts";

export const SANDBOX_OPTIONS = [
  "port",
  "host",
  "key",
  "credits",
  "latency",
  "rate-limit",
  "data",
  "job-time",
  "tls-key",
  "tls-cert",
] as const;

/** Values of {@link SANDBOX_OPTIONS}, still text. */
export type SandboxArguments = Readonly<
  Partial<Record<(typeof SANDBOX_OPTIONS)[number], string | undefined>>
>;

/** Where a sandbox listens, the key that it accepts (undefined: its own), and its options. */
export type SandboxSettings = Awaited<ReturnType<typeof readSandboxSettings>>;

const DEFAULT_PORT = 4010;
const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_ITEM_MS = 1_000;
const LONGEST_LATENCY_MS = 120_000;
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Read the options of `holdfast sandbox`, and the files that they name.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` with the option at fault and what was expected.
 */
export async function readSandboxSettings(given: SandboxArguments) {
  const { key, host = DEFAULT_HOST } = given;
  if (host.trim() === "") throw toConfigError("--host: expected a name or an address");
  if (key !== undefined && !/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw toConfigError("--key: expected 1 to 200 printable characters without blanks");
  }
  if (given.data?.trim() === "") throw toConfigError("--data: expected the name of a file");
  return {
    port: readWhole("port", given.port, 65_535) ?? DEFAULT_PORT,
    host,
    key,
    service: {
      credits: readWhole("credits", given.credits, Number.MAX_SAFE_INTEGER),
      latencyMs: readWhole("latency", given.latency, LONGEST_LATENCY_MS),
      rateLimit: readRateLimit(given["rate-limit"]),
      path: given.data,
      catalog: { itemMs: readWhole("job-time", given["job-time"], LONGEST_LATENCY_MS) ?? DEFAULT_ITEM_MS },
      tls: await readTls(given["tls-key"], given["tls-cert"]),
    },
  };
}

function readWhole(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw toConfigError(`--${option}: expected a whole number from 0 to ${most}`);
}

function readRateLimit(text: string | undefined): SandboxServiceOptions["rateLimit"] {
  if (text === undefined) return undefined;
  const [, count = "", length = "1", unit = ""] = /^(\d{1,9})\/(\d{1,6})?(ms|s|m|h)$/.exec(text) ?? [];
  const limit = Number(count);
  const windowMs = Number(length) * (UNITS_MS[unit] ?? 0);
  if (limit > 0 && windowMs > 0) return { limit, windowMs };
  throw toConfigError("--rate-limit: expected N/WINDOW, e.g. 60/m, 5/s or 100/15m");
}

async function readTls(key: string | undefined, cert: string | undefined) {
  if (key === undefined && cert === undefined) return undefined;
  if (key === undefined || cert === undefined) {
    throw toConfigError("--tls-key and --tls-cert: expected both or neither");
  }
  return { key: await readPem("tls-key", key), cert: await readPem("tls-cert", cert) };
}

async function readPem(option: string, file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw toConfigError(`--${option}: can't read ${file}: ${explainSystemError(error)}`);
  });
  if (!text.includes("-----BEGIN ")) throw toConfigError(`--${option}: expected a file in PEM`);
  return text;
}
