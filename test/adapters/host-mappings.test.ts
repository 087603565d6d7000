import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseVerificationRequest } from "../../src/adapter-kit.ts";
import { isHoldfastError } from "../../src/index.ts";
import { strictRequestSchema } from "../../src/sandbox/strict-request.ts";
import { readOrder } from "../../src/screening/read-order.ts";
import { HOST_MAPPINGS, readHostPayload, type HostPayload } from "../support/host-orders.ts";

/** The fields without which an order is refused. */
const REQUIRED = /amount|total|currency|fractionDigits|purchase_units$/i;

/** Every path of a payload, dotted. */
function listPaths(value: unknown, prefix = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${prefix}${key}`,
    ...listPaths(inner, `${prefix}${key}.`),
  ]);
}

function valueAt(payload: HostPayload, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as HostPayload | null)?.[key], payload);
}

function replaceAt(payload: HostPayload, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let parent: unknown = payload;
  for (const key of keys) parent = (parent as HostPayload | null)?.[key];
  if (typeof parent === "object" && parent !== null) (parent as HostPayload)[last] = value;
}

describe.each(HOST_MAPPINGS)("$name", ({ map, fixture }) => {
  /** If a mapping throws, it's one clear error that names the amount or the currency. */
  const expectClear = (payload: unknown): void => {
    try {
      map(payload);
    } catch (error) {
      if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
      expect(error.fields.length).toBeGreaterThan(0);
      const paths = error.fields.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
      for (const path of paths) expect(error.message).toContain(path || "order");
      for (const path of paths) expect(path).toMatch(path === "" ? "" : REQUIRED);
    }
  };

  it("makes a complete order from a real payload", () => {
    const order = map(readHostPayload(fixture));

    expect(parseVerificationRequest(order)).toEqual(order);
  });

  it.each(["ada", "ada@localhost", "ada lovelace@example.com", `${"a".repeat(300)}@example.com.`])(
    "leaves out %j, which isn't an email address: the order was placed and is judged without it",
    (email) => {
      const { customerEmail, ...others } = map(readHostPayload(fixture));
      const payload = readHostPayload(fixture);
      const paths = listPaths(payload);
      for (const path of paths) if (valueAt(payload, path) === customerEmail) replaceAt(payload, path, email);

      expect(customerEmail).toBeDefined();
      expect(map(payload)).toEqual(others);
    },
  );

  it("doesn't change what it reads", () => {
    const payload = readHostPayload(fixture);

    map(payload);

    expect(payload).toEqual(readHostPayload(fixture));
  });

  it("names the fields of any payload that it can't read, and throws nothing else", () => {
    fc.assert(fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), expectClear));
  });

  it("names the fields of a real payload whose values can be anything", () => {
    const paths = listPaths(readHostPayload(fixture));
    const strange = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true });

    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...paths), strange), { minLength: 1, maxLength: 3 }),
        (changes) => {
          const payload = readHostPayload(fixture);
          for (const [path, value] of changes) replaceAt(payload, path, value);
          expectClear(payload);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each<unknown>([true, {}, [], "x", [[7]], { a: { b: 1 } }])(
    "checks a real payload in which any detail is %j",
    (strange) => {
      const paths = listPaths(readHostPayload(fixture));
      const mapped = paths.flatMap((path) => {
        const payload = readHostPayload(fixture);
        replaceAt(payload, path, strange);
        try {
          return [map(payload)];
        } catch (error) {
          if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
          return [];
        }
      });

      for (const order of mapped) {
        const { request, unsent } = readOrder(order);
        if (unsent === undefined) expect(strictRequestSchema.safeParse(request).error).toBeUndefined();
      }
      expect(mapped.length).toBeGreaterThan(paths.length / 2);
    },
  );

  it("keeps the names of the fields that it can't read, for the check's warnings", () => {
    const listUnusable = (payload: HostPayload): readonly string[] => {
      const copied = { ...map(payload), userAgent: "Example" };
      return readOrder(copied)
        .warnings.filter(({ code }) => code === "UNUSABLE_FIELD")
        .map(({ path }) => path);
    };
    const found = Object.keys(readHostPayload(fixture)).filter((path) => {
      try {
        return listUnusable({ ...readHostPayload(fixture), [path]: [[7]] }).some((at) => at.startsWith(path));
      } catch {
        return false;
      }
    });

    expect(listUnusable(readHostPayload(fixture))).toEqual([]);
    expect(found).not.toEqual([]);
  });

  it.each([[undefined], [null], [""]])("accepts a payload in which any one value is %j", (absent) => {
    for (const path of listPaths(readHostPayload(fixture))) {
      const payload = readHostPayload(fixture);
      replaceAt(payload, path, absent);
      expectClear(payload);
    }
  });

  it("names a field whose getter fails, such as a relation that isn't loaded", () => {
    const payload = readHostPayload(fixture);
    for (const path of Object.keys(payload)) {
      const failing = Object.defineProperty(readHostPayload(fixture), path, {
        get: () => {
          throw new Error("not joined");
        },
      });
      expectClear(failing);
    }
  });

  it.each([[undefined], [null], [7], ["order"], [[]]])("refuses %j because it isn't an object", (payload) => {
    expect(() => map(payload)).toThrow(
      expect.objectContaining({
        code: "ORDER_INVALID",
        fields: [{ path: "", message: "expected an object" }],
      }),
    );
  });
});
