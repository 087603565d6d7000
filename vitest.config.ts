import { createHash } from "node:crypto";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { textCompiler } from "./scripts/compile-texts.ts";
import { findRoom } from "./test/support/room.ts";

/** What takes minutes on two cores: kills at every step, outages, a browser, 200,000 rows, the packed package. */
const SYSTEM = [
  "test/system/**/*.test.ts",
  "test/e2e/**/*.test.ts",
  "test/package/**/*.test.ts",
  "test/docs/**/*.test.ts",
];
/** Real hosts from npm, with the packed package in them. */
const HOSTS = ["test/hosts/**/*.test.ts"];
const ACCEPTANCE = ["test/acceptance/**/*.test.ts"];
/** The app, for tests that start it in processes of its own. */
const APP = ["test/support/app-bundle.ts"];
/** Their databases are in memory where it is plenty: waits for the disk are a third of the time of those on SQLite. */
const IN_MEMORY = { TMPDIR: findRoom() };

/** Takes longer than any other file, so it must not begin last. */
const LONGEST = "postgres-store.test.ts";

/** Runs files in random order, but one project after the other: a worker that switches projects imports everything again. */
class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const toPlace = ({ project, moduleId }: TestSpecification): string =>
      [
        project.name,
        moduleId.endsWith(LONGEST) ? 0 : 1,
        createHash("sha1").update(`${seed} ${moduleId}`).digest("hex"),
      ].join(" ");
    return files.toSorted((a, b) => (toPlace(a) < toPlace(b) ? -1 : 1));
  }
}

export default defineConfig({
  plugins: [textCompiler()],
  test: {
    // A real PostgreSQL, for which the whole run waits about a second.
    globalSetup: ["test/support/postgres.ts"],
    // What a screener without a logger prints about the failures that tests cause.
    onConsoleLog: (log) => !/^holdfast (?:warning|error): /.test(log),
    sequence: { shuffle: { tests: true }, sequencer: ProjectByProject },
    // Only for what hangs: on two cores that twenty others use, tests of the whole app took over a minute.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // The tests of the whole app wait more than they compute: a third worker fills two cores.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...SYSTEM, ...HOSTS, ...ACCEPTANCE],
          // A worker imports the sources once, not once per file: half the time. No test changes what others import.
          isolate: false,
          env: IN_MEMORY,
        },
      },
      {
        extends: true,
        test: {
          name: "acceptance",
          include: ACCEPTANCE,
          globalSetup: APP,
          isolate: false,
          env: IN_MEMORY,
        },
      },
      {
        extends: true,
        test: { name: "system", include: SYSTEM, globalSetup: APP, testTimeout: 300_000 },
      },
      {
        extends: true,
        // Installs and builds wait for the disk and the network more than they compute.
        test: {
          name: "hosts",
          include: HOSTS,
          globalSetup: ["test/hosts/pack.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
