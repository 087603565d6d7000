import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";
import { percentile } from "./figure.ts";

/** The machine that the figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly system: string;
  /** Processes that wanted a core in the last minute, without this one. */
  readonly load: number;
  /** Type of the file system under test; one in memory proves nothing about durability. */
  readonly fileSystem: string;
  /** Median time to write 8 KiB to that disk, in milliseconds. */
  readonly syncMs: number;
}

const FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0xef53, "ext"],
  [0x58465342, "xfs"],
  [0x9123683e, "btrfs"],
  [0x2fc12fc1, "zfs"],
  [0x794c7630, "overlay"],
  [0x01021994, "tmpfs (memory)"],
  [0x858458f6, "ramfs (memory)"],
]);

/** Describe the machine and the disk that holds `folder`. */
export function inspectMachine(folder: string): Machine {
  const { type } = statfsSync(folder);
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    system: `${process.platform} ${release()}`,
    load: loadavg()[0] ?? 0,
    fileSystem: FILE_SYSTEMS.get(type) ?? `0x${type.toString(16)}`,
    syncMs: measureSync(folder),
  };
}

/**
 * CPU time that the host of a virtual machine has given to others while this one wanted to run, in ticks of 10 ms since it
 * started. Always 0 where the system doesn't report it.
 */
export function readStolenTicks(): number {
  if (process.platform !== "linux") return 0;
  // The line of all cores: user nice system idle iowait irq softirq steal.
  const [, , , , , , , stolen] = readFileSync("/proc/stat", "utf8").slice(3, 200).trim().split(/\s+/);
  return Number(stolen ?? 0);
}

/** The machine in one line. */
export function toMachineLine(machine: Machine): string {
  const { cpu, cores, memoryGiB, node, system, load, fileSystem, syncMs } = machine;
  const disk = `${fileSystem}, ${syncMs.toFixed(2)} ms a sync`;
  return `${cores} x ${cpu}, ${memoryGiB} GiB, ${disk}; Node ${node}, ${system}; load ${load.toFixed(1)} at the start`;
}

const SYNCS = 200;
const BLOCK = Buffer.alloc(8_192, 1);

function measureSync(folder: string): number {
  const path = join(folder, "sync");
  const file = openSync(path, "w");
  const timesMs = Array.from({ length: SYNCS }, () => {
    writeSync(file, BLOCK);
    const startMs = performance.now();
    fdatasyncSync(file);
    return performance.now() - startMs;
  });
  closeSync(file);
  rmSync(path);
  return percentile(timesMs, 0.5);
}
