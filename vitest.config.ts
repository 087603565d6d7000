import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // A real PostgreSQL, for which the whole run waits about a second.
    globalSetup: ["test/support/postgres.ts"],
    sequence: { shuffle: true },
    // Only for what hangs: on two cores that twenty others use, tests of the whole app took over a minute.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // The tests of the whole app wait more than they compute: a third worker fills two cores.
    maxWorkers: 3,
  },
});
