import { describe, expect, it } from "vitest";
import { policySchema } from "../../../src/policy/policy.ts";
import { AS_SHOP_A, startConsole, type ConsoleApp } from "../console-app.ts";
import { bearer, givePerson, toJsonCall } from "../sign-in/signed-in.ts";

const HEADER = "Name,Action,Field,Operator,Value\n";
const read = (app: ConsoleApp, csv: string, as: Record<string, string> = AS_SHOP_A) =>
  app.send("POST", "/api/policy/fraud-filter", toJsonCall({ csv }, as));

describe("POST /api/policy/fraud-filter", () => {
  it("gives rules and blocked addresses that can be saved, and saves nothing", async () => {
    const app = await startConsole();
    const response = await read(
      app,
      `${HEADER}Bad,Cancel,Email,is,bad@example.com\nBots,Cancel,Browser IP,is,8.8.8.8\nBots,Cancel,Browser IP,is,8.8.8.8\nProxy,Cancel,Browser IP,is,10.0.0.1\nOdd,Cancel,User agent,is,x\nHalf,Cancel,IP,is,"10.0.0.1, 8.8.4.4"\n+1 212 555 0100,Cancel,IP,is,8.8.4.1\n`,
    );

    const body = (await response.json()) as { rules: object[]; lists: object[] };
    expect(body).toMatchObject({
      found: 6,
      imported: 3,
      rules: [
        {
          name: "Fraud Filter: Bad",
          when: { email: ["bad@example.com"] },
          then: { atLeast: "hold", tags: [] },
        },
      ],
      lists: [
        { list: "block", kind: "network", owner: "person:7", reason: "Fraud Filter: Bots", until: null },
        { reason: "Fraud Filter" },
      ],
      leftOut: [
        { line: 5, name: "Proxy", problem: "shared-address" },
        { line: 6, name: "Odd", field: "User agent", problem: "no-condition" },
        { line: 7, name: "Half", field: "IP", problem: "shared-address" },
      ],
    });
    // Masked, as all entries are.
    expect(JSON.stringify(body.lists)).not.toContain("8.8.8.8");
    const { rules, lists } = body;
    expect(policySchema.safeParse({ rules, lists }).success).toBe(true);
    expect(await app.store.policies.load("fake:a.example")).toBeNull();
    expect(app.log()).not.toMatch(/bad@example|8\.8\.8\.8/);
  });

  it("leaves out addresses that are on the list already, and those that it has no room for", async () => {
    const app = await startConsole();
    const csv = `${HEADER}${Array.from({ length: 1_001 }, (_, index) => `IP ${index},Cancel,IP,is,8.8.${Math.floor(index / 200)}.${index % 200}`).join("\n")}`;
    const first = (await (await read(app, csv)).json()) as { lists: object[]; leftOut: object[] };
    expect([first.lists.length, first.leftOut]).toEqual([
      1_000,
      [{ line: 1_002, name: "IP 1000", field: "IP", problem: "list-full" }],
    ]);

    const body = JSON.stringify({ lists: first.lists });
    const saved = await app.send("PUT", "/api/policy", {
      body,
      headers: { ...AS_SHOP_A, "content-type": "application/json" },
    });
    expect(saved.status).toBe(200);
    const again = (await (await read(app, csv)).json()) as { lists: object[]; leftOut: object[] };
    expect([again.lists.length, again.leftOut.length]).toEqual([0, 1]);
  });

  it("names the missing columns, and is for owners", async () => {
    const app = await startConsole();
    const response = await read(app, "Rule,Then\na,b");
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      errors: [
        {
          path: "csv",
          message: expect.stringContaining("missing: action, field, operator, value") as string,
        },
      ],
    });
    const { token } = await givePerson(app.store, "reviewer", "fake:a.example");
    expect((await read(app, HEADER, bearer(token))).status).toBe(403);
  });
});
