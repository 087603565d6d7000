import { expect, it } from "vitest";
import type { MappedOrder } from "../../src/platform/platform.ts";
import {
  accept,
  KEY,
  now,
  openShopForEach,
  savePolicy,
  screenable,
  store,
  to,
  toOrder,
  untilAtRest,
  untilHeard,
  update,
  verifier,
} from "../support/changing-shop.ts";

openShopForEach();

const MACHINE = { ipAddress: "3.80.0.10", userAgent: "python-requests/2.32.3" };
const AGENTS = { agentChannels: ["Assistant"] };

const placed = (channel: string, changes: object = {}): MappedOrder => ({
  ...screenable({ ...to("US"), ...MACHINE, ...changes }),
  context: { channel },
});
const place = (mapped: MappedOrder) =>
  accept("orders/create", { kind: "order", order: toOrder(mapped, { updatedAtMs: now() - 60_000 }) });
const sent = () => verifier.calls.map(({ ipAddress, userAgent }) => [ipAddress, userAgent]);

it("checks and keeps an agent's order without the agent's machine", async () => {
  await savePolicy(AGENTS);
  await place(placed("assistant"));
  const { mapped, facts } = await untilAtRest();

  expect(sent()).toEqual([[undefined, undefined]]);
  expect(mapped).toMatchObject({ context: { channel: "agent" } });
  expect(JSON.stringify(mapped)).not.toMatch(/3\.80\.0\.10|python/);
  expect(facts?.context.channel).toBe("agent");
  expect((await store.orders.get(KEY))?.mapped).toEqual(mapped);
});

it("checks an order from another channel with its device", async () => {
  await savePolicy(AGENTS);
  await place(placed("web"));
  const { mapped } = await untilAtRest();

  expect(sent()).toEqual([[MACHINE.ipAddress, MACHINE.userAgent]]);
  expect(mapped?.context?.channel).toBe("web");
});

it("doesn't check it again because the platform names the machine again", async () => {
  await savePolicy(AGENTS);
  await place(placed("assistant"));
  await untilAtRest();
  await update(placed("assistant"));
  await untilHeard();
  await untilAtRest();

  expect(sent()).toHaveLength(1);
});

it("checks a changed order without the machine too", async () => {
  await savePolicy(AGENTS);
  await place(placed("assistant"));
  await untilAtRest();
  await update(placed("assistant", { customerEmail: "another.buyer@gmail.com" }));
  await verifier.called(2);
  const { mapped } = await untilAtRest();

  expect(sent()).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(mapped?.context?.channel).toBe("agent");
});

it("skips the channel if the policy says so", async () => {
  await savePolicy({ ...AGENTS, skipChannels: ["agent"] });
  await place(placed("assistant"));

  expect(await untilAtRest()).toMatchObject({
    skipReason: "SKIPPED_BY_RULE",
    decision: { reasons: expect.arrayContaining(["channel:agent"]) },
  });
  expect(sent()).toEqual([]);
});
