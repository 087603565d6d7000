import { toDispatcher } from "../base/proxy.ts";
import { HoldfastError, toConfigError } from "../base/errors.ts";
import type { Config } from "../config.ts";
import { createManagementClient, type ManagementClient } from "../management/management-client.ts";
import { parseDate, parseSince } from "./arguments.ts";
import type { ServiceContext } from "./command.ts";
import { printAll, printRecord, toLine } from "./output.ts";

type Fields = Readonly<Record<string, unknown>>;

export async function withManagement<T>(
  { management, proxy }: Config,
  work: (client: ManagementClient) => Promise<T>,
) {
  if (management === undefined) {
    throw toConfigError("MANAGEMENT_URL and MANAGEMENT_TOKEN: the management interface needs both");
  }
  const client = createManagementClient({
    url: management.url,
    token: management.token.reveal(),
    dispatcher: toDispatcher(proxy),
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** `holdfast management me`: whose token it is. */
export async function showMe(context: ServiceContext): Promise<void> {
  await withManagement(context.config, async (client) => printRecord(context, await client.me.get()));
}

/** `holdfast management sites`: a line for each site. */
export async function listSites(context: ServiceContext): Promise<void> {
  const toValues = ({ id, name, ...rest }: Fields) => [id, name, ...toOthers(rest)];
  await withManagement(context.config, (client) =>
    printAll(context, client.sites.list(), toValues, "no sites"),
  );
}

/**
 * `holdfast management forms submissions`: a line for each submission of every form, of all sites. The interface
 * doesn't show a submission's fields. A submission without a time in a usual field is listed regardless of `since`, and
 * counted.
 */
export async function listSubmissions(since: string | undefined, context: ServiceContext): Promise<void> {
  const { config, terminal, json, now } = context;
  // The other service decides how long it keeps them.
  const sinceMs = since === undefined ? undefined : parseSince(since, now(), Number.POSITIVE_INFINITY);
  const counts = { submissions: 0, withoutTime: 0 };
  await withManagement(config, async (client) => {
    for await (const { siteId, formId, submission } of readSubmissions(client)) {
      const time = readTime(submission);
      if (time !== undefined && sinceMs !== undefined && time.ms < sinceMs) continue;
      counts.submissions += 1;
      if (time === undefined) counts.withoutTime += 1;
      const { id, [time?.field ?? ""]: _time, ...rest } = submission;
      terminal.line(
        json
          ? JSON.stringify({ siteId, formId, ...submission })
          : toLine([time?.text, siteId, formId, id, ...toOthers(rest)]),
      );
    }
  });
  if (counts.submissions === 0 && !json) {
    const from = sinceMs === undefined ? "" : ` since ${new Date(sinceMs).toISOString()}`;
    terminal.problem(`no submissions${from}`);
  }
  if (sinceMs === undefined || counts.withoutTime === 0) return;
  terminal.problem(`${counts.withoutTime} of these have no time that can be read, so they may be older`);
}

async function* readSubmissions(client: ManagementClient) {
  for await (const site of client.sites.list()) {
    const siteId = readId(site);
    for await (const form of client.forms.list(siteId)) {
      const formId = readId(form);
      for await (const submission of client.forms.submissions(siteId, formId)) {
        yield { siteId, formId, submission };
      }
    }
  }
}

function readId({ id }: Fields): string {
  if (typeof id === "string" || typeof id === "number") return String(id);
  const message = "the management service answered a record without an id";
  throw new HoldfastError("SERVICE_MALFORMED", message, { retryable: false });
}

/** Usual names of a submission's time. The first field with a time counts. */
const TIME_FIELDS = ["submittedAt", "createdAt", "submitted_at", "created_at"] as const;

function readTime(submission: Fields) {
  for (const field of TIME_FIELDS) {
    const text = submission[field];
    const ms = typeof text === "string" ? parseDate(text) : Number.NaN;
    if (!Number.isNaN(ms)) return { field, ms, text };
  }
  return undefined;
}

/** The other fields as one value, if there are any. */
function toOthers(rest: Fields): readonly unknown[] {
  return Object.keys(rest).length === 0 ? [] : [rest];
}
