import { explainSystemError, HoldfastError, readCode, toConfigError } from "../base/errors.ts";
import { SANDBOX_TABLE } from "../sandbox/sandbox-scenarios.ts";
import {
  createSandboxService,
  SANDBOX_ACCESS,
  SANDBOX_API_KEY,
  SANDBOX_ORGANIZATION,
  type SandboxService,
  type ServedRequest,
} from "../sandbox/sandbox-service.ts";
import { toTable, toTerminalText, type Output } from "./output.ts";
import { readSandboxSettings, type SandboxArguments, type SandboxSettings } from "./sandbox-options.ts";

export interface SandboxContext {
  readonly output: Output;
  /** JSON lines instead of text. */
  readonly json: boolean;
  /** Calls `stop` for each request to stop: the first one stops the service gracefully, the second one at once. */
  readonly onStop: (stop: () => void) => void;
}

/** How long running calls have to end when the sandbox stops. */
const GRACE_MS = 5_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** `holdfast sandbox --scenarios`: print the values that force an answer of the sandbox. */
export function printScenarios({ output, json }: Pick<SandboxContext, "output" | "json">): void {
  output.line(json ? JSON.stringify({ scenarios: SANDBOX_TABLE }) : toScenarioText());
}

/**
 * `holdfast sandbox`: the order verification service on this machine, a line per request, until it is asked to stop.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for an invalid option, or a port that can't be used.
 */
export async function serveSandbox(given: SandboxArguments, context: SandboxContext): Promise<void> {
  const { output, json, onStop } = context;
  const settings = await readSandboxSettings(given);
  const served = { requests: 0, metered: 0 };
  const service = createService(settings, (request) => {
    served.requests += 1;
    if (request.metered) served.metered += 1;
    output.line(json ? toRequestJson(request) : toRequestText(request));
  });
  const url = await listen(service, settings);
  warnOfTheOpen(settings, output);
  output.line(json ? toStartJson(url, settings) : toStartText(url, settings));

  const { promise: stopped, resolve, reject } = Promise.withResolvers<void>();
  onStop(() => void service.close({ graceMs: GRACE_MS }).then(resolve, reject));
  await stopped;
  output.line(
    json
      ? JSON.stringify({ event: "stopped", ...served })
      : `stopped: ${served.requests} requests, ${served.metered} of them metered`,
  );
}

export function onSignals(stop: () => void): void {
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

function createService(
  { key, service: options }: SandboxSettings,
  onRequest: (request: ServedRequest) => void,
): SandboxService {
  try {
    return createSandboxService({
      ...options,
      apiKeys: { [key ?? SANDBOX_API_KEY]: SANDBOX_ACCESS },
      // Bodies are personal, and nobody reads them.
      keepCalls: 0,
      onRequest,
    });
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    if (readCode(error) === "ERR_SQLITE_ERROR") throw toConfigError(`--data: can't open ${options.path}`);
    throw toConfigError("--tls-key and --tls-cert: expected a key and its certificate");
  }
}

async function listen(service: SandboxService, { port, host }: SandboxSettings): Promise<URL> {
  try {
    return await service.listen(port, host);
  } catch (error) {
    const reason = explainSystemError(error);
    throw toConfigError(`--host and --port: can't listen on ${host}, port ${port}: ${reason}`);
  }
}

function warnOfTheOpen({ host, service: { tls } }: SandboxSettings, output: Output): void {
  if (tls !== undefined || LOOPBACK.test(host)) return;
  output.problem(
    "others can reach this sandbox without encryption: send only invented orders, or use --tls-key and --tls-cert",
  );
}

function toStartJson(url: URL, { key, service: { credits } }: SandboxSettings): string {
  return JSON.stringify({
    event: "listening",
    url: url.href,
    organization: SANDBOX_ORGANIZATION,
    ...(key === undefined ? { key: SANDBOX_API_KEY } : {}),
    credits: credits ?? null,
  });
}

function toStartText(url: URL, { key, service: { credits } }: SandboxSettings): string {
  const shownKey = key === undefined ? SANDBOX_API_KEY : "(the one you gave)";
  return [
    `order verification sandbox at ${url.href}`,
    `  check an order   POST ${url.href}api/${SANDBOX_ORGANIZATION}/order-verification`,
    `  catalog          ${url.href}api/${SANDBOX_ORGANIZATION}/products/get and the rest: docs/services.md`,
    `  management       ${url.href}api/v1/me, with the key as a bearer token`,
    `  key              x-api-key: ${shownKey}`,
    `  credits          ${toCreditsText(credits ?? Number.POSITIVE_INFINITY)}; more: POST ${url.href}sandbox/credits {"add":100}`,
    "  magic values     holdfast sandbox --scenarios",
  ].join("\n");
}

/** The caller chooses the order ID, so it is cut to fit in a line. */
const ORDER_ID_CHARACTERS = 40;

const NAMES: Readonly<Record<ServedRequest["kind"], string>> = {
  verification: "order",
  organizations: "organizations",
  catalog: "catalog",
  management: "management",
  "sandbox-credits": "sandbox/credits",
  "wrong-method": "method not allowed",
  unknown: "no such path",
};
const ENDS: Readonly<Record<NonNullable<ServedRequest["ended"]>, string>> = {
  silent: "silence",
  reset: "reset",
  closed: "closed",
  "caller-left": "caller left",
};

function toRequestText(request: ServedRequest): string {
  const { at, kind, status, ended, orderId, riskLevel, metered, creditsLeft, rule } = request;
  const order = orderId === undefined ? "(no order id)" : clean(orderId);
  const subject = kind === "verification" ? order : NAMES[kind];
  const cells = [
    new Date(at).toISOString().slice(11, 23),
    subject.padEnd(20),
    (status === null ? ENDS[ended ?? "silent"] : String(status)).padEnd(11),
    (riskLevel ?? "-").padEnd(8),
    metered ? "metered" : "free   ",
    `${toCreditsText(creditsLeft)} left`,
    ...(rule === undefined ? [] : [`forced: ${rule}`]),
  ];
  return cells.join("  ");
}

function toRequestJson(request: ServedRequest): string {
  const { at, kind, creditsLeft, orderId, riskLevel, rule, ended, ...rest } = request;
  return JSON.stringify({
    event: "request",
    time: new Date(at).toISOString(),
    kind,
    ...rest,
    ended: ended ?? null,
    orderId: orderId === undefined ? null : clean(orderId),
    riskLevel: riskLevel ?? null,
    rule: rule ?? null,
    creditsLeft: Number.isFinite(creditsLeft) ? creditsLeft : null,
  });
}

function toCreditsText(credits: number): string {
  return Number.isFinite(credits) ? String(credits) : "unlimited";
}

function toScenarioText(): string {
  const rows = SANDBOX_TABLE.map(({ by, value, metered, answer }) => [
    by,
    value,
    metered ? "yes" : "no",
    answer,
  ]);
  return toTable([["field", "value", "metered", "answer"], ...rows]).join("\n");
}

function clean(orderId: string): string {
  const text = toTerminalText(orderId);
  return text.length > ORDER_ID_CHARACTERS ? `${text.slice(0, ORDER_ID_CHARACTERS)}…` : text;
}
