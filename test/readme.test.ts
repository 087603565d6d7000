import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import * as expressAdapter from "../adapters/express/index.ts";
import * as fastifyAdapter from "../adapters/fastify/index.ts";
import * as fetchAdapter from "../adapters/fetch/index.ts";
import { parseConfig, type Environment } from "../src/config.ts";
import { createApiRoutes } from "../src/server/api/api.ts";
import type { ServerParts } from "../src/server/server-parts.ts";
import * as library from "../src/index.ts";
import { createMetrics } from "../src/pipeline/metrics.ts";
import { DEFAULT_POLICY } from "../src/policy/policy.ts";
import * as testing from "../src/testing.ts";

const run = promisify(execFile);
const README = readFileSync("README.md", "utf8");
const DOCUMENTS = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md"),
];
const MODULES: Readonly<Record<string, object>> = {
  holdfast: library,
  "holdfast/express": expressAdapter,
  "holdfast/fastify": fastifyAdapter,
  "holdfast/fetch": fetchAdapter,
  "holdfast/testing": testing,
};

/** What stands under a second-level heading. */
function section(title: string): string {
  const parts = README.split(/^## /m);
  const found = parts.find((part) => part.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`the README has no section "${title}"`);
  return found;
}

/** Rows of the section's tables, as cells; headings and rulers left out. */
function rows(title: string): readonly (readonly string[])[] {
  const tables = section(title).match(/(?:^\|.*\n)+/gm) ?? [];
  return tables
    .flatMap((table) => table.trimEnd().split("\n").slice(2))
    .map((row) =>
      row
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

/** Words in backticks. */
function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
}

function codeBlocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? "");
}

/** Names of an exported interface's members. */
function membersOf(file: string, name: string): string[] {
  const body = new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)^\\}`, "m").exec(
    readFileSync(file, "utf8"),
  )?.[1];
  if (body === undefined) throw new Error(`${file} has no interface ${name}`);
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((match) => match[1] ?? "");
}

/** Every path to a value that is no object, dotted. */
function leaves(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([key, member]) =>
    leaves(member, path === "" ? key : `${path}.${key}`),
  );
}

describe("README", () => {
  it("has at most 250 lines", () => {
    expect(README.trimEnd().split("\n").length).toBeLessThanOrEqual(250);
  });

  it("starts with the two commands, each on a line of its own", () => {
    const lines = codeBlocks(section("Try it"), "sh").join("").split("\n");

    expect(lines).toContain("npm ci && npm run demo");
    expect(lines).toContain("npm ci && npm test");
  });

  it("shows what the demo prints", async () => {
    const { stdout } = await run(process.execPath, ["src/main.ts", "demo"]);

    // How often the app has to ask depends on how fast the machine is.
    const withoutCalls = (text: string): string => text.replace(/\d+ GraphQL calls/, "GraphQL calls").trim();
    expect(withoutCalls(codeBlocks(section("Try it"), "text").join(""))).toBe(withoutCalls(stdout));
  });

  it("lists the environment variables that are read, and no others", () => {
    const read = new Set<string>();
    const spy = (env: Environment): Environment =>
      new Proxy(env, {
        get(target, name) {
          if (typeof name === "string") read.add(name);
          return Reflect.get(target, name);
        },
      });
    parseConfig(spy({}));

    expect(
      rows("Environment")
        .map(([name = ""]) => name)
        .toSorted(),
    ).toEqual([...read].toSorted());
    expect(read.size).toBeGreaterThan(10);
  });

  it("tells the defaults of environment variables as they are", () => {
    const service = { VERIFY_URL: "https://verify.example", VERIFY_API_KEY: "key" };
    const told = rows("Environment").filter(([, value]) => !/^(?:none|made|discovered)\b/.test(value ?? ""));

    for (const [name = "", value = ""] of told) {
      expect(parseConfig({ ...service, [name]: value }), name).toEqual(parseConfig(service));
    }
    expect(told.length).toBeGreaterThan(3);
  });

  it("names every option of createScreener and verifyOrder, and no others", () => {
    const options = rows("Options").flatMap(([cell = ""]) => quoted(cell));
    const screener = membersOf("src/screening/screener.ts", "ScreenerOptions");
    const service = membersOf("src/screening/screener.ts", "ServiceOptions").map((name) => `service.${name}`);
    const guard = membersOf("adapters/express/middleware.ts", "VerifyOrderOptions");

    expect(options.toSorted()).toEqual([...screener, ...service, ...guard].toSorted());
    expect(membersOf("adapters/fetch/guard.ts", "VerifyOrderOptions")).toEqual(guard);
    expect(membersOf("adapters/fastify/middleware.ts", "VerifyOrderOptions")).toEqual(guard);
  });

  it("names what a check resolves to", () => {
    const shape = /resolves to `\{ ([^}]+) \}`/.exec(section("Options"))?.[1];

    expect(shape?.split(", ")).toEqual(membersOf("src/screening/order-check.ts", "OrderCheck"));
  });

  it("names every key of the policy with its default, and no others", () => {
    const table = rows("The policy").map(([keys = "", value = ""]) => ({
      keys: quoted(keys),
      values: quoted(value),
    }));
    const { levels, ...rest } = DEFAULT_POLICY;
    const named = table.flatMap(({ keys }) => keys);
    expect(named.toSorted()).toEqual(
      [...leaves(rest), ...Object.keys(levels).map((level) => `levels.${level}`)].toSorted(),
    );

    for (const { keys, values } of table) {
      for (const [index, key] of keys.entries()) {
        const actual = key
          .split(".")
          .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], DEFAULT_POLICY);
        const told = values[index] ?? values[0];
        if (!key.startsWith("levels.")) expect(told, key).toBe(JSON.stringify(actual));
        else expect({ action: values[0], tags: values.slice(1) }, key).toEqual(actual);
      }
    }
  });

  it("names every condition of a rule", () => {
    const when = /^A rule's `when` takes (.*?);/m.exec(section("The policy"))?.[1] ?? "";
    const source = readFileSync("src/policy/policy.ts", "utf8");
    const schema = /^const conditionsSchema = strict\(\{\n([\s\S]*?)^\}\)/m.exec(source)?.[1] ?? "";
    const conditions = [...schema.matchAll(/^ {2}(\w+):/gm)].map((match) => match[1] ?? "");

    expect(quoted(when)).toEqual(conditions);
    expect(conditions.length).toBeGreaterThan(10);
  });

  it("names every metric, and no others", async () => {
    const text = await createMetrics().render();
    const metrics = [...text.matchAll(/^# TYPE (\w+)/gm)].map((match) => match[1] ?? "");
    const named = quoted(section("Metrics")).filter((name) => name.startsWith("holdfast_"));

    expect(named.map((name) => name.replace(/\{.*/, "")).toSorted()).toEqual(metrics.toSorted());
  });

  it("names every route of the API, and no others", () => {
    // Creating routes touches none of the parts.
    const routes = createApiRoutes({} as ServerParts).flatMap(({ path, operations }) =>
      Object.keys(operations).map((method) => `${method} /api${path}`),
    );
    const named = quoted(section("HTTP")).filter((route) => / \/api\//.test(route));

    expect(named.toSorted()).toEqual(routes.toSorted());
  });
});

describe("code in the README", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-readme-"));
  const blocks = codeBlocks(README, "js");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(blocks.map((code, index) => ({ index, code })))("parses: block $index", async ({ index, code }) => {
    const file = join(folder, `block-${index}.mjs`);
    writeFileSync(file, code);

    await run(process.execPath, ["--check", file]);
  });

  it("imports what is exported", () => {
    const imports = blocks.flatMap((code) =>
      [...code.matchAll(/^import \{ ([^}]+) \} from "(holdfast[^"]*)";$/gm)].flatMap(
        ([, names = "", from = ""]) => names.split(", ").map((name) => ({ name, from })),
      ),
    );

    expect(imports.filter(({ name, from }) => !(name in (MODULES[from] ?? {})))).toEqual([]);
    expect(imports.length).toBeGreaterThan(3);
  });

  it("begins with a whole storefront under its heading", () => {
    const [storefront = ""] = codeBlocks(section("Ten lines for a storefront"), "js");

    expect(blocks[0]).toBe(storefront);
    expect(storefront).toContain('app.post("/orders"');
    expect(storefront).toContain("process.env.PORT ?? 3000");
  });
});

describe.each(DOCUMENTS)("%s", (document) => {
  const text = readFileSync(document, "utf8");

  it("names commands that exist", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = [...text.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(test|start)\b)/g)].map(
      ([, script, short]) => script ?? short ?? "",
    );

    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it("links to what is there", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
    const inside = links.filter((link) => !/^[a-z]+:/.test(link));

    expect(inside.filter((link) => !isThere(document, link))).toEqual([]);
  });
});

function isThere(document: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : join(dirname(document), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** Anchors as GitHub makes them of headings. */
function anchorsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
