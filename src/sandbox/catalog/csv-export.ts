import { toCsvText } from "../../base/csv.ts";
import type { Answer } from "../http.ts";
import { type CatalogCall } from "./catalog-call.ts";
import { readJob } from "./jobs.ts";
import { toText } from "./records.ts";

interface Value {
  readonly attributeName: string;
  readonly attributeType: string;
  readonly value: unknown;
}

/** A cell, as the interface formats it (CSV download rules, 4). */
function toCell({ attributeType, value }: Value): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(";");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const text = toText(value);
  return attributeType === "html" ? text : text.replaceAll(/<[^>]*>/g, "");
}

/** A job's CSV file: the input's columns, status and error, and a column for each attribute. */
export function toCsvDownload(call: CatalogCall, kind: "brandJobs" | "categoryJobs"): Answer {
  const job = readJob(call, kind);
  const items = call.records("item").list({ parent: job.id });
  const columns = job["inputColumns"] as readonly string[];
  const attributesOf = (item: (typeof items)[number]) =>
    (item["enrichedAttributes"] ?? {}) as Readonly<Record<string, Value>>;
  const slugs = new Map<string, string>();
  for (const item of items) {
    for (const [slug, { attributeName }] of Object.entries(attributesOf(item)))
      slugs.set(slug, attributeName);
  }
  const rows = items.map((item) => {
    const input = item["inputData"] as Readonly<Record<string, unknown>>;
    const values = attributesOf(item);
    return [
      ...columns.map((column) => toText(input[column])),
      toText(item["status"]),
      toText(item["errorMessage"]),
      ...[...slugs.keys()].map((slug) => (values[slug] === undefined ? "" : toCell(values[slug]))),
    ];
  });
  const header = [...columns, "Enrichment Status", "Enrichment Error", ...slugs.values()];
  return {
    status: 200,
    body: toCsvText([header, ...rows]),
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${toFileName(job, kind, call.nowMs)}"`,
    },
  };
}

function toFileName(
  job: { readonly id: string; readonly [field: string]: unknown },
  kind: "brandJobs" | "categoryJobs",
  nowMs: number,
): string {
  const plain = `${kind === "brandJobs" ? "brands" : "categories"}_${job.id.slice(0, 8)}`;
  const given = typeof job["fileName"] === "string" ? job["fileName"].replace(/\.[^.]*$/, "") : "";
  const date = new Date(nowMs).toISOString().slice(0, 10);
  // A header can't contain quotes or line breaks.
  return `${(given || plain).replaceAll(/[^\x20-\x7e]|["\\]/g, "_")}_enriched_${date}.csv`;
}
