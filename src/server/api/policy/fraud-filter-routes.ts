import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { expected } from "../../../base/field-codes.ts";
import { isHoldfastError } from "../../../base/errors.ts";
import { toLinkKeys } from "../../../engine/velocity/keys.ts";
import {
  importFraudFilter,
  isSpeaking,
  type ImportedRules,
  type LeftOut,
} from "../../../policy/fraud-filter/import-rules.ts";
import { IMPORT_PROBLEMS } from "../../../policy/fraud-filter/to-condition.ts";
import { LIST_TEXT_LENGTH, MOST_ENTRIES, listsSchema, type ListEntry } from "../../../policy/lists.ts";
import { DEFAULT_POLICY, parsePolicy, policySchema, type Policy } from "../../../policy/policy.ts";
import { POLICY_LIMITS } from "../../../policy/schema-fields.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { LocalParts } from "../../parts/shop-locales.ts";
import { toLinkLabel } from "../orders/linked-order-routes.ts";

type ImportParts = Pick<LocalParts, "store" | "localeOf">;

/** Several times what thousands of rules need. */
const MAX_EXPORT = 1_000_000;

const FRAUD_FILTER_ROUTES = {
  "POST /policy/fraud-filter": {
    id: "readFraudFilterExport",
    summary:
      "Read a CSV export of Shopify's Fraud Filter. Saves nothing: add the rules and entries to the policy, replay it, and save it.",
    role: "owner",
    body: z.strictObject({
      csv: z
        .string(expected("csv-text"))
        .max(MAX_EXPORT, expected("max-characters", { max: MAX_EXPORT }))
        .describe("with the columns Name, Action, Field, Operator, Value"),
    }),
    maxBodyBytes: 2 * MAX_EXPORT,
    answers: {
      200: z.object({
        found: z.int().describe("rules of the export"),
        imported: z.int().describe("how many of them are in `rules` or `lists`"),
        rules: policySchema.unwrap().shape.rules.describe("to be added after the policy's rules"),
        lists: listsSchema.readonly().describe("IP addresses for the block list"),
        leftOut: z
          .array(
            z.object({
              line: z.int().describe("of the file, from 1"),
              name: z.string(),
              field: z.string().describe("what the line asks about, as it is written"),
              problem: z.enum(IMPORT_PROBLEMS),
            }),
          )
          .readonly(),
      }),
    },
  },
} satisfies RouteDefinitions;

type Call = CallOf<typeof FRAUD_FILTER_ROUTES, "POST /policy/fraud-filter">;

export function createFraudFilterRoutes(parts: ImportParts) {
  return handleRoutes(FRAUD_FILTER_ROUTES, {
    async "POST /policy/fraud-filter"(call) {
      const { session, body, answer } = call;
      const kept = await parts.store.policies.load(session.tenant);
      const policy = kept === null ? DEFAULT_POLICY : parsePolicy(kept.document);
      const { currency } = await parts.localeOf(session.tenant);
      const room = POLICY_LIMITS.rules - policy.rules.length;
      const names = policy.rules.map(({ name }) => name);
      const { networks, ...read } = await readFile(body.csv, { currency, room, names });
      const { lists, leftOut } = toEntries(parts, call, { networks, policy });
      return answer(200, {
        ...read,
        imported: read.imported - leftOut.length,
        lists,
        leftOut: [...read.leftOut, ...leftOut].toSorted((one, other) => one.line - other.line),
      });
    },
  });
}

/** @throws {ProblemError} 422 for a file that isn't such an export. */
async function readFile(...[csv, options]: Parameters<typeof importFraudFilter>): Promise<ImportedRules> {
  try {
    return await importFraudFilter(csv, options);
  } catch (error) {
    if (!isHoldfastError(error, "INPUT_INVALID")) throw error;
    const errors = error.fields.map((field) => ({ ...field, path: "csv" }));
    throw new ProblemError({ ...refusalOf(422, "file-not-export"), errors });
  }
}

type Networks = Pick<ImportedRules, "networks"> & { readonly policy: Policy };

/** No list has room for more. Digests take time. */
const MOST_LOOKED_AT = 2 * MOST_ENTRIES;

/** Entries of the block list for IP addresses that aren't on it. A rule's addresses are blocked all or not at all. */
function toEntries({ store }: ImportParts, { session }: Call, { networks, policy }: Networks) {
  const { tenant, actor: owner } = session;
  const known = new Set(policy.lists.map(({ kind, digest }) => `${kind} ${digest}`));
  const lists: ListEntry[] = [];
  const leftOut: LeftOut[] = [];
  let looked = 0;
  for (const { line, name, field, ips } of networks) {
    const room = MOST_ENTRIES - policy.lists.length - lists.length;
    looked += ips.length;
    const digests = looked > MOST_LOOKED_AT ? null : ips.map((ip) => [ip, toDigest(ip)] as const);
    const added = new Map(digests?.filter(([, digest]) => !known.has(`network ${digest}`)));
    if (digests === null || added.size > room) leftOut.push({ line, name, field, problem: "list-full" });
    else if (digests.some(([, digest]) => digest === undefined))
      leftOut.push({ line, name, field, problem: "shared-address" });
    else for (const [ip, digest = ""] of added) lists.push(toEntry(name, ip, digest));
  }
  return { lists, leftOut };

  function toDigest(ip: string): string | undefined {
    return toLinkKeys({ ipAddress: ip }, (purpose, text) => store.keyring.digest(tenant, purpose, text))
      .network;
  }

  function toEntry(name: string, ip: string, digest: string): ListEntry {
    known.add(`network ${digest}`);
    // Reasons are shown in the clear, as the names of rules are.
    const reason = `Fraud Filter${isSpeaking(name) ? `: ${name}` : ""}`.slice(0, LIST_TEXT_LENGTH);
    const label = toLinkLabel("network", { ipAddress: ip });
    return { list: "block", kind: "network", digest, label, owner, reason, until: null };
  }
}
