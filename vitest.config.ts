import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // A real PostgreSQL, for which the whole run waits about a second.
    globalSetup: ["test/support/postgres.ts"],
    sequence: { shuffle: true },
    testTimeout: 60_000,
    hookTimeout: 30_000,
    // The tests of the whole app wait more than they compute: a third worker fills two cores.
    maxWorkers: 3,
  },
});
