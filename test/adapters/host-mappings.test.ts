import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHoldfastError, parseVerificationRequest } from "../../src/index.ts";
import { HOST_MAPPINGS, readHostPayload, type HostPayload } from "../support/host-orders.ts";

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
  /** A mapping throws one clear error that names the fields. */
  const expectClear = (payload: unknown): void => {
    try {
      map(payload);
    } catch (error) {
      if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
      expect(error.fields.length).toBeGreaterThan(0);
      const paths = error.fields.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
      for (const path of paths) expect(error.message).toContain(path || "order");
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
