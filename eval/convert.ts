import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readCsv } from "./csv.ts";

/** A row of a source, by column. */
type SourceRow = Readonly<Record<string, string>>;

/** How a published file becomes a file of `data/`. */
interface Conversion {
  /** Of the published file, so that nobody converts another one by mistake. */
  readonly sha256: string;
  readonly convert: (rows: readonly SourceRow[]) => readonly Readonly<Record<string, string>>[];
}

const COLD_START_COLUMNS = [
  ["EVENT_LABEL", "label"],
  ["EVENT_TIMESTAMP", "orderTimestamp"],
  ["order_price", "orderAmount"],
  ["payment_currency", "currency"],
  ["customer_name", "customerName"],
  ["customer_email", "customerEmail"],
  ["billing_phone", "customerPhone"],
  ["billing_street", "billingAddress.street"],
  ["billing_city", "billingAddress.city"],
  ["billing_state", "billingAddress.state"],
  ["billing_zip", "billingAddress.postalCode"],
  ["billing_country", "billingAddress.country"],
  ["ip_address", "ipAddress"],
  ["user_agent", "userAgent"],
] as const;

function toColdStartOrder(row: SourceRow): Readonly<Record<string, string>> {
  return Object.fromEntries(COLD_START_COLUMNS.map(([from, to]) => [to, row[from] ?? ""]));
}

/** Accounts become mailboxes, numbered as they first appear. The source's half IP addresses are left out. */
function toFraudOrders(rows: readonly SourceRow[]): readonly Readonly<Record<string, string>>[] {
  const mailboxes = new Map<string, string>();
  return rows
    .map((row) => ({ row, time: toTime(row["transactionDate"] ?? "", row["transactionTime"] ?? "") }))
    .toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)))
    .map(({ row, time }) => {
      const account = row["accountID"] ?? "";
      const mailbox = mailboxes.get(account) ?? `account${mailboxes.size + 1}@example.com`;
      mailboxes.set(account, mailbox);
      return {
        label: "1",
        orderTimestamp: time,
        orderAmount: row["transactionAmount"] ?? "",
        currency: row["transactionCurrencyCode"] ?? "",
        customerEmail: mailbox,
      };
    });
}

/** `20130402` and `14450` → `2013-04-02T01:44:50Z`: the source drops leading zeros and names no time zone. */
function toTime(date: string, time: string): string {
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6, 8)];
  const padded = time.padStart(6, "0");
  return `${year}-${month}-${day}T${padded.slice(0, 2)}:${padded.slice(2, 4)}:${padded.slice(4, 6)}Z`;
}

/**
 * The published files and how they map; `data/NOTICE.md` says where they come from.
 *
 * To recreate a file of `data/`: `node eval/convert.ts NAME SOURCE.csv > eval/data/NAME.csv`.
 */
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  "aws-cold-start": {
    sha256: "72978a0384eb3aa79c4f826a6c1bcea9a48e71b99f51ff703d0249eae2c99420",
    convert: (rows) => rows.map(toColdStartOrder),
  },
  "ms-frauds": {
    sha256: "8332879524fa8e862ad84b9c6e542fe96b315e0f972060c4f1e2da2a70bfdb18",
    convert: toFraudOrders,
  },
};

async function readRows(text: string): Promise<readonly SourceRow[]> {
  const records: (readonly string[])[] = [];
  for await (const { cells } of readCsv([text])) records.push(cells ?? []);
  const [header = [], ...rest] = records;
  return rest.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])));
}

function toCsv(rows: readonly Readonly<Record<string, string>>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => toCell(row[column] ?? "")).join(","));
  return `${[columns.join(","), ...lines].join("\n")}\n`;
}

function toCell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

const [name = "", source = ""] = process.argv.slice(2);
const conversion = Object.hasOwn(CONVERSIONS, name) ? CONVERSIONS[name] : undefined;
if (conversion === undefined) throw new Error(`expected one of ${Object.keys(CONVERSIONS).join(", ")}`);
const bytes = readFileSync(source);
if (createHash("sha256").update(bytes).digest("hex") !== conversion.sha256) {
  throw new Error("this is not the file that data/NOTICE.md names");
}
process.stdout.write(toCsv(conversion.convert(await readRows(bytes.toString("utf8")))));
