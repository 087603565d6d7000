import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { quoted, readRows, readSection } from "./support/markdown.ts";

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const SPECIFIER =
  /\b(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']|\bimport\s*\(?\s*["']([^"']+)["']/g;

/**
 * The rooms in order: each may import from those above it. Types count like values. A folder of `src` that is missing
 * here fails, and so does one that is missing from the map in docs/architecture.md.
 */
const ROOMS = [
  "src/texts",
  "src/base",
  "src/order",
  "src/mapping",
  "src/platform",
  "src/service",
  "src/catalog",
  "src/management",
  "src/engine",
  "src/policy",
  "src/store",
  "src/settings",
  "src/sandbox",
  "src/screening",
  "src/alerts",
  "src/buyer-check",
  "src/pipeline",
  "src/server",
  "src/testing",
  "src/config.ts",
  "src/app.ts",
  "src/in-host.ts",
  "src/cli",
] as const;
/**
 * The order inside a room: each subfolder, or file that subfolders share, may import those before it. Other files that stand
 * directly in the room may import everything in it, and nothing listed may import them. A room inside a room has a line of
 * its own, e.g. `src/store/engines`. The same table is in docs/architecture.md.
 */
const INNER_ROOMS: Readonly<Record<string, readonly string[]>> = {
  "src/pipeline": [
    "metrics.ts",
    "timeline.ts",
    "order-life",
    "tasks.ts",
    "enforce",
    "watch",
    "decide",
    "buyer",
    "intake",
    "chores",
    "work",
    "report",
  ],
  "src/buyer-check": ["texts", "html.ts", "method.ts"],
  "src/engine": ["text", "tables", "facts", "signals", "velocity", "combine-signals.ts", "model"],
  "src/policy": [
    "schema-fields.ts",
    "check-facts.ts",
    "order-facts.ts",
    "conditions",
    "lists.ts",
    "policy.ts",
    "unmatchable.ts",
    "fraud-filter",
  ],
  "src/server": ["generated", "http", "parts", "sign-in", "api", "page", "buyer", "intake"],
  "src/server/api": ["base", "orders", "evidence", "reports", "policy", "settings", "people"],
  web: ["styles", "texts", "data", "components", "views", "shell"],
  "web/data": ["base", "api", "orders", "reports", "policy", "settings", "shell"],
  "src/store": [
    "schema",
    "sealing",
    "statements.ts",
    "engines",
    "context.ts",
    "slices.ts",
    "leases.ts",
    "quotas.ts",
    "people",
    "velocity",
    "credits",
    "orders",
    "tenants",
    "deliveries",
    "outcomes",
    "buyer-checks",
    "incidents",
    "figures",
    "retention",
    "store.ts",
    "kysely-store.ts",
    "opening",
  ],
  "adapters/shopify": ["base", "operations", "mapping", "intake", "admin", "page", "enforce"],
};
/** What the page may import from the server's side: shapes, and rules that don't do I/O. */
const PAGE_SOURCES = ["src/texts", "src/base", "src/order", "src/policy", "src/server"];
/** The public API: re-exports only. */
const PUBLIC = new Set([
  "src/index.ts",
  "src/adapter-kit.ts",
  "src/catalog.ts",
  "src/management.ts",
  "src/mapping.ts",
  "src/testing.ts",
]);
/** What runs the app in another process: a shop's own, or a test's. */
const IN_HOST = ["adapters/medusa", "adapters/vendure", "tools/shopify-testing"];
/** The one file in `src` that puts core and adapters together. */
const COMPOSITION_ROOT = "src/main.ts";
/** What only the app's own HTTP side may use. */
const HTTP_SERVER = new Set(["express"]);
const VALUE_IMPORT = /^(?:import|export)(?! type\b)[^;"']*from\s*["']([^"']+)["']/gm;

/** Everything that a file imports, including dynamic imports and imports for their effects. */
function importsOf(source: string): string[] {
  return [...source.replaceAll(COMMENT, "").matchAll(SPECIFIER)].map((match) => match[1] ?? match[2] ?? "");
}

function resolve(file: string, specifier: string): string {
  return specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier;
}

function toRoom(file: string): string | undefined {
  return ROOMS.find((room) => file === room || file.startsWith(`${room}/`));
}

const isIn = (file: string, folders: readonly string[]): boolean =>
  folders.some((folder) => file.startsWith(`${folder}/`));

/** Why an import breaks the import directions, or null if it doesn't. */
function findFault(file: string, target: string): string | null {
  return findFaultBetweenRooms(file, target) ?? findFaultInside(file, target);
}

function findFaultInside(file: string, target: string): string | null {
  for (const [room, inner] of Object.entries(INNER_ROOMS)) {
    if (!isIn(file, [room]) || !isIn(target, [room])) continue;
    const [from, to] = [toRank(file, room, inner), toRank(target, room, inner)];
    if (from === undefined || to === undefined) return `not in the order inside ${room}`;
    if (to > from) return `up inside ${room}`;
  }
  return null;
}

function toRank(file: string, room: string, inner: readonly string[]): number | undefined {
  const [name = "", ...rest] = file.slice(room.length + 1).split("/");
  if (inner.includes(name)) return inner.indexOf(name);
  return rest.length === 0 ? inner.length : undefined;
}

function findFaultBetweenRooms(file: string, target: string): string | null {
  if (file === COMPOSITION_ROOT) return null;
  if (file.startsWith("adapters/")) return findAdapterFault(file, target);
  if (file.startsWith("tools/")) return findToolFault(file, target);
  if (file.startsWith("web/")) return findPageFault(target);
  return findCoreFault(file, target);
}

const toFolder = (file: string): string => file.split("/").slice(0, 2).join("/");

function findToolFault(file: string, target: string): string | null {
  if (target === "src/in-host.ts" && IN_HOST.includes(toFolder(file))) return null;
  return isIn(target, ["src"]) && !PUBLIC.has(target) ? "past the API" : null;
}

function findAdapterFault(file: string, target: string): string | null {
  const ownFolder = toFolder(file);
  if (target.startsWith("adapters/")) return target.startsWith(`${ownFolder}/`) ? null : "a sibling adapter";
  if (isIn(target, ["tools", "web"])) return "not part of an adapter";
  if (target === "src/in-host.ts" && IN_HOST.includes(ownFolder)) return null;
  return target.startsWith("src/") && !PUBLIC.has(target) ? "past the public API" : null;
}

function findPageFault(target: string): string | null {
  if (isIn(target, ["adapters", "tools"])) return "the page knows no host";
  return target.startsWith("src/") && !isIn(target, PAGE_SOURCES) ? "not for the page" : null;
}

function findCoreFault(file: string, target: string): string | null {
  if (isIn(target, ["adapters", "tools"]) || target.startsWith("@shopify/")) return "core knows no host";
  if (target.startsWith("web/")) return "the server knows no page";
  if (HTTP_SERVER.has(target) && !isIn(file, ["src/server"])) return "only the server serves HTTP";
  if (!target.startsWith("src/") || PUBLIC.has(file)) return null;
  const [from, to] = [toRoom(file), toRoom(target)];
  if (from === undefined || to === undefined) return "not in a room";
  return ROOMS.indexOf(to as never) > ROOMS.indexOf(from as never) ? `${from} is below ${to}` : null;
}

/** Everything that `start` leads to. */
function reachFrom(graph: ReadonlyMap<string, Iterable<string>>, start: string): Set<string> {
  const seen = new Set<string>();
  const todo = [...(graph.get(start) ?? [])];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    todo.push(...(graph.get(next) ?? []));
  }
  return seen;
}

/** Groups of files that import each other in a cycle. */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...graph.keys()].map((file) => [file, reachFrom(graph, file)]));
  const circles = new Map<string, string[]>();
  for (const [file, targets] of reached) {
    if (!targets.has(file)) continue;
    const members = [...targets].filter((target) => reached.get(target)?.has(file)).toSorted();
    circles.set(members.join(), members);
  }
  return [...circles.values()];
}

/** The files that re-export a room of the same name. The picture shows them as that room. */
const ENTRANCES = new Set(["catalog.ts", "management.ts", "mapping.ts", "testing.ts"]);
/** Files that the picture leaves out. */
const UNDRAWN = new Set(["main.ts"]);

/** How the picture names the place of a file. */
function toLabel(file: string): string {
  const [top = "", name = ""] = file.split("/");
  if (top === "web") return top;
  if (top !== "src" || name === "index.ts") return `${top}/${name}`;
  return ENTRANCES.has(name) ? name.replace(".ts", "") : name;
}

/** The arrows of a flowchart, by the labels of their ends. */
function readArrows(chart: string): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map([...chart.matchAll(/(\w+)\["([^"]+)"\]/g)].map(([, id, label]) => [id, label]));
  const toLabels = (ids: string) => ids.split("&").map((id) => labels.get(id.trim()) ?? id.trim());
  const arrows = new Map<string, Set<string>>();
  for (const line of chart.replaceAll(/\["[^"]+"\]/g, "").split("\n")) {
    const [from, to] = line.split("-->");
    if (from === undefined || to === undefined) continue;
    for (const start of toLabels(from))
      arrows.set(start, new Set([...(arrows.get(start) ?? []), ...toLabels(to)]));
  }
  return arrows;
}

const FILES = ["src", "web", "adapters", "tools"].flatMap((folder) => globSync(`${folder}/**/*.*`));
const GRAPH = new Map(
  FILES.map((file) => [
    file,
    importsOf(readFileSync(file, "utf8")).map((specifier) => resolve(file, specifier)),
  ]),
);

describe("import directions", () => {
  it("hold for every shipped file, types included", () => {
    const faults = [...GRAPH].flatMap(([file, targets]) =>
      targets.flatMap((target) => {
        const fault = findFault(file, target);
        return fault === null ? [] : [`${file} -> ${target}: ${fault}`];
      }),
    );

    expect(faults).toEqual([]);
    expect(FILES.length, "the scan found no files, so it proved nothing").toBeGreaterThan(400);
    expect(FILES.some((file) => file.endsWith(".tsx"))).toBe(true);
  });

  it("load no SQL for a storefront without a database", () => {
    const loaded = new Set(["src/index.ts"]);
    for (const file of loaded)
      if (file.endsWith(".ts"))
        for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(VALUE_IMPORT))
          loaded.add(resolve(file, specifier));

    expect(loaded).toContain("src/store/opening/memory-ledger.ts");
    expect(loaded).not.toContain("kysely");
  });

  it("bring no server code to a storefront", () => {
    const reached = reachFrom(GRAPH, "src/index.ts");

    expect([...reached].filter((file) => isIn(file, ["src/server", "src/pipeline", "src/alerts"]))).toEqual(
      [],
    );
    expect(reached.has("src/screening/judge-order.ts")).toBe(true);
  });

  it("bring no server code into the page, except words and codes", () => {
    const taken = FILES.filter((file) => file.startsWith("web/")).flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(VALUE_IMPORT)].map((match) => resolve(file, match[1] ?? "")),
    );

    expect(new Set(taken.filter((target) => /^(?:src\/|zod)/.test(target)))).toEqual(
      new Set(["src/order/reasons.ts", "src/texts/languages.ts", "src/server/page/views.ts"]),
    );
  });

  it("are checked in every way an import can be written", () => {
    const source = [
      'import { a } from "../../adapters/express/index.ts";',
      'import {\n  b,\n} from "../../adapters/fetch/index.ts";',
      'import type { T } from "../store/store.ts";',
      'export * from "../../adapters/shopify/index.ts";',
      'import "@shopify/shopify-api/adapters/node";',
      'const c = await import("../../adapters/express/index.ts");',
      '// import { d } from "../../adapters/commented/out.ts";',
    ].join("\n");

    const faults = importsOf(source).filter((specifier) =>
      findFault("src/policy/x.ts", resolve("src/policy/x.ts", specifier)),
    );

    expect(faults).toHaveLength(6);
  });

  it.each([
    ["src/policy/choose-action.ts", "../../adapters/express/index.ts"],
    ["src/app.ts", "../adapters/shopify/index.ts"],
    ["src/pipeline/pipeline.ts", "express"],
    ["src/pipeline/pipeline.ts", "../../tools/demo/demo.ts"],
    ["src/policy/choose-action.ts", "../store/store.ts"],
    ["src/store/store.ts", "../screening/screener.ts"],
    ["src/server/server.ts", "../config.ts"],
    ["src/server/page/page.ts", "../../../web/app.tsx"],
    ["src/base/errors.ts", "../order/result.ts"],
    ["src/store/store.ts", "../new-room/thing.ts"],
    ["web/app.tsx", "../src/store/store.ts"],
    ["web/app.tsx", "../adapters/shopify/index.ts"],
    ["tools/demo/demo.ts", "../../src/app.ts"],
    ["tools/demo/demo.ts", "../../src/in-host.ts"],
    ["tools/shopify-testing/index.ts", "../../src/app.ts"],
    ["adapters/express/index.ts", "../shopify/index.ts"],
    ["adapters/express/index.ts", "../../src/policy/choose-action.ts"],
    ["adapters/express/index.ts", "../../src/in-host.ts"],
    ["adapters/fastify/index.ts", "../express/index.ts"],
    ["adapters/shopify/index.ts", "../../tools/emulators/shopify/emulated-shop.ts"],
    ["src/index.ts", "../adapters/fastify/index.ts"],
    ["src/engine/facts/place.ts", "../signals/geo.ts"],
    ["src/engine/velocity/keys.ts", "../engine.ts"],
    ["adapters/shopify/mapping/payment.ts", "../admin/ask.ts"],
    ["src/pipeline/order-life/review.ts", "../decide/read-detail.ts"],
    ["src/pipeline/metrics.ts", "./pipeline.ts"],
  ])("report %s importing %s", (file, specifier) => {
    expect(findFault(file, resolve(file, specifier))).not.toBeNull();
  });

  it.each(Object.entries(INNER_ROOMS))("go one way inside %s", (room, inner) => {
    const places = [...inner.map((name) => (name.includes(".") ? name : `${name}/x.ts`)), "top.ts"].map(
      (place) => `${room}/${place}`,
    );
    const arrows = places.flatMap((from, rank) =>
      places.map((to, other) => ({ from, to, up: other > rank })),
    );
    const folders = globSync(`${room}/*/`).filter((folder) => globSync(`${folder}/**/*.*`).length > 0);

    expect(arrows.filter(({ from, to }) => findFaultInside(from, to) !== null)).toEqual(
      arrows.filter(({ up }) => up),
    );
    expect(findFaultInside(`${room}/new-room/x.ts`, `${room}/top.ts`)).not.toBeNull();
    expect(folders.map((folder) => folder.replace(/\/$/, "")).toSorted()).toEqual(
      inner
        .filter((name) => !name.includes("."))
        .map((name) => `${room}/${name}`)
        .toSorted(),
    );
  });

  it("allow what the rooms allow", () => {
    expect(findFault("src/main.ts", "adapters/shopify/index.ts")).toBeNull();
    expect(findFault("adapters/express/index.ts", "src/index.ts")).toBeNull();
    expect(findFault("src/server/server.ts", "express")).toBeNull();
    expect(findFault("src/server/server.ts", "src/store/store.ts")).toBeNull();
    expect(findFault("web/app.tsx", "src/policy/policy.ts")).toBeNull();
  });

  it("keep the catalog, the management interface and the sandbox out of the library and its adapters", () => {
    const seen = new Set<string>();
    const todo = [
      "src/index.ts",
      ...["express", "fastify", "fetch"].map((name) => `adapters/${name}/index.ts`),
    ];
    for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      todo.push(...(GRAPH.get(file) ?? []));
    }

    const apart = ["src/catalog", "src/management", "src/sandbox", "src/testing"];
    expect([...seen].filter((file) => isIn(file, apart) || PUBLIC.has(file))).toEqual([
      "src/index.ts",
      "src/adapter-kit.ts",
    ]);
    expect(seen.has("src/service/http-core.ts")).toBe(true);
  });

  it("have no cycles", () => {
    expect(findCircles(GRAPH)).toEqual([]);
  });

  it("are reported if they form a cycle", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", []],
    ]);

    expect(findCircles(graph)).toEqual([["a", "b", "c"]]);
  });
});

describe("the map in docs/architecture.md", () => {
  const map = readFileSync("docs/architecture.md", "utf8");
  const rooms = [
    ...new Set([
      ...globSync("src/*/").map((folder) => folder.replace(/\/$/, "")),
      ...globSync("adapters/*/").map((folder) => folder.replace(/\/$/, "")),
      ...globSync("tools/*/").map((folder) => folder.replace(/\/$/, "")),
      "web",
    ]),
  ];

  it.each(rooms)("shows %s, in its table and in its picture", (room) => {
    expect(map).toContain(`| \`${room}/\` |`);
    expect(map).toContain(`["${room.replace("src/", "")}"]`);
  });

  it("shows no room that doesn't exist", () => {
    const named = [...map.matchAll(/^\| `([\w/-]+)\/` \|/gm)].map((match) => match[1] ?? "");

    const byName = (a: string, b: string) => a.localeCompare(b);
    expect(named.toSorted(byName)).toEqual(rooms.toSorted(byName));
  });

  it("draws every import as an arrow or a path of arrows, and no arrow without an import", () => {
    const arrows = readArrows(/flowchart TD([\s\S]*?)```/.exec(map)?.[1] ?? "");
    const imports = [...GRAPH]
      .flatMap(([file, targets]) =>
        targets
          .filter((target) => GRAPH.has(target))
          .map((target) => [toLabel(file), toLabel(target)] as const),
      )
      .filter(([from, to]) => from !== to && !UNDRAWN.has(from) && !UNDRAWN.has(to));

    const missing = imports.filter(([from, to]) => !reachFrom(arrows, from).has(to));
    const made = new Set(imports.map(([from, to]) => `${from} --> ${to}`));
    const drawn = [...arrows].flatMap(([from, ends]) => [...ends].map((to) => `${from} --> ${to}`));

    expect([...new Set(missing.map(([from, to]) => `${from} --> ${to}`))]).toEqual([]);
    expect(drawn.filter((arrow) => !made.has(arrow))).toEqual([]);
    expect(drawn.length).toBeGreaterThan(40);
  });

  it("names files that exist, and follows an order's life in at most 32 files and 5,700 lines", () => {
    const named = new Set(
      [...map.matchAll(/`((?:src|adapters)\/[\w/.-]+\.ts)`/g)].map(([, file = ""]) => file),
    );
    const [, rest = ""] = map.split("The main files between one Shopify");
    const [way = ""] = rest.split("Other timed work");
    const onTheWay = [...named].filter((file) => way.includes(`\`${file}\``));
    const lines = onTheWay.map((file) => readFileSync(file, "utf8").split("\n").length);

    expect([...named].filter((file) => globSync(file).length === 0)).toEqual([]);
    expect(onTheWay.length).toBeGreaterThan(20);
    expect(onTheWay.length).toBeLessThanOrEqual(32);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5_700);
  });

  it("has the orders inside rooms", () => {
    const rows = [...map.matchAll(/^\| `([\w/-]*\w)` \| (`.*`) \|$/gm)].map(
      ([, room = "", inner = ""]) => [room, inner.replaceAll("`", "").split(", ")] as const,
    );

    expect(Object.fromEntries(rows)).toEqual(INNER_ROOMS);
  });

  it("follows a storefront's check in at most 15 files and 2,800 lines", () => {
    const table = readSection(map, "A storefront's check").split("The checkout of")[0] ?? "";
    const way = readRows(table).flatMap(([, files = ""]) => quoted(files));
    const lines = way.map((file) => readFileSync(file, "utf8").split("\n").length);

    expect(way.length).toBeGreaterThan(10);
    expect(way.length).toBeLessThanOrEqual(15);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2_800);
  });

  it("has the rooms of the rules", () => {
    const folders = ROOMS.filter((room) => !room.endsWith(".ts"));

    expect(rooms.filter((room) => room.startsWith("src/")).toSorted()).toEqual(folders.toSorted());
  });
});
