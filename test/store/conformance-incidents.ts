import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { SENDING_MS } from "../../src/store/incidents/incidents.ts";
import type { OpenStore } from "./conformance.ts";
import { MINUTE_MS, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const HOUR_MS = 60 * MINUTE_MS;
const INCIDENT = { tenant: TENANT, name: "hold_not_placed:1" };

export function describeIncidents(open: OpenStore): void {
  describe("incidents", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const comesUp = (nowMs: number, quietMs?: number) =>
      store.incidents.open({ ...INCIDENT, nowMs, quietMs });
    const isNews = async (nowMs: number, quietMs?: number) => (await comesUp(nowMs, quietMs)).isNews;
    const goesOn = (nowMs: number, quietMs = HOUR_MS) =>
      store.incidents.remind({ ...INCIDENT, nowMs, quietMs });

    it("are reported once, then again after their quiet time", async () => {
      expect(await comesUp(T0, HOUR_MS)).toEqual({ isNews: true, reportedAtMs: T0 });
      expect(await comesUp(T0 + HOUR_MS - 1, 1)).toEqual({ isNews: false, reportedAtMs: T0 });
      expect(await comesUp(T0 + HOUR_MS, HOUR_MS)).toEqual({ isNews: true, reportedAtMs: T0 + HOUR_MS });
    });

    it("without a quiet time are reported again only after they were resolved", async () => {
      expect(await isNews(T0)).toBe(true);
      expect(await isNews(T0 + 9_999 * HOUR_MS)).toBe(false);

      expect(await store.incidents.resolve(INCIDENT, T0 + 1)).toBe(true);
      expect(await store.incidents.resolve(INCIDENT, T0 + 2)).toBe(false);
      expect(await isNews(T0 + 3)).toBe(true);
    });

    it("end only if they were open", async () => {
      expect(await store.incidents.resolve(INCIDENT, T0)).toBe(false);
      expect(await isNews(T0)).toBe(true);
    });

    it("have one caller send a reminder per quiet time, until they are over", async () => {
      await comesUp(T0, HOUR_MS);

      expect(await goesOn(T0 + HOUR_MS - 1)).toBe("quiet");
      expect(await goesOn(T0 + HOUR_MS, 2 * HOUR_MS)).toBe("report");
      expect(await goesOn(T0 + 2 * HOUR_MS)).toBe("quiet");
      expect(await goesOn(T0 + 3 * HOUR_MS)).toBe("report");

      await store.incidents.resolve(INCIDENT, T0 + 4 * HOUR_MS);
      expect(await goesOn(T0 + 9 * HOUR_MS)).toBe("over");
    });

    it("are listed while they are open, by tenant and by name", async () => {
      const names = [INCIDENT.name, "hold_not_placed:2"];
      const listed = () => store.incidents.listOpen(TENANT, names);
      await store.incidents.open({ tenant: OTHER_TENANT, name: "hold_not_placed:2", nowMs: T0 });
      await store.incidents.open({ tenant: TENANT, name: "hold_not_placed:3", nowMs: T0 });
      expect(await listed()).toEqual([]);

      await comesUp(T0);
      expect(await listed()).toEqual([INCIDENT.name]);
      expect(await store.incidents.listOpen(TENANT, names, T0)).toEqual([INCIDENT.name]);
      expect(await store.incidents.listOpen(TENANT, names, T0 + 1)).toEqual([]);

      await store.incidents.resolve(INCIDENT, T0 + 1);
      expect(await listed()).toEqual([]);
    });

    it("can have reminders even if nobody opened them", async () => {
      expect(await goesOn(T0)).toBe("report");
      expect(await goesOn(T0)).toBe("quiet");
    });

    it("that were reported without the store end once", async () => {
      expect(await store.incidents.resolve(INCIDENT, T0 + 2, T0)).toBe(true);
      expect(await store.incidents.resolve(INCIDENT, T0 + 3, T0 + 1)).toBe(false);
      // The next one.
      expect(await store.incidents.resolve(INCIDENT, T0 + 9, T0 + 5)).toBe(true);
      expect(await goesOn(T0 + 10)).toBe("over");
    });

    it("reported by a clock that was ahead silence nobody", async () => {
      await comesUp(T0 + 100 * HOUR_MS);
      expect(await isNews(T0)).toBe(true);

      await comesUp(T0 + MINUTE_MS, HOUR_MS);
      expect(await isNews(T0, HOUR_MS), "clocks differ by seconds").toBe(false);
    });

    it("keep names and tenants apart, and have no tenant if they concern none", async () => {
      expect(await isNews(T0)).toBe(true);
      const { name } = INCIDENT;

      for (const other of [{ tenant: OTHER_TENANT, name }, { tenant: TENANT, name: "other" }, { name }]) {
        expect(await store.incidents.open({ ...other, nowMs: T0 })).toMatchObject({ isNews: true });
        expect(await store.incidents.open({ ...other, nowMs: T0 })).toMatchObject({ isNews: false });
      }
      expect(await store.incidents.resolve({ name }, T0)).toBe(true);
      expect(await isNews(T0)).toBe(false);
    });

    it("have one caller report the start, a reminder and the end, even if several come at once", async () => {
      const all = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, work));
      const count = (answers: readonly boolean[]) => answers.filter(Boolean).length;

      for (let round = 0; round < 20; round += 1) {
        const atMs = T0 + round * 10 * HOUR_MS;
        expect(count(await all(() => isNews(atMs, HOUR_MS)))).toBe(1);
        const answers = await all(() => goesOn(atMs + HOUR_MS));
        expect(answers.toSorted()).toEqual([...Array<string>(7).fill("quiet"), "report"]);
        expect(count(await all(() => store.incidents.resolve(INCIDENT, atMs + HOUR_MS + 1, atMs)))).toBe(1);
      }
    });

    it("keep a message until it was sent, for the caller first, then for others", async () => {
      const AT = T0 + 5;
      const { name } = INCIDENT;
      const take = (nowMs: number) => store.incidents.takeUnsent(nowMs);
      await store.incidents.open({ ...INCIDENT, nowMs: T0, unsent: "a" });
      await store.incidents.open({ name, nowMs: T0, unsent: "b" });
      await store.incidents.open({ name: "sent otherwise", nowMs: T0 });

      expect(await take(T0 + SENDING_MS - 1)).toEqual([]);
      const left = await take(AT + SENDING_MS);
      expect(left.toSorted((one, other) => one.unsent.localeCompare(other.unsent))).toEqual([
        { ...INCIDENT, unsent: "a" },
        { name, unsent: "b" },
      ]);
      expect(await take(AT + SENDING_MS), "whoever took it has time").toEqual([]);

      expect(await take(AT - HOUR_MS), "the clock was set back").toHaveLength(2);
      await take(AT - HOUR_MS + SENDING_MS);

      const laterMs = AT - HOUR_MS + 3 * SENDING_MS;
      expect(await store.incidents.takeUnsent(laterMs, ["a"]), "the caller is still sending one").toEqual([
        { name, unsent: "b" },
      ]);
      expect(await take(laterMs + SENDING_MS - 1)).toEqual([]);

      expect(await store.incidents.forgetUnsent({ ...INCIDENT, unsent: "another" })).toBe(false);
      expect(await store.incidents.forgetUnsent({ ...INCIDENT, unsent: "a" })).toBe(true);
      expect(await store.incidents.forgetUnsent({ ...INCIDENT, unsent: "a" })).toBe(false);
      expect(await take(AT + 2 * SENDING_MS)).toEqual([{ name, unsent: "b" }]);
    });

    it("that continue or end have the newest message to send", async () => {
      await store.incidents.open({ ...INCIDENT, nowMs: T0, quietMs: 1, unsent: "opened" });
      // Already reported: none of this is to be sent.
      await store.incidents.open({ ...INCIDENT, nowMs: T0, quietMs: 1, unsent: "opened again" });
      await store.incidents.remind({ ...INCIDENT, nowMs: T0 + 1, quietMs: 1, unsent: "reminder" });
      const takeOne = async (nowMs: number) =>
        (await store.incidents.takeUnsent(nowMs)).map(({ unsent }) => unsent);
      expect(await takeOne(T0 + 1 + SENDING_MS)).toEqual(["reminder"]);

      await store.incidents.resolve({ ...INCIDENT, unsent: "resolved" }, T0 + 2);
      await store.incidents.resolve({ ...INCIDENT, unsent: "resolved again" }, T0 + 3);
      expect(await takeOne(T0 + 2 + SENDING_MS)).toEqual(["resolved"]);
    });

    it("outlive the processes that reported them, and are deleted with their tenant", async () => {
      await comesUp(T0, HOUR_MS);
      await store.incidents.open({ ...INCIDENT, tenant: OTHER_TENANT, nowMs: T0 });

      await store.leases.releaseAll();
      expect(await isNews(T0)).toBe(false);

      await store.retention.eraseTenant(TENANT);
      expect(await isNews(T0)).toBe(true);
      const theirs = await store.incidents.open({ ...INCIDENT, tenant: OTHER_TENANT, nowMs: T0 });
      expect(theirs.isNews).toBe(false);
    });
  });
}
