import { toConfigError } from "../base/errors.ts";
import type { CatalogClient } from "../catalog/catalog-client.ts";
import { ENDED_STATUSES } from "../catalog/operations/operation.ts";
import { foldCategory } from "../policy/order-facts.ts";
import type { Values } from "./arguments.ts";
import { withCatalog } from "./catalog.ts";
import type { ServiceContext } from "./command.ts";
import { createProgress, toTerminalText as clean } from "./output.ts";

/** Most products in one enrichment or validation job (the interface, Limits). */
const MOST_PRODUCTS = 5_000;
/** How many different reasons are shown for failed products. */
const MOST_REASONS = 5;

/** The service decides what each product costs. */
type EnrichOptions = Pick<Values, "category" | "budget" | "yes">;

/** What the two kinds of product jobs differ in. */
const KINDS = {
  enrichment: {
    jobs: "enrichmentJobs",
    verb: "Enrich",
    doing: "enriching",
    done: "enriched",
    of: "not-enriched",
  },
  validation: {
    jobs: "validationJobs",
    verb: "Validate",
    doing: "validating",
    done: "validated",
    of: "enriched",
  },
} as const;
type ProductJobKind = keyof typeof KINDS;

/**
 * `holdfast catalog enrich` and `holdfast catalog validate`: enrich products that were never enriched, or validate the ones that were,
 * after asking. The command waits for a job that is already running, so you can run it again after Ctrl-C. Resolves to whether all
 * succeeded.
 */
export async function startProductJob(
  kind: ProductJobKind,
  options: EnrichOptions,
  context: ServiceContext,
): Promise<boolean> {
  const budget = readBudget(options.budget);
  // An empty variable in a script would mean all products.
  if (options.category !== undefined && foldCategory(options.category) === "") {
    throw toConfigError("--category: expected the name of a category");
  }
  const { terminal, config } = context;
  const { jobs, verb, of } = KINDS[kind];
  return withCatalog(config, async (client, configured) => {
    const running = await findRunningJob(client, kind);
    if (running !== undefined) {
      terminal.problem(`${toArticle(kind)} job is running; waiting for it`);
      return follow(client, kind, running, context);
    }
    const productIds = await findProducts(client, options.category, budget, of);
    if (productIds.length === 0) return explainNothing(client, kind, options.category, context);
    const payer = configured ?? (await client.organizations())[0]?.slug;
    const count = productIds.length === 1 ? "1 product" : `${productIds.length} products`;
    const question = `${verb} ${count}? This spends credits of ${clean(payer)}.`;
    if (!options.yes && !(terminal.isInteractive && (await terminal.confirm(question)))) {
      terminal.problem(`${question} Nothing was done; confirm with --yes.`);
      return false;
    }
    const { jobId } = await client[jobs].create({ productIds, modelType: "budget-v1" });
    if (terminal.isInteractive)
      terminal.problem("The job continues after Ctrl-C; run the command again to wait for it.");
    return follow(client, kind, jobId, context);
  });
}

const toArticle = (kind: ProductJobKind): string =>
  kind === "enrichment" ? "an enrichment" : "a validation";

function readBudget(text: string | undefined): number {
  const budget = Number(text);
  if (text !== undefined && /^\d+$/.test(text) && budget >= 1 && budget <= MOST_PRODUCTS) return budget;
  throw toConfigError(`--budget: expected a whole number from 1 to ${MOST_PRODUCTS}`);
}

async function findRunningJob(client: CatalogClient, kind: ProductJobKind): Promise<string | undefined> {
  for await (const { id, status } of client[KINDS[kind].jobs].list({ limit: 100 })) {
    if (!ENDED_STATUSES.has(status)) return id;
  }
  return undefined;
}

/** Products of a category, or of all: the ones that were never enriched, up to a limit, or the enriched ones. */
async function findProducts(
  client: CatalogClient,
  category: string | undefined,
  most: number,
  enrichedFilter: "enriched" | "not-enriched",
): Promise<readonly string[]> {
  const wanted = foldCategory(category ?? "");
  const ids: string[] = [];
  for await (const product of client.products.list({
    enrichedFilter,
    sortBy: "sku",
    sortOrder: "asc",
    limit: 100,
  })) {
    const path = foldCategory(product.category ?? "");
    if (wanted !== "" && path !== wanted && !path.startsWith(`${wanted} > `)) continue;
    if (ids.push(product.id) >= most) break;
  }
  return ids;
}

/** Say why there is nothing to do. A category without products is probably misspelled. */
async function explainNothing(
  client: CatalogClient,
  kind: ProductJobKind,
  category: string | undefined,
  { terminal, json }: ServiceContext,
): Promise<boolean> {
  const isEnriching = kind === "enrichment";
  const { length } = await findProducts(
    client,
    category,
    Infinity,
    isEnriching ? "enriched" : "not-enriched",
  );
  if (length === 0 && category !== undefined) {
    throw toConfigError(`--category: no product is in ${clean(category)}`);
  }
  const others = isEnriching ? `all ${length} products were enriched before` : "no product was enriched yet";
  const why = length === 0 ? "the catalog has no products" : others;
  terminal.line(
    json ? JSON.stringify({ products: 0 }) : `nothing to ${isEnriching ? "enrich" : "validate"}: ${why}`,
  );
  return true;
}

async function follow(
  client: CatalogClient,
  kind: ProductJobKind,
  jobId: string,
  context: ServiceContext,
): Promise<boolean> {
  const { terminal, json, now } = context;
  const { doing, done } = KINDS[kind];
  const end = await client.waitForJob(jobId, {
    kind,
    onProgress: (job) => createProgress(terminal, doing, job.total ?? 0, now).show(job.processedCount ?? 0),
  });
  terminal.progress("");
  const { successCount, failedCount } = end.job;
  const list = () => ((failedCount ?? 0) > 0 ? listFailures(client, kind, jobId) : []);
  if (json) {
    const failures = await list();
    terminal.line(JSON.stringify({ jobId, outcome: end.outcome, successCount, failedCount, failures }));
  } else {
    const counts = `${successCount ?? 0} ${done}, ${failedCount ?? 0} failed`;
    terminal.line(`${end.outcome}: ${counts} (job ${clean(jobId)})`);
    for (const { message, count } of await list()) terminal.problem(`${count} failed: ${clean(message)}`);
  }
  return end.outcome === "completed";
}

/** Why products failed, the most frequent reason first. */
async function listFailures(client: CatalogClient, kind: ProductJobKind, jobId: string) {
  const counts = new Map<string, number>();
  for await (const { status, errorMessage } of client[KINDS[kind].jobs].items(jobId, { limit: 100 })) {
    if (status !== "failed") continue;
    const message = errorMessage ?? "no reason given";
    counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  const failures = [...counts].map(([message, count]) => ({ message, count }));
  return failures.toSorted((a, b) => b.count - a.count).slice(0, MOST_REASONS);
}
