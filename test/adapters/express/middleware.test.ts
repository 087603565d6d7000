import type { Request } from "express";
import { describe, expectTypeOf, it } from "vitest";
import type { VerifyOrderOptions } from "../../../adapters/express/index.ts";
import type { OrderCheck } from "../../../src/index.ts";

// guard.test.ts shows what the middleware does.
describe("the types of verifyOrder on Express", () => {
  it("types the check on the request", () => {
    expectTypeOf<Request["orderCheck"]>().toEqualTypeOf<OrderCheck | undefined>();
    expectTypeOf<Parameters<VerifyOrderOptions["order"]>>().toEqualTypeOf<[req: Request]>();
  });
});
