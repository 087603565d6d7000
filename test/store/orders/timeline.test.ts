import { expect, it } from "vitest";
import { toEvent } from "../../../src/store/orders/history.ts";

it("an entry's event is what was stored, and one of a later release is unknown", () => {
  const settled = { kind: "settled", problems: [] };
  expect(toEvent({ event: JSON.stringify(settled) })).toEqual({ event: settled });
  expect(toEvent({ event: JSON.stringify({ kind: "teleported" }) })).toEqual({});
  expect(toEvent({ event: null })).toEqual({});
});
