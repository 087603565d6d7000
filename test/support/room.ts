import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** What a run takes is a tenth of it. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** Where tests put their files: memory where there is plenty, for they make thousands of databases; a container has 64 MB of it. */
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
