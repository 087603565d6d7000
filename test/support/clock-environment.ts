/** What moves a process's clock: the library libfaketime and its settings (see `.ci/at-time`), and the time zone. */
const NAMES = ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC", "TZ"] as const;

/**
 * Environment of a child process that is to have this process's clock. Children of tests get few variables of their own;
 * without these they would live in another year where the whole run was moved.
 */
export function clockEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
