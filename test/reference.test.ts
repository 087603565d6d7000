import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../src/base/errors.ts";
import type { Environment } from "../src/base/variables.ts";
import { parseConfig } from "../src/config.ts";
import { DECISION_SOURCES } from "../src/order/decision.ts";
import { REASON_CODES } from "../src/order/reasons.ts";
import { SKIP_REASONS } from "../src/order/skip-reasons.ts";
import { createMetrics } from "../src/pipeline/metrics.ts";
import { REFUSED_RETRY_MS } from "../src/pipeline/order-life/retry-delay.ts";
import { CONDITION_NAMES } from "../src/policy/conditions/conditions.ts";
import { DEFAULT_POLICY } from "../src/policy/policy.ts";
import { ENGLISH_REFUSALS } from "../src/base/english-refusals.ts";
import { TEXTS as EXPECTED } from "../src/texts/en/expected.ts";
import { TEXTS as REFUSALS } from "../src/texts/en/refusals.ts";
import { createApiRoutes } from "../src/server/api/api.ts";
import type { ServerParts } from "../src/server/parts/server-parts.ts";
import { ORDER_STATES } from "../src/store/orders/order-states.ts";
import { CREDITS_RETRY_MS } from "../src/service/circuit-rules.ts";
import { quoted, readRows, readSection } from "./support/markdown.ts";

/** A page of docs/reference. */
function page(name: string): string {
  return readFileSync(`docs/reference/${name}.md`, "utf8");
}

/** The words in backticks in the first cell of each row. */
function names(markdown: string): string[] {
  return readRows(markdown).flatMap(([cell = ""]) => quoted(cell));
}

/** The names of an exported interface's members. */
function membersOf(file: string, name: string): string[] {
  const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, "m").exec(
    readFileSync(file, "utf8"),
  )?.[1];
  if (body === undefined) throw new Error(`${file} has no interface ${name}`);
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((match) => match[1] ?? "");
}

/** Every path to a value that isn't an object, with dots. */
function leaves(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([key, member]) =>
    leaves(member, path === "" ? key : `${path}.${key}`),
  );
}

describe("docs/reference/environment.md", () => {
  const rows = readRows(page("environment")).map(([name = "", value = ""]) => ({
    name: quoted(name)[0] ?? "",
    value,
  }));

  it("lists the environment variables that are read, and no others", () => {
    const read = new Set<string>();
    const spy = (env: Environment): Environment =>
      new Proxy(env, {
        get(target, name) {
          // Those of proxies are also read in lower case.
          if (typeof name === "string") read.add(name.toUpperCase());
          return Reflect.get(target, name);
        },
      });
    parseConfig(spy({}));

    expect(rows.map(({ name }) => name).toSorted()).toEqual([...read].toSorted());
    expect(read.size).toBeGreaterThan(10);
  });

  it("has the defaults that are used", () => {
    const service = { VERIFY_URL: "https://verify.example", VERIFY_API_KEY: "key" };
    const literal = rows.filter(({ value }) => !/^(?:none|made|discovered)\b/.test(value));

    for (const { name, value } of literal) {
      expect(parseConfig({ ...service, [name]: value }), name).toEqual(parseConfig(service));
    }
    expect(literal.length).toBeGreaterThan(3);
  });
});

describe("docs/reference/options.md", () => {
  const text = page("options");

  it("names every option of createScreener, and no others", () => {
    const file = "src/screening/screener-options.ts";
    const screener = membersOf(file, "ScreenerOptions");
    const service = membersOf(file, "ServiceOptions").map((name) => `service.${name}`);
    const [options = ""] = readSection(text, "createScreener(options)").split("\n`check(");

    expect(names(options).toSorted()).toEqual([...screener, ...service].toSorted());
  });

  it("names every option of verifyOrder, and no others", () => {
    const inherited = membersOf("src/screening/order-guard.ts", "OrderGuardOptions");
    const optionsOf = (host: string) => {
      const own = membersOf(`adapters/${host}/index.ts`, "VerifyOrderOptions");
      return [...new Set([...inherited, ...own])].toSorted();
    };

    const documented = names(readSection(text, "verifyOrder(options)")).toSorted();
    expect(documented).toContain("waitUntil");
    for (const host of ["express", "fastify", "fetch", "hono", "next"]) {
      expect(optionsOf(host), host).toEqual(documented);
    }
  });

  it("names the fields of a check's result", () => {
    const shape = /resolves to\s`\{ ([^}]+) \}`/.exec(text)?.[1];

    expect(shape?.split(", ")).toEqual(membersOf("src/screening/order-check.ts", "OrderCheck"));
  });

  it("names every status of a check, and no others", () => {
    const source = readFileSync("src/screening/order-check.ts", "utf8");
    const statuses: readonly string[] =
      /^export type CheckStatus = (.*);$/m.exec(source)?.[1]?.match(/\w+/g) ?? [];
    const [, checks = ""] = text.split("\n`check(");
    const [table = ""] = checks.split("\n## ");

    expect(names(table).filter((name) => statuses.includes(name))).toEqual(statuses);
    expect(readRows(table)).toHaveLength(statuses.length);
    expect(statuses.length).toBeGreaterThan(3);
  });
});

describe("docs/reference/policy.md", () => {
  const text = page("policy");

  it("names every key of the policy with its default, and no others", () => {
    const table = readRows(text).map(([keys = "", value = ""]) => ({
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
        const documented = values[index] ?? values[0];
        if (!key.startsWith("levels.")) expect(documented, key).toBe(JSON.stringify(actual));
        else expect({ action: values[0], tags: values.slice(1) }, key).toEqual(actual);
      }
    }
  });

  it("names every condition of a rule", () => {
    const when = /^A rule's `when` takes ([^;]*);/m.exec(text)?.[1] ?? "";

    expect(quoted(when)).toEqual(CONDITION_NAMES);
    expect(CONDITION_NAMES.length).toBeGreaterThan(10);
  });
});

describe("docs/reference/metrics.md", () => {
  it("names every metric with its type, and no others", async () => {
    const text = await createMetrics().render();
    const metrics = [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(
      ([, name = "", type = ""]) => `${name} ${type}`,
    );
    const documented = readRows(page("metrics")).map(
      ([name = "", type = ""]) => `${quoted(name)[0]?.replace(/\{.*/, "") ?? ""} ${type}`,
    );

    expect(documented.toSorted()).toEqual(metrics.toSorted());
  });
});

describe("docs/reference/field-codes.md", () => {
  it("lists every code with its message", () => {
    const rows = readRows(page("field-codes")).map(([code = "", message]) => [quoted(code)[0], message]);

    expect(rows).toEqual(Object.entries(EXPECTED));
  });
});

describe("docs/reference/refusals.md", () => {
  it("lists every code with its detail: translated ones, then English ones", () => {
    const rows = readRows(page("refusals")).map(([code = "", detail]) => [quoted(code)[0], detail]);

    expect(rows).toEqual([...Object.entries(REFUSALS), ...Object.entries(ENGLISH_REFUSALS)]);
  });
});

describe("docs/reference/http.md", () => {
  it("names every route of the API, and no others", () => {
    // Creating routes uses none of the parts.
    const routes = createApiRoutes({} as ServerParts).flatMap(({ path, operations }) =>
      Object.keys(operations).map((method) => `${method} /api${path}`),
    );
    const named = quoted(page("http")).filter((route) => / \/api\//.test(route));

    expect(named.toSorted()).toEqual(routes.toSorted());
  });

  it.each<[string, readonly string[]]>([
    ["state", ORDER_STATES],
    ["source", DECISION_SOURCES],
    ["skipReason", SKIP_REASONS],
  ])("names every value of an order's %s, and no others", (field, values) => {
    const rows = readRows(page("http")).filter(([name]) => name === `\`${field}\``);

    expect(rows.flatMap(([, value = ""]) => quoted(value)).toSorted()).toEqual(values.toSorted());
  });
});

describe("the reasons of a decision in docs/reference/http.md", () => {
  it("are all codes, and no others", () => {
    const [, section = ""] = page("http").split("### Reasons of a decision");
    const [table = ""] = section.split("\n### ");

    expect(names(table).map((reason) => reason.replace(/:.*/, ""))).toEqual(
      expect.arrayContaining([...REASON_CODES]),
    );
    expect(names(table)).toHaveLength(REASON_CODES.length);
  });
});

describe("docs/reference/errors.md", () => {
  it("lists every error code, one row each, and no others", () => {
    expect(names(page("errors").replaceAll(/^(\| `[A-Z_]+` \|).*$/gm, "$1")).toSorted()).toEqual(
      ERROR_CODES.toSorted(),
    );
  });

  it("says for each code what it means, whether it is retried and what to do", () => {
    const incomplete = readRows(page("errors")).filter(
      ([, meaning = "", retryable = "", cure = "", ...more]) =>
        meaning === "" || !/^(?:yes|no)\b/.test(retryable) || cure === "" || more.length > 0,
    );

    expect(incomplete).toEqual([]);
  });

  it.each([
    ["VERIFICATION_NO_CREDITS", CREDITS_RETRY_MS],
    ["PLATFORM_REFUSED", REFUSED_RETRY_MS],
  ])("says how often %s is retried, as in the code", (code, everyMs) => {
    const [, , retryable] = readRows(page("errors")).find(([name = ""]) => quoted(name)[0] === code) ?? [];

    expect(retryable).toContain(`every ${everyMs / 60_000} minutes`);
  });
});
