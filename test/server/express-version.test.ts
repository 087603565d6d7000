import express5 from "express";
import express4 from "express4";
import { describe, expect, it } from "vitest";
import { assertExpress5 } from "../../src/server/server.ts";

describe("the installed Express", () => {
  it("is refused with the command that installs the right one, when it's too old to answer failed requests", () => {
    expect(() => {
      assertExpress5(express4());
    }).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: "The installed Express is older than 5. Run: npm install express@5",
      }),
    );
    expect(() => {
      assertExpress5(express5());
    }).not.toThrow();
  });
});
