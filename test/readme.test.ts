import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import * as catalog from "../src/catalog.ts";
import * as library from "../src/index.ts";
import * as management from "../src/management.ts";
import * as mapping from "../src/mapping.ts";
import { DEFAULT_KEEPING_TIMES } from "../src/store/retention/keeping-times.ts";
import * as testing from "../src/testing.ts";
import * as shopifyTesting from "../tools/shopify-testing/index.ts";
import { codeBlocks, quoted, readSection } from "./support/markdown.ts";

const run = promisify(execFile);
const README = readFileSync("README.md", "utf8");
const DOCUMENTS = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md"),
];
/** Every subpath by its name. */
const MODULES: Readonly<Record<string, object>> = {
  holdfast: library,
  "holdfast/mapping": mapping,
  "holdfast/testing": testing,
  "holdfast/testing/shopify": shopifyTesting,
  "holdfast/catalog": catalog,
  "holdfast/management": management,
  ...Object.fromEntries(
    await Promise.all(
      globSync("adapters/*/index.ts").map(async (file) => [
        `holdfast/${file.split("/")[1]}`,
        (await import(new URL(`../${file}`, import.meta.url).href)) as object,
      ]),
    ),
  ),
};

describe("README", () => {
  const lines = README.trimEnd().split("\n");

  it("has at most 200 lines of at most 120 characters each", () => {
    expect(lines.length).toBeLessThanOrEqual(200);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it("states the retention periods of the code", () => {
    const { contentDays, ordersDays } = DEFAULT_KEEPING_TIMES;

    expect(README).toContain(`Content is deleted after ${contentDays} days and orders after ${ordersDays}`);
  });

  it("starts with the two commands, each on a line of its own", () => {
    const commands = codeBlocks(readSection(README, "Try it"), "sh").join("").split("\n");

    expect(commands).toContain("npm ci && npm run demo");
    expect(commands).toContain("npm ci && npm test");
  });

  it("shows what the demo prints", async () => {
    const { stdout } = await run(process.execPath, ["src/main.ts", "demo"]);

    // How often the app has to ask depends on the speed of the machine.
    const withoutCalls = (text: string): string => text.replace(/\d+ GraphQL calls/, "GraphQL calls").trim();
    expect(withoutCalls(codeBlocks(readSection(README, "Try it"), "text").join(""))).toBe(
      withoutCalls(stdout),
    );
  });

  it("prints the demo's result as JSON for machines", async () => {
    const { stdout } = await run(process.execPath, ["src/main.ts", "demo", "--json"]);

    const result = JSON.parse(stdout) as { readonly orders: readonly object[] };
    expect(result).toMatchObject({ ok: true, creditsSpent: 5, deliveries: 80 });
    expect(result.orders[2]).toMatchObject({ name: "#1003", action: "hold", creditsSpent: 1, ok: true });
  });

  it("links to every guide and every page of the reference", () => {
    const linked = [...README.matchAll(/\]\(([^)#\s]+)/g)].map((match) => match[1]);

    expect(globSync(["docs/*.md", "docs/reference/*.md"]).filter((file) => !linked.includes(file))).toEqual(
      [],
    );
  });
});

describe("code in the documents", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-documents-"));
  const blocks = DOCUMENTS.flatMap((document) =>
    codeBlocks(readFileSync(document, "utf8"), "js").map((code, index) => ({ document, index, code })),
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(blocks)("parses: $document, block $index", async ({ document, index, code }) => {
    const file = join(folder, `${document.replaceAll("/", "-")}-${index}.mjs`);
    writeFileSync(file, code);

    await run(process.execPath, ["--check", file]);
  });

  it("imports what is exported", () => {
    const imports = blocks.flatMap(({ code }) =>
      [...code.matchAll(/^import \{ ([^}]+) \} from "(holdfast[^"]*)";$/gm)].flatMap(
        ([, names = "", from = ""]) => names.split(", ").map((name) => ({ name, from })),
      ),
    );

    expect(imports.filter(({ name, from }) => !(name in (MODULES[from] ?? {})))).toEqual([]);
    expect(imports.length).toBeGreaterThan(8);
  });

  it("starts, in the README, with a complete storefront under its heading", () => {
    const [storefront = ""] = codeBlocks(readSection(README, "Ten lines for a storefront"), "js");

    expect(codeBlocks(README, "js")[0]).toBe(storefront);
    expect(storefront).toContain('app.post("/orders"');
    expect(storefront).toContain("process.env.PORT ?? 3000");
  });
});

describe("docs/decisions", () => {
  it("has each number once, in the file's name and in its heading", () => {
    const decisions = globSync("docs/decisions/*.md").map((file) => ({
      named: /(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1],
      titled: /^# (\d{4}): /.exec(readFileSync(file, "utf8"))?.[1],
    }));
    const numbers = decisions.map(({ titled }) => titled);

    expect(decisions.filter(({ named, titled }) => named === undefined || named !== titled)).toEqual([]);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.length).toBeGreaterThan(20);
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

  it("links to pages that exist", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
    const inside = links.filter((link) => !/^[a-z]+:/.test(link));

    expect(inside.filter((link) => !isThere(document, link))).toEqual([]);
  });

  it("names files and folders that exist", () => {
    const named = quoted(text).filter((name) =>
      /^(?:src|web|adapters|extensions|tools|test|bench|eval|scripts|docs|\.ci)\/[\w./*-]+$/.test(name),
    );

    expect(named.filter((name) => globSync(name).length === 0)).toEqual([]);
  });
});

function isThere(document: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : join(dirname(document), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** Anchors as GitHub creates them from headings. */
function anchorsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
