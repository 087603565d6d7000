import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { toInvalidOrderProblem, toProblem, toRefusalProblem } from "../../src/base/problem.ts";

describe("toProblem", () => {
  it("has the members of RFC 9457 and the given ones", () => {
    expect(toProblem(404, "Not Found")).toEqual({ type: "about:blank", title: "Not Found", status: 404 });
    expect(toProblem(422, "Unprocessable Content", { detail: "Why.", code: "POLICY_INVALID" })).toEqual({
      type: "about:blank",
      title: "Unprocessable Content",
      status: 422,
      detail: "Why.",
      code: "POLICY_INVALID",
    });
  });
});

describe("toRefusalProblem", () => {
  it("says that an order is refused, but not why", () => {
    expect(toRefusalProblem()).toEqual({
      type: "about:blank",
      title: "Forbidden",
      status: 403,
      detail: "This order cannot be accepted.",
    });
  });
});

describe("toInvalidOrderProblem", () => {
  it("names the invalid fields", () => {
    const fields = [{ path: "items[0].quantity", message: "expected a positive whole number" }];
    const error = new HoldfastError("ORDER_INVALID", "internal wording", { retryable: false, fields });

    expect(toInvalidOrderProblem(error)).toEqual({
      type: "about:blank",
      title: "Unprocessable Content",
      status: 422,
      detail: "This order cannot be checked as it is.",
      code: "ORDER_INVALID",
      errors: fields,
    });
  });
});
