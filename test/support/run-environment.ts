/**
 * Variables that move a process's clock: the library libfaketime and its settings (see `.ci/at-time`), and the time
 * zone. Also where Node saves compiled sources.
 */
const NAMES = ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC", "TZ", "NODE_COMPILE_CACHE"] as const;

/**
 * The variables that a child process inherits from the run. Children of tests get few variables; without these they
 * would be in another year if the whole run was moved, and take twice as long to start.
 */
export function runEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
