import { describe, expect, it } from "vitest";
import { toMailbox } from "../../src/order/mailbox.ts";

describe("toMailbox", () => {
  it.each([
    ["Jane@Shop.Example", "jane@shop.example"],
    ["jane+coupon@shop.example", "jane@shop.example"],
    ["j.a.n.e+1@googlemail.com", "jane@gmail.com"],
    ["j.ane@shop.example", "j.ane@shop.example"],
    ["+1@shop.example", "+1@shop.example"],
    ["no address", "no address"],
    ["", ""],
  ])("takes %s for %s", (written, mailbox) => {
    expect(toMailbox(written)).toBe(mailbox);
  });
});
