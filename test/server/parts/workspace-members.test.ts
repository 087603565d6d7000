import { MockAgent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import { Secret } from "../../../src/base/secret.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../../src/sandbox/sandbox-service.ts";
import { readWorkspaceMembers } from "../../../src/server/parts/workspace-members.ts";
import { AS_OPERATOR, AS_SHOP_A, startConsole } from "../console-app.ts";
import { bearer, givePerson } from "../sign-in/signed-in.ts";

const ADA = { id: "1", name: "Ada Lovelace", email: "ada@example.com", role: "owner" };
const WORKSPACES = [
  {
    id: "ws_1",
    name: "One",
    members: [
      { id: "2", user: { firstName: "Grace", lastName: "Hopper", email: "grace@example.com" } },
      ADA,
      { id: "3", email: "nameless@example.com" },
      { id: "4", name: "  " },
      { id: "5", name: `Wide\u202E\n${"x".repeat(200)}` },
    ],
  },
  { id: "ws_2", name: "Two", members: [ADA, ...many(45)] },
];

function many(count: number) {
  return Array.from({ length: count }, (_, index) => ({ id: `n${index}`, name: `Zoe ${index}` }));
}

async function startWorkspaces() {
  const service = createSandboxService({ management: { workspaces: WORKSPACES } });
  const url = (await service.listen()).href;
  onTestFinished(() => service.close());
  return { url, token: new Secret(SANDBOX_API_KEY) };
}

describe("GET /api/workspace-members", () => {
  it("lists the members of all workspaces once, and stores nothing about them", async () => {
    const management = await startWorkspaces();
    const app = await startConsole({ readWorkspaceMembers: () => readWorkspaceMembers(management) });

    const answer = await app.get("/api/workspace-members", AS_OPERATOR);

    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { members } = (await answer.json()) as { members: { name: string; email: string | null }[] };
    expect(members).toHaveLength(4 + 45);
    expect(members.slice(0, 4)).toEqual([
      { name: "Ada Lovelace", email: "ada@example.com" },
      { name: "Grace Hopper", email: "grace@example.com" },
      { name: "nameless@example.com", email: "nameless@example.com" },
      { name: expect.stringMatching(/^Wide {2}x{94}$/), email: null },
    ]);
    expect(app.log()).not.toMatch(/Lovelace|grace@/i);
    expect(await app.store.people.list("default")).toEqual([]);
    for (const { name } of members.slice(0, 4)) {
      const body = JSON.stringify({ name, role: "viewer" });
      const headers = { ...AS_OPERATOR, "content-type": "application/json" };
      expect((await app.send("POST", "/api/people", { headers, body })).status).toBe(201);
    }
  });

  it("is for owners of the operator's tenant, if a management interface is configured", async () => {
    const readWorkspaceMembers = async () => expect.unreachable();
    const plain = await startConsole();
    const app = await startConsole({ readWorkspaceMembers });
    const hasWorkspace = async (at: typeof app, headers: Record<string, string>) =>
      ((await (await at.get("/api/people", headers)).json()) as { hasWorkspace: boolean }).hasWorkspace;

    expect((await app.get("/api/workspace-members", AS_SHOP_A)).status).toBe(404);
    expect((await plain.get("/api/workspace-members", AS_OPERATOR)).status).toBe(404);
    expect(await hasWorkspace(app, AS_OPERATOR)).toBe(true);
    expect(await hasWorkspace(app, AS_SHOP_A)).toBe(false);
    expect(await hasWorkspace(plain, AS_OPERATOR)).toBe(false);
    const { token } = await givePerson(app.store, "reviewer");
    expect((await app.get("/api/workspace-members", bearer(token))).status).toBe(403);
  });

  it("answers 503 if the workspaces can't be read, and logs none of their text", async () => {
    const error = new HoldfastError("SERVICE_REFUSED", "Ada Lovelace is locked", { retryable: false });
    const app = await startConsole({ readWorkspaceMembers: () => Promise.reject(error) });

    const answer = await app.get("/api/workspace-members", AS_OPERATOR);

    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: "SERVICE_REFUSED" });
    expect(app.log()).toContain("SERVICE_REFUSED");
    expect(app.log()).not.toContain("Lovelace");
  });

  it("doesn't try again while a caller waits", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    onTestFinished(() => agent.close());
    const path = "/api/v1/workspaces?page=1";
    agent.get("https://manage.example").intercept({ path }).reply(500, "down");
    const management = { url: "https://manage.example", token: new Secret("a-token") };

    await expect(readWorkspaceMembers(management, agent)).rejects.toMatchObject({ code: "SERVICE_FAILED" });
  });
});
