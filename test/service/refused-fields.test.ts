import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verificationRequestSchema } from "../../src/order/request.ts";
import { findRefusedFields } from "../../src/service/refused-fields.ts";

const paths = (message: string) => findRefusedFields(message).map((field) => field.path);

describe("findRefusedFields", () => {
  it.each<[message: string, found: string[]]>([
    ["Invalid request body: customerEmail is not an e-mail address", ["customerEmail"]],
    ["Invalid request body: orderAmount, currency, orderAmount", ["orderAmount", "currency"]],
    ["shippingAddress.postalCode is too long", ["shippingAddress.postalCode"]],
    ["billingAddress/city and paymentInfo['holderName']", ["billingAddress.city", "paymentInfo.holderName"]],
    ["items[3].price must be positive", ["items[3].price"]],
    ["items.12.sku", ["items[12].sku"]],
    [JSON.stringify([{ path: ["items", 0, "quantity"] }]), ["items[0].quantity"]],
    [JSON.stringify([{ path: ["shippingAddress", "state"] }], null, 2), ["shippingAddress.state"]],
    ["shippingAddress, state and city are wrong", ["shippingAddress"]],
    ["shippingAddress.price", ["shippingAddress"]],
    ["billingAddress.7.city", ["billingAddress.city"]],
    ["items.1234.sku", ["items"]],
    ["the name, the city and the state", []],
    ["mycustomerEmail customerEmails", []],
    ["", []],
  ])("finds in %j the fields %j", (message, found) => {
    expect(paths(message)).toEqual(found);
  });

  it("never repeats anything but names of the request's own fields", () => {
    const names = Object.keys(verificationRequestSchema.shape);
    const words = fc.array(
      fc.oneof(fc.constantFrom(...names, ".", "[", "]", '"', "0", "city", "sku"), fc.string()),
    );
    const known = /^[A-Za-z]+(\[\d{1,3}\])?(\.[A-Za-z]+)?$/;
    fc.assert(
      fc.property(words, (parts) => {
        for (const path of paths(parts.join(""))) {
          expect(path).toMatch(known);
          expect(names).toContain(path.split(/[.[]/)[0]);
        }
      }),
    );
  });

  it("stays quick on a megabyte made to slow it down", () => {
    const startedAtMs = performance.now();

    paths(`items${" ".repeat(30)}`.repeat(30_000));
    paths(`items${"[".repeat(1_000_000)}`);

    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
  });
});
