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
function toCell(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => toCell(one)).join(";");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "object" && value !== null ? JSON.stringify(value) : toText(value);
}

function toAttributeCell({ attributeType, value }: Value): string {
  const text = toCell(value);
  // A tag begins with a letter: "3 < 5 > 2" has none.
  return attributeType === "html" ? text : text.replaceAll(/<\/?[a-z][^>]*>/gi, "");
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
      ...columns.map((column) => toCell(input[column])),
      toText(item["status"]),
      toText(item["errorMessage"]),
      ...[...slugs.keys()].map((slug) => (values[slug] === undefined ? "" : toAttributeCell(values[slug]))),
    ];
  });
  const header = [...columns, "Enrichment Status", "Enrichment Error", ...slugs.values()];
  return {
    status: 200,
    body: toCsvText([header, ...rows]),
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": toDisposition(toFileName(job, kind, call.nowMs)),
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
  return `${given || plain}_enriched_${date}.csv`;
}

/** With a name that any reader takes, and another with what a header can't contain (RFC 6266). */
function toDisposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === name ? "" : `; filename*=UTF-8''${encoded}`}`;
}
