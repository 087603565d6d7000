import { describe, expect, it, onTestFinished } from "vitest";
import type { ServiceContext } from "../../src/cli/command.ts";
import { listSites, listSubmissions, showMe } from "../../src/cli/management.ts";
import { parseConfig } from "../../src/config.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");

const SUBMISSIONS = [
  { id: "old", submittedAt: "2026-10-20T11:59:59.999Z", fields: { message: "old" } },
  { id: "exact", submittedAt: "2026-11-18T12:00:00Z", fields: { message: "\u001B[31mred" } },
  { id: "zoned", created_at: "2026-11-18T11:30:00.123456-02:00" },
  { id: "nameless", when: "yesterday" },
];

const MANAGEMENT = {
  me: { id: "user_1", name: "Ada \u001B]0;x", organizationIdOfUser: "org_1" },
  sites: [
    {
      id: "site_1",
      name: "Shop",
      forms: [
        { id: "form_1", submissions: SUBMISSIONS },
        { id: "form_2", submissions: [] },
      ],
    },
    { id: "site_2", name: "Blog", forms: [{ id: "form_3", submissions: many(45) }] },
  ],
};

function many(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `sub_${index}`,
    createdAt: "2026-11-19T12:00:00Z",
  }));
}

async function start({ json = false } = {}) {
  const service = createSandboxService({ management: MANAGEMENT });
  const url = await service.listen();
  onTestFinished(() => service.close());
  const told = { lines: [] as string[], problems: [] as string[] };
  const config = parseConfig({ MANAGEMENT_URL: url.href, MANAGEMENT_TOKEN: SANDBOX_API_KEY });
  const context: ServiceContext = {
    config,
    json,
    now: () => NOW,
    terminal: {
      isInteractive: false,
      hasColors: false,
      line: (text) => void told.lines.push(text),
      problem: (text) => void told.problems.push(text),
      progress() {},
      confirm: () => expect.unreachable(),
    },
  };
  return { context, told };
}

describe("holdfast management", () => {
  it("says that nothing was submitted since", async () => {
    const { context, told } = await start();
    const management = {
      ...MANAGEMENT,
      sites: [{ id: "site_2", name: "Blog", forms: MANAGEMENT.sites[1]?.forms }],
    };
    const service = createSandboxService({ management });
    onTestFinished(() => service.close());
    const url = await service.listen();
    const config = parseConfig({ MANAGEMENT_URL: url.href, MANAGEMENT_TOKEN: SANDBOX_API_KEY });

    await listSubmissions("12h", { ...context, config });

    expect(told).toEqual({ lines: [], problems: ["no submissions since 2026-11-20T00:00:00.000Z"] });
  });

  it("shows whose token it is, and the sites", async () => {
    const { context, told } = await start();

    await showMe(context);
    await listSites(context);

    expect(told.lines[0]?.split("\n")).toEqual([
      "id            user_1",
      "name          Ada  ]0;x",
      "organizationIdOfUser org_1",
    ]);
    expect(told.lines.slice(1)).toEqual(["site_1  Shop", "site_2  Blog"]);
  });

  it("lists what every form received since a moment, on all pages", async () => {
    const { context, told } = await start();

    await listSubmissions("2d", context);

    expect(told.lines.slice(0, 3)).toEqual([
      '2026-11-18T12:00:00Z  site_1  form_1  exact  {"fields":{"message":"\\u001b[31mred"}}',
      "2026-11-18T11:30:00.123456-02:00  site_1  form_1  zoned",
      '-  site_1  form_1  nameless  {"when":"yesterday"}',
    ]);
    expect(told.lines).toHaveLength(3 + 45);
    expect(told.problems).toEqual(["1 of these have no time that can be read, so they may be older"]);
  });

  it("lists all of them without --since, one JSON object a line", async () => {
    const { context, told } = await start({ json: true });

    await listSubmissions(undefined, context);
    await showMe(context);
    await listSites(context);

    const read = told.lines.map((line) => JSON.parse(line) as unknown);
    expect(read).toHaveLength(4 + 45 + 1 + 2);
    expect(read[0]).toEqual({ siteId: "site_1", formId: "form_1", ...SUBMISSIONS[0] });
    expect(read[49]).toEqual(MANAGEMENT.me);
    expect(told.problems).toEqual([]);
  });

  it("lists what it needs", async () => {
    const { context } = await start();
    const without = { ...context, config: parseConfig({}) };

    await expect(showMe(without)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("MANAGEMENT_URL and MANAGEMENT_TOKEN"),
    });
    for (const since of ["soon", "2027-01-01", ""]) {
      await expect(listSubmissions(since, context)).rejects.toThrow("--since");
    }
  });
});
