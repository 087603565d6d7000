/**
 * What moves a process's clock: the library libfaketime and its settings (see `.ci/at-time`), and the time zone. And where
 * Node keeps compiled sources.
 */
const NAMES = ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC", "TZ", "NODE_COMPILE_CACHE"] as const;

/**
 * What a child process takes over from the run. Children of tests get few variables of their own; without these they would
 * live in another year where the whole run was moved, and take twice as long to start.
 */
export function runEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
