import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** A run uses a tenth of it. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** Where tests put their files: in memory if there is plenty, for thousands of databases. A container has 64 MB. */
export function findRoom(): string {
  const memory = "/dev/shm";
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > ROOM_BYTES ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
