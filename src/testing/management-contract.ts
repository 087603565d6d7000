import { equal, ok } from "node:assert/strict";
import { checkOptions } from "../base/options.ts";
import { MANAGEMENT_ROUTES, type ManagementRoute } from "../management/operations.ts";
import { free, type ContractCase } from "./contract-case.ts";
import {
  KEY_RULE,
  SERVICE_RULES,
  createServiceCaller,
  type ServiceAnswer,
  type ServiceCaller,
  type ServiceUnderTest,
} from "./service-caller.ts";

/** Options of {@link managementServiceContract}. */
export interface ManagementServiceContractOptions extends ServiceUnderTest {
  readonly token: string;
  /** Address that a test webhook may be sent to. @default https://example.com/holdfast-contract */
  readonly receiver?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * What the management interface promises, as cases for any test runner: every route, the envelope, and pages. It shows
 * no bodies, so none are checked. Cases read the first record of each list, and pass if an account has none.
 */
export function managementServiceContract(given: ManagementServiceContractOptions): readonly ContractCase[] {
  const rules = { ...SERVICE_RULES, token: KEY_RULE, receiver: true } as const;
  const options = checkOptions("managementServiceContract", given, rules);
  const { token, receiver = "https://example.com/holdfast-contract" } = options;
  const caller = createServiceCaller({ ...options, apiKey: token }, undefined);
  const reads = Object.entries(MANAGEMENT_ROUTES)
    .filter(([group]) => group !== "webhooks")
    .flatMap(([group, routes]) =>
      Object.entries(routes as Readonly<Record<string, ManagementRoute>>).map(([name, route]) =>
        free(`${group}.${name}: GET ${route.path}`, () => readRoute(call, route)),
      ),
    );
  const headers = { authorization: `Bearer ${token}` };
  const call: Call = (path, method = "GET", body) =>
    caller.call(`api/v1${path}`, { method, body, apiKey: null, headers });
  return [...reads, ...toWebhookCases(call, receiver), refusesStrangers(caller)];
}

type Call = (path: string, method?: string, body?: unknown) => Promise<ServiceAnswer>;

function refusesStrangers(caller: ServiceCaller): ContractCase {
  return free("refuses a caller without a token", async () => {
    const { status } = await caller.call("api/v1/me", { apiKey: null });
    ok(status === 401 || status === 403, `expected status 401 or 403, got ${status}`);
  });
}

function readOk(answer: ServiceAnswer): Fields {
  ok(answer.status >= 200 && answer.status < 300, `expected a success, got ${answer.status}`);
  const envelope = JSON.parse(answer.text) as Fields;
  equal(envelope["ok"], true);
  return envelope;
}

async function readList(call: Call, path: string): Promise<readonly Fields[]> {
  const { data, meta } = readOk(await call(`${path}?page=1&perPage=5`));
  ok(Array.isArray(data), "expected data to be a list");
  ok(typeof meta === "object" && meta !== null, "expected meta to be an object");
  return data as readonly Fields[];
}

/** Put the first record of each list into a path's parameters; undefined where a list is empty. */
async function fillPath(call: Call, path: string): Promise<string | undefined> {
  let filled = "";
  for (const part of path.split("/").slice(1)) {
    if (!part.startsWith(":")) {
      filled += `/${part}`;
      continue;
    }
    const [first] = await readList(call, filled);
    if (first === undefined) return undefined;
    filled += `/${encodeURIComponent(String(first["id"]))}`;
  }
  return filled;
}

async function readRoute(call: Call, { kind, path }: ManagementRoute): Promise<void> {
  const filled = await fillPath(call, path);
  if (filled === undefined) return;
  if (kind === "list") await readList(call, filled);
  else ok("data" in readOk(await call(filled)), "expected data");
}

type Work = (path: string) => Promise<void>;

/** Create a webhook for one case, and delete it afterwards. */
async function withWebhook(call: Call, receiver: string, work: Work): Promise<void> {
  const [workspace] = await readList(call, "/workspaces");
  const body = { workspaceId: String(workspace?.["id"]), name: "Contract", url: receiver, events: ["test"] };
  const { data } = readOk(await call("/webhooks", "POST", body));
  const { id } = data as Fields;
  ok(typeof id === "string", "expected the new webhook's id");
  try {
    await work(`/webhooks/${id}`);
  } finally {
    await call(`/webhooks/${id}`, "DELETE");
  }
}

function toWebhookCases(call: Call, receiver: string): readonly ContractCase[] {
  const run = (name: string, work: Work) => free(name, () => withWebhook(call, receiver, work));
  const succeeds = async (...args: Parameters<Call>) => void readOk(await call(...args));
  return [
    run("webhooks.list: GET /webhooks", async (path) => {
      const id = path.split("/").at(-1);
      const envelope = readOk(await call("/webhooks?page=1&perPage=100"));
      const listed = envelope["data"] as readonly Fields[];
      ok(
        listed.some((one) => one["id"] === id),
        "expected the new webhook in the list",
      );
    }),
    run("webhooks.create: POST /webhooks", (path) => succeeds(path)),
    run("webhooks.get: GET /webhooks/:webhookId", (path) => succeeds(path)),
    run("webhooks.update: PATCH /webhooks/:webhookId", (path) =>
      succeeds(path, "PATCH", { name: "Changed" }),
    ),
    run("webhooks.secret: GET /webhooks/:webhookId/secret", (path) => succeeds(`${path}/secret`)),
    run("webhooks.rotateSecret: POST /webhooks/:webhookId/secret", (path) =>
      succeeds(`${path}/secret`, "POST"),
    ),
    run("webhooks.test: POST /webhooks/:webhookId/test", (path) => succeeds(`${path}/test`, "POST")),
    run("webhooks.deliveries: GET /webhooks/:webhookId/deliveries", async (path) => {
      await readList(call, `${path}/deliveries`);
    }),
    run("webhooks.replay: POST /webhooks/:webhookId/deliveries/:deliveryId/replay", async (path) => {
      await succeeds(`${path}/test`, "POST");
      const [delivery] = await readList(call, `${path}/deliveries`);
      if (delivery === undefined) return;
      await succeeds(`${path}/deliveries/${String(delivery["id"])}/replay`, "POST");
    }),
    free("webhooks.delete: DELETE /webhooks/:webhookId", async () => {
      let gone = "";
      await withWebhook(call, receiver, async (path) => void (gone = path));
      equal((await call(gone)).status, 404);
    }),
  ];
}
