import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CONSOLE_ACTOR, type NewPerson } from "../../src/store/people/person.ts";
import type { NewSession } from "../../src/store/people/sessions.ts";
import type { Store } from "../../src/store/store.ts";
import type { RetentionStep } from "../../src/store/retention/retention.ts";
import type { OpenStore } from "./conformance.ts";
import { entry, MINUTE_MS, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export function describePeople(open: OpenStore): void {
  let store: Store;

  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const act = (atMs = T0, by = "person:1") => ({ by, atMs });
  const key = (actor: string, tenant = TENANT) => ({ tenant, actor });
  const add = (changes: Partial<NewPerson> = {}) =>
    store.people.add(
      { ...key("person:key-a"), name: "Ada", role: "reviewer", token: "token-a", ...changes },
      act(),
    );
  const admit = (actor: string, nowMs = T0, tenant = TENANT) => store.people.admit(key(actor, tenant), nowMs);
  const list = (tenant = TENANT) => store.people.list(tenant);
  const notes = async (tenant = TENANT) =>
    (await store.accessLog.list(tenant, { limit: 100 })).entries.map(({ actor, what, subject }) => [
      actor,
      what,
      subject,
    ]);

  async function erase(step: RetentionStep, nowMs: number): Promise<number> {
    const before = {
      contentBeforeMs: 0,
      deliveriesBeforeMs: 0,
      ledgerBeforeMs: 0,
      awaitingBeforeMs: 0,
      quotasBeforeMs: 0,
    };
    const limits = { ...before, passingBeforeMs: 0, circuitsBeforeMs: 0, entry: entry("erased", nowMs) };
    const chunk = await store.retention.eraseAged(
      step,
      { ...limits, nowMs, ordersBeforeMs: nowMs - 90 * DAY_MS },
      null,
    );
    return chunk.erased;
  }

  describe("people of a platform", () => {
    it("are owners if they come first, reviewers if they come later, and keep their role", async () => {
      expect(await admit("person:7")).toEqual({
        actor: "person:7",
        name: null,
        role: "owner",
        kind: "platform",
        createdAtMs: T0,
        seenAtMs: T0,
        revokedAtMs: null,
      });
      expect(await admit("person:8")).toMatchObject({ role: "reviewer" });
      await store.people.change(key("person:8"), { role: "owner" }, act());
      await store.people.change(key("person:7"), { role: "viewer" }, act());

      expect(await admit("person:7", T0 + 1)).toMatchObject({ role: "viewer", createdAtMs: T0 });
      expect(await admit("person:7", T0, OTHER_TENANT)).toMatchObject({ role: "owner" });
    });

    it("have the platform's name for them, unless they have one, and nothing is logged about it", async () => {
      await admit("person:7");
      await admit("person:7", T0, OTHER_TENANT);
      await store.people.nameOnce(key("person:7"), "Ada");
      expect(await admit("person:7")).toMatchObject({ name: "Ada" });

      await store.people.nameOnce(key("person:7"), "Grace");
      expect(await admit("person:7")).toMatchObject({ name: "Ada" });
      expect(await admit("person:7", T0, OTHER_TENANT)).toMatchObject({ name: null });
      expect(await notes()).toEqual([]);
    });

    it("are stored once, however many of their requests come first", async () => {
      const admitted = await Promise.all(Array.from({ length: 8 }, () => admit("person:7")));

      expect(new Set(admitted.map(({ role }) => role))).toEqual(new Set(["owner"]));
      expect(await list()).toHaveLength(1);
    });

    it("have one owner, however many come first", async () => {
      const actors = Array.from({ length: 8 }, (_, index) => `person:${index}`);

      const admitted = await Promise.all(actors.map((actor) => admit(actor)));

      expect(admitted.map(({ role }) => role).toSorted()).toEqual([
        "owner",
        ...Array.from({ length: 7 }, () => "reviewer"),
      ]);
    });

    it("don't become owners after one who was shut out, or if only people with tokens exist", async () => {
      await add();
      expect(await admit("person:7")).toMatchObject({ role: "owner" });
      await store.people.revoke(key("person:7"), act(T0, CONSOLE_ACTOR));

      expect(await admit("person:8")).toMatchObject({ role: "reviewer" });
    });

    it("are recorded as seen once in ten minutes", async () => {
      await admit("person:7", T0);
      await admit("person:7", T0 + 10 * MINUTE_MS - 1);
      expect(await list()).toMatchObject([{ seenAtMs: T0 }]);

      await admit("person:7", T0 + 10 * MINUTE_MS);
      expect(await list()).toMatchObject([{ seenAtMs: T0 + 10 * MINUTE_MS }]);
    });

    it("stay shut out until somebody gives them a role again", async () => {
      await admit("person:1");
      await admit("person:7");
      expect(await store.people.revoke(key("person:7"), act(T0 + 1))).toMatchObject({ outcome: "changed" });
      expect(await store.people.revoke(key("person:7"), act(T0 + 2))).toMatchObject({
        person: { revokedAtMs: T0 + 1 },
      });

      expect(await admit("person:7")).toMatchObject({ revokedAtMs: T0 + 1 });
      await store.people.change(key("person:7"), { name: "Grace" }, act());
      expect(await admit("person:7")).toMatchObject({ revokedAtMs: T0 + 1, name: "Grace" });
      await store.people.change(key("person:7"), { role: "viewer" }, act());
      expect(await admit("person:7")).toMatchObject({ revokedAtMs: null, role: "viewer" });
    });
  });

  describe("people with a token", () => {
    it("are found by it, in their own tenant, until it is revoked for good", async () => {
      const person = await add();
      expect(person).toEqual({
        actor: "person:key-a",
        name: "Ada",
        role: "reviewer",
        kind: "token",
        createdAtMs: T0,
        seenAtMs: null,
        revokedAtMs: null,
      });

      expect(await store.people.findTokenHolder("token-a", T0 + 5)).toMatchObject({ tenant: TENANT, person });
      expect(await list()).toMatchObject([{ seenAtMs: T0 + 5 }]);
      expect(await store.people.findTokenHolder("token-b", T0)).toBeNull();
      expect(await store.people.findTokenHolder("", T0)).toBeNull();

      await store.people.revoke(key("person:key-a"), act());
      expect(await store.people.findTokenHolder("token-a", T0)).toBeNull();
      expect(await store.people.change(key("person:key-a"), { role: "owner" }, act())).toEqual({
        outcome: "revoked",
      });
      expect(await store.people.findTokenHolder("token-a", T0)).toBeNull();
    });

    it("can't sign in once their shop has left, and can again when it is back", async () => {
      await store.tenants.saveCredential(TENANT, "shopify", "secret", "installed", T0);
      await add();
      await store.sessions.start(session(), []);
      await store.tenants.uninstall(TENANT, T0 + 1, entry("uninstalled"));

      expect(await store.people.findTokenHolder("token-a", T0 + 2)).toBeNull();
      expect(await find()).toBeNull();
      await store.tenants.saveCredential(TENANT, "shopify", "secret", "installed", T0 + 3);
      expect(await store.people.findTokenHolder("token-a", T0 + 4)).not.toBeNull();
      expect(await find()).not.toBeNull();
    });

    it("are limited in number, not counting people whose token was revoked", async () => {
      for (let index = 0; index < 200; index += 1) {
        const person = { actor: `person:key-${index}`, token: `token-${index}` };
        expect(await add(person)).not.toBeNull();
      }

      expect(await add()).toBeNull();
      expect(await add({ tenant: OTHER_TENANT })).not.toBeNull();
      await store.people.revoke(key("person:key-0"), act());
      expect(await add({ token: "token-b" })).not.toBeNull();
    });

    it("are deleted some time after they were revoked, unless a platform would add them again", async () => {
      await admit("person:1");
      await admit("person:7");
      await add();
      await add({ actor: "person:key-b", token: "token-b" });
      for (const actor of ["person:7", "person:key-a"]) await store.people.revoke(key(actor), act(T0));

      expect(await erase("people", T0 + 90 * DAY_MS)).toBe(0);
      expect(await erase("people", T0 + 90 * DAY_MS + 1)).toBe(1);
      expect((await list()).map(({ actor }) => actor).toSorted()).toEqual([
        "person:1",
        "person:7",
        "person:key-b",
      ]);
    });

    it("of a platform lose their names once they weren't seen for as long as orders are kept", async () => {
      await admit("person:7");
      await admit("person:8", T0 + DAY_MS);
      await add();
      for (const actor of ["person:7", "person:8"]) await store.people.nameOnce(key(actor), "Ada");

      expect(await erase("names-of-people", T0 + 90 * DAY_MS)).toBe(0);
      expect(await erase("names-of-people", T0 + 90 * DAY_MS + 1)).toBe(1);
      expect((await list()).map(({ actor, name }) => `${actor} ${name}`).toSorted()).toEqual([
        "person:7 null",
        "person:8 Ada",
        "person:key-a Ada",
      ]);
    });
  });

  describe("changes of people", () => {
    it("are made on the requested person only, and recorded", async () => {
      await admit("person:1");
      await admit("person:7");
      await admit("person:7", T0, OTHER_TENANT);
      await store.people.change(key("person:7"), { name: "Grace", role: "reviewer" }, act());
      await store.people.revoke(key("person:7"), act());
      await add();

      expect(await list(OTHER_TENANT)).toMatchObject([{ name: null, role: "owner", revokedAtMs: null }]);
      expect(await notes()).toEqual([
        ["person:1", "people", "person:key-a"],
        ["person:1", "people", "person:7"],
        ["person:1", "people", "person:7"],
      ]);
      expect(await notes(OTHER_TENANT)).toEqual([]);
    });

    it("don't touch somebody who doesn't exist", async () => {
      await admit("person:7", T0, OTHER_TENANT);
      for (const actor of ["person:7", "person:8"]) {
        expect(await store.people.change(key(actor), { role: "owner" }, act())).toEqual({
          outcome: "unknown",
        });
        expect(await store.people.revoke(key(actor), act())).toEqual({ outcome: "unknown" });
      }

      expect(await list()).toEqual([]);
      expect(await notes()).toEqual([]);
    });

    it("leave the last owner alone, unless the operator makes them", async () => {
      await admit("person:1");
      await admit("person:2");
      await store.people.change(key("person:2"), { role: "reviewer" }, act());
      await add({ role: "owner" });
      await store.people.revoke(key("person:key-a"), act());
      const before = await notes();

      const refused = { outcome: "last-owner" };
      expect(await store.people.change(key("person:1"), { role: "viewer" }, act())).toEqual(refused);
      expect(await store.people.revoke(key("person:1"), act())).toEqual(refused);
      expect(await notes()).toEqual(before);
      expect(await store.people.change(key("person:1"), { role: "owner", name: "A" }, act())).toMatchObject({
        outcome: "changed",
      });
      expect(await store.people.revoke(key("person:1"), act(T0, CONSOLE_ACTOR))).toMatchObject({
        outcome: "changed",
      });
    });

    it("leave one owner when two take each other's ownership away at the same time", async () => {
      for (const tenant of Array.from({ length: 10 }, (_, index) => `shopify:race-${index}.example`)) {
        const people = ["person:1", "person:2"];
        for (const actor of people) await admit(actor, T0, tenant);

        const changes = await Promise.all([
          store.people.change(key("person:2", tenant), { role: "viewer" }, act(T0, "person:1")),
          store.people.revoke(key("person:1", tenant), act(T0, "person:2")),
        ]);

        expect(changes.map(({ outcome }) => outcome).toSorted()).toEqual(["changed", "last-owner"]);
        const left = await list(tenant);
        expect(left.filter((person) => person.role === "owner" && person.revokedAtMs === null)).toHaveLength(
          1,
        );
      }
    });

    it("are deleted with their tenant, and with no other", async () => {
      await add();
      await add({ tenant: OTHER_TENANT, token: "token-b" });
      await store.sessions.start(session(), []);
      await store.sessions.start(asOperator({ value: "operator" }), []);
      await store.sessions.start(session({ tenant: OTHER_TENANT, value: "other", token: "token-b" }), []);

      await store.retention.eraseTenant(TENANT);

      expect(await list()).toEqual([]);
      expect(await store.people.findTokenHolder("token-a", T0)).toBeNull();
      expect(await find()).toBeNull();
      expect(await find("operator")).toBeNull();
      expect(await store.people.findTokenHolder("token-b", T0)).not.toBeNull();
      expect(await find("other")).not.toBeNull();
    });
  });

  const session = (changes: Partial<NewSession> = {}): NewSession => {
    const lasting = { nowMs: T0, expiresAtMs: T0 + 12 * HOUR_MS };
    return { ...key("person:key-a"), value: "value", token: "token-a", ...lasting, ...changes };
  };
  const asOperator = (changes: Partial<NewSession> = {}) =>
    session({ actor: CONSOLE_ACTOR, token: "console", ...changes });
  const find = (value = "value", nowMs = T0, consoleToken: string | undefined = "console") =>
    store.sessions.find(value, { nowMs, consoleToken });

  describe("sessions", () => {
    it("return their person, with the current role and name", async () => {
      await add();
      await store.sessions.start(session(), []);
      expect(await find()).toMatchObject({ tenant: TENANT, person: { role: "reviewer", name: "Ada" } });
      expect(await find("another")).toBeNull();
      expect(await find("")).toBeNull();

      await store.people.change(key("person:key-a"), { role: "viewer", name: "Eve" }, act());
      expect(await find()).toMatchObject({ person: { role: "viewer", name: "Eve" } });
      expect(await notes()).toEqual([
        ["person:1", "people", "person:key-a"],
        ["person:key-a", "sign-in", ""],
        ["person:1", "people", "person:key-a"],
      ]);
    });

    it("expire by time, before any cleanup", async () => {
      await add();
      await store.sessions.start(session(), []);
      const endMs = T0 + 12 * HOUR_MS;

      expect(await find("value", endMs - 1)).not.toBeNull();
      expect(await find("value", endMs)).toBeNull();
      expect(await erase("sessions", endMs)).toBe(0);
      expect(await erase("sessions", endMs + 1)).toBe(1);
    });

    it("end when they are ended, and no others do", async () => {
      await add();
      await store.sessions.start(session(), []);
      await store.sessions.start(session({ value: "second" }), []);
      await store.sessions.end(["value", "unknown"]);
      await store.sessions.end([]);

      expect(await find()).toBeNull();
      expect(await find("second")).not.toBeNull();
    });

    it("replace the browser's earlier sessions", async () => {
      await add();
      await store.sessions.start(session(), []);
      await store.sessions.start(session({ value: "second" }), ["value", "unknown"]);

      expect(await find()).toBeNull();
      expect(await find("second")).not.toBeNull();
    });

    it("are listed if they are valid now, each with its value and its age", async () => {
      await add();
      await store.people.add(
        { tenant: OTHER_TENANT, actor: "person:key-b", name: "Bo", role: "viewer", token: "token-b" },
        act(),
      );
      const other = { tenant: OTHER_TENANT, actor: "person:key-b", token: "token-b" };
      await store.sessions.start(session(), []);
      await store.sessions.start(session({ ...other, value: "other", nowMs: T0 + 1 }), []);
      await store.sessions.start(session({ value: "ended", expiresAtMs: T0 + 5 }), []);
      await store.sessions.start(asOperator({ value: "operator", token: "former" }), []);

      const moment = { nowMs: T0 + 5, consoleToken: "console" };
      const listed = await store.sessions.list(["value", "other", "ended", "operator", "unknown"], moment);
      expect(listed.toSorted((one, two) => one.createdAtMs - two.createdAtMs)).toMatchObject([
        { value: "value", tenant: TENANT, person: { name: "Ada" }, createdAtMs: T0 },
        { value: "other", tenant: OTHER_TENANT, person: { name: "Bo" }, createdAtMs: T0 + 1 },
      ]);
      expect(await store.sessions.list([], moment)).toEqual([]);
    });

    it("end with their person's token", async () => {
      await add();
      await store.sessions.start(session(), []);
      await store.people.revoke(key("person:key-a"), act());
      expect(await find()).toBeNull();

      // As when somebody signs in while they are being shut out.
      await store.sessions.start(session({ value: "late" }), []);
      expect(await find("late")).toBeNull();
    });

    it("don't count for another token than the one that started them", async () => {
      await add();
      await store.sessions.start(session({ token: "another" }), []);
      await store.sessions.start(session({ actor: "person:key-b", value: "nobody" }), []);
      expect(await find()).toBeNull();
      expect(await find("nobody")).toBeNull();
    });

    it("of the operator end when the console token is changed or removed", async () => {
      await store.sessions.start(asOperator(), []);

      expect(await find()).toEqual({ tenant: TENANT, person: null });
      expect(await find("value", T0, "changed")).toBeNull();
      expect(await store.sessions.find("value", { nowMs: T0, consoleToken: undefined })).toBeNull();
      expect(await notes()).toEqual([["operator", "sign-in", ""]]);
    });

    it("of the operator aren't those of a person whose token has the same text", async () => {
      await add({ token: "console" });
      await store.sessions.start(session({ token: "console" }), []);
      await store.sessions.start(asOperator({ value: "operator" }), []);

      expect(await find()).toMatchObject({ person: { actor: "person:key-a" } });
      expect(await find("operator")).toMatchObject({ person: null });
    });
  });
}
