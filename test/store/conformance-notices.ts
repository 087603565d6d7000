import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CONSOLE_ACTOR } from "../../src/store/people/person.ts";
import type { Store } from "../../src/store/store.ts";
import { until } from "../support/until.ts";
import type { OpenStore } from "./conformance.ts";
import { OTHER_TENANT, RETENTION_LIMITS, T0, TENANT } from "./samples.ts";

const DAY_MS = 86_400_000;
const ANN = { tenant: TENANT, actor: "person:1" };
const BOB = { tenant: TENANT, actor: "person:2" };
const OPERATOR = { tenant: TENANT, actor: CONSOLE_ACTOR };
/** The same person in another shop. */
const ELSEWHERE = { tenant: OTHER_TENANT, actor: "person:1" };

/** What people want to know of, and notices for their pages. */
export function describeNotices(open: OpenStore): void {
  describe("notices", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
      for (const key of [ANN, BOB, ELSEWHERE]) await store.people.admit(key, T0);
    });
    afterEach(() => store.close());

    const save = (key: typeof ANN, email: string) => store.notices.save(key, { email }, T0);
    const list = async (tenant = TENANT) =>
      [...(await store.notices.list(tenant))].map(([actor, { content }]) => [actor, content]);
    const pages = async (key: typeof ANN, afterId = 0) =>
      (await store.notices.listForPages(key, afterId)).map(({ content }) => content);

    it("are each person's own, in each shop", async () => {
      await save(ANN, "ann@one.example");
      await save(ELSEWHERE, "ann@two.example");
      await save(ANN, "ann@new.example");

      expect(await store.notices.load(ANN)).toEqual({
        content: { email: "ann@new.example" },
        problems: {},
      });
      expect(await store.notices.load(BOB)).toBeNull();
      expect(await list()).toEqual([[ANN.actor, { email: "ann@new.example" }]]);
      expect(await list(OTHER_TENANT)).toEqual([[ANN.actor, { email: "ann@two.example" }]]);
      expect(await store.notices.listTenants()).toEqual([TENANT, OTHER_TENANT].toSorted());
    });

    it("go with the person's access, and don't come back with it", async () => {
      await save(ANN, "ann@one.example");
      await save(BOB, "bob@one.example");
      await save(OPERATOR, "operator@one.example");
      await store.notices.addForPages(BOB, { event: "held" }, T0);

      await store.people.revoke(BOB, { by: ANN.actor, atMs: T0 + 1 });
      await store.people.change(BOB, { role: "reviewer" }, { by: ANN.actor, atMs: T0 + 2 });

      expect((await list()).map(([actor]) => actor)).toEqual(
        expect.arrayContaining([ANN.actor, OPERATOR.actor]),
      );
      expect(await list()).toHaveLength(2);
      expect([await store.notices.load(BOB), await pages(BOB)]).toEqual([null, []]);
      // Settings of somebody who was never let in count as little as those of somebody removed.
      await save({ ...ANN, actor: "person:stranger" }, "stranger@one.example");
      expect((await list()).map(([actor]) => actor)).not.toContain("person:stranger");
    });

    it("remember why a channel's last message wasn't sent, until one is or the address changes", async () => {
      await store.notices.noteProblem(ANN, "email", { problem: "EENVELOPE", atMs: T0 });
      expect(await store.notices.load(ANN)).toBeNull();

      await save(ANN, "ann@one.example");
      await store.notices.noteProblem(ANN, "email", { problem: "EENVELOPE", atMs: T0 });
      await store.notices.noteProblem(ANN, "webhook", { problem: "status:410", atMs: T0 + 1 });
      expect((await store.notices.load(ANN))?.problems).toEqual({
        email: { problem: "EENVELOPE", atMs: T0 },
        webhook: { problem: "status:410", atMs: T0 + 1 },
      });

      await store.notices.noteProblem(ANN, "email", null);
      await store.notices.save(ANN, {}, T0 + 2, ["webhook"]);
      expect((await store.notices.load(ANN))?.problems).toEqual({});
    });

    it("for pages come in order, after the newest one that a page has, for two days", async () => {
      expect(await store.notices.findNewest(ANN)).toBe(0);
      await store.notices.addForPages(ANN, { count: 1 }, T0 - 3 * DAY_MS);
      await store.notices.addForPages(BOB, { count: 2 }, T0);
      const seen = await store.notices.findNewest(ANN);
      await store.notices.addForPages(ANN, { count: 3 }, T0);

      expect(await pages(ANN)).toEqual([{ count: 1 }, { count: 3 }]);
      expect(await pages(ANN, seen)).toEqual([{ count: 3 }]);
      expect(await pages(ELSEWHERE)).toEqual([]);

      const limits = { ...RETENTION_LIMITS, nowMs: T0, passingBeforeMs: T0 - 2 * DAY_MS };
      expect(await store.retention.eraseAged("page-notices", limits, null)).toMatchObject({ erased: 1 });
      expect(await pages(ANN)).toEqual([{ count: 3 }]);
    });

    it("tell a shop's pages that there is one", async () => {
      const told: (string | null)[] = [];
      const stop = store.onChange((tenant) => told.push(tenant));
      // A process that shares the database hears nothing before it is connected.
      await until(() => expect(told).toContain(TENANT), {
        between: () => store.notices.addForPages(ANN, { event: "held" }, T0),
      });
      stop();
    });

    it("go with the shop", async () => {
      await save(ANN, "ann@one.example");
      await save(ELSEWHERE, "ann@two.example");
      await store.notices.addForPages(ANN, { event: "held" }, T0);

      await store.retention.eraseTenant(TENANT);

      expect([await store.notices.load(ANN), await pages(ANN)]).toEqual([null, []]);
      expect(await list(OTHER_TENANT)).toHaveLength(1);
    });
  });
}
