import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPageContentPolicy, toSafeSources } from "../../../src/server/http/security-headers.ts";

describe("toPageContentPolicy", () => {
  it("allows only its own files and no embedding, unless a platform asks for it", () => {
    expect(toPageContentPolicy({ scriptSources: [], frameAncestors: [] })).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; " +
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
  });

  it("adds a platform's scripts and ancestors", () => {
    const policy = toPageContentPolicy({
      scriptSources: ["https://cdn.example/app.js"],
      frameAncestors: ["https://a.example", "https://*.b.example:8443"],
    });
    expect(policy).toContain("script-src 'self' https://cdn.example/app.js;");
    expect(policy).toMatch(/frame-ancestors https:\/\/a\.example https:\/\/\*\.b\.example:8443$/);
  });

  it("can't be changed by what a platform passes on", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.string().map((end) => `https://a.example${end}`),
          ),
        ),
        (sources) => {
          const policy = toPageContentPolicy({ scriptSources: sources, frameAncestors: sources });
          expect(policy.split(";")).toHaveLength(9);
          expect(policy).not.toMatch(/unsafe|\r|\n|,| \*[ ;]/);
        },
      ),
    );
  });
});

describe("toSafeSources", () => {
  it.each([
    "https://a.example; script-src *",
    "https://a.example https://b.example",
    "https://a.example,https://b.example",
    "https://a.example\r\nX: y",
    "http://a.example",
    "https://*",
    "https://",
    "*",
    "'unsafe-inline'",
    "data:",
    "javascript:alert(1)",
    "https://user@a.example",
    "https://a.example/<script>",
  ])("drops %j", (source) => {
    expect(toSafeSources([source])).toEqual([]);
  });
});
