import { sql, type SqlBool } from "kysely";
import type { BuyerFileType } from "../../order/buyer-check.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { isOneOf, type DueKey } from "../engines/engine.ts";
import type { Database } from "../schema/schema.ts";
import type { Place, Sealer } from "../sealing/sealing.ts";
import {
  deleteRows,
  findRow,
  insertRow,
  ofOrder,
  selectOne,
  selectRows,
  type OrderKey,
} from "../statements.ts";
import type { BuyerCheck, Recipient } from "./buyer-check.ts";
import { listChecks } from "./buyer-checks.ts";

type CheckKey = Pick<BuyerCheck, "tenant" | "orderId" | "checkId">;

/** A file that a buyer sent. Its type was recognized by its content. */
export interface BuyerFile {
  readonly type: BuyerFileType;
  readonly bytes: Buffer;
}

export interface NewBuyerEvidence extends CheckKey {
  readonly atMs: number;
  /** Null: only a file. */
  readonly note: string | null;
  /** Null: only a note. */
  readonly file: BuyerFile | null;
}

/** What a buyer sent, without the content of the file. */
export interface BuyerEvidence extends CheckKey {
  readonly atMs: number;
  readonly note: string | null;
  readonly file: { readonly type: BuyerFileType; readonly size: number } | null;
}

/** What the buyers of held orders sent to show that an order is theirs. */
export interface BuyerEvidenceStore {
  /** Encrypt it. What is returned stores it in the transaction that takes the buyer's answer, and may run again. */
  prepare(evidence: NewBuyerEvidence): (db: Database) => Promise<void>;
  /** How many bytes the files of a tenant have. */
  countBytes(tenant: TenantId): Promise<number>;
  /** What an order's buyer sent, newest first. */
  list(key: OrderKey): Promise<readonly BuyerEvidence[]>;
  /** A file with its content; null if there is none. */
  readFile(key: CheckKey): Promise<BuyerFile | null>;
  /**
   * What a customer sent, for a data request: about their own orders, and where a link went to their address because of
   * an earlier order. Leaves out what somebody else sent about one of their orders.
   */
  findOf(
    tenant: TenantId,
    orderIds: readonly string[],
    email: string | undefined,
  ): Promise<readonly BuyerEvidence[]>;
}

export function createBuyerEvidence({ engine, sealer }: StoreContext): BuyerEvidenceStore {
  return {
    prepare(evidence) {
      const { note, file } = evidence;
      const row = {
        ...ofOrder(evidence),
        check_id: evidence.checkId,
        at: evidence.atMs,
        note: note === null ? null : sealer.sealBytes(toPlace("note", evidence), note),
        type: file?.type ?? null,
        file: file === null ? null : sealer.sealBytes(toPlace("file", evidence), file.bytes),
        size: file?.bytes.length ?? 0,
      };
      return (db) => insertRow(db, "buyer_evidence", row);
    },

    async countBytes(tenant) {
      const query = sql<{ bytes: number }>`
        select cast(coalesce(sum(size), 0) as bigint) as bytes from buyer_evidence
        where tenant = ${tenant} and size > 0`;
      return (await engine.read((db) => selectOne(db, query))).bytes;
    },

    list: (key) => engine.read((db) => listEvidence(db, sealer, key)),

    async readFile(key) {
      const { checkId, ...order } = key;
      const row = await engine.read((db) =>
        findRow(db, "buyer_evidence", { ...ofOrder(order), check_id: checkId }, ["type", "file"]),
      );
      if (row?.type == null || row.file === null) return null;
      const bytes = sealer.tryBytes(toPlace("file", key), row.file);
      return bytes === undefined ? null : { type: row.type, bytes };
    },

    findOf: (tenant, orderIds, email) =>
      engine.read(async (db) => {
        const digest = email === undefined ? undefined : sealer.emailDigest(tenant, email);
        const asked =
          digest === undefined
            ? []
            : await selectRows(db, "buyer_checks", { tenant, recipient_digest: digest }, ["order_id"]);
        const own = new Set(orderIds);
        const found: BuyerEvidence[] = [];
        for (const orderId of new Set([...orderIds, ...asked.map((row) => row.order_id)])) {
          const sent = await listEvidence(db, sealer, { tenant, orderId });
          if (sent.length === 0) continue;
          const checks = await listChecks(db, sealer, { tenant, orderId });
          const isTheirs = ({ checkId }: BuyerEvidence): boolean => {
            const check = checks.find((one) => one.checkId === checkId);
            // Its address was erased, so nobody knows whose it was.
            if (check?.recipient === null && check.revokedAtMs !== null) return false;
            return isOwner(check?.recipient, {
              isBuyer: own.has(orderId),
              toDigest: (address) => sealer.emailDigest(tenant, address),
              digest,
            });
          };
          found.push(...sent.filter(isTheirs));
        }
        return found;
      }),
  };
}

/** Whoever the link went to because of an earlier order may not be who placed this one. Other links went to the order's buyer. */
function isOwner(
  recipient: Recipient | null | undefined,
  by: {
    readonly isBuyer: boolean;
    readonly digest: string | undefined;
    readonly toDigest: (address: string) => string;
  },
): boolean {
  if (recipient?.ofOrder === undefined) return by.isBuyer;
  return recipient.kind === "email" && by.toDigest(recipient.address) === by.digest;
}

async function listEvidence(db: Database, sealer: Sealer, key: OrderKey): Promise<readonly BuyerEvidence[]> {
  const newest = sql`order by at desc, check_id`;
  const columns = ["check_id", "at", "note", "type", "size"] as const;
  const rows = await selectRows(db, "buyer_evidence", ofOrder(key), columns, undefined, newest);
  return rows.map(({ check_id: checkId, at: atMs, note, type, size }) => {
    const own = { tenant: key.tenant, orderId: key.orderId, checkId };
    const opened = sealer.tryBytes(toPlace("note", own), note)?.toString() ?? null;
    return { ...own, atMs, note: opened, file: type === null ? null : { type, size } };
  });
}

/** Delete what was sent about orders whose content is erased. */
export async function eraseBuyerEvidence(db: Database, keys: readonly DueKey[]): Promise<void> {
  if (keys.length === 0) return;
  await deleteRows(db, "buyer_evidence", {}, sql<SqlBool>`${isOneOf("order_id", keys)}`);
}

/** Delete what was sent through links that went to an erased customer's address, also about other orders. */
export async function eraseEvidenceOf(
  db: Database,
  tenant: string,
  links: readonly CheckKey[],
): Promise<void> {
  for (const { orderId, checkId } of links)
    await deleteRows(db, "buyer_evidence", { tenant, order_id: orderId, check_id: checkId });
}

function toPlace(column: "note" | "file", { tenant, orderId, checkId }: CheckKey): Place {
  return { tenant, table: "buyer_evidence", column, row: `${orderId}\0${checkId}` };
}
