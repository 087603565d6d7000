import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { deleteRows, findRow, ofOrder, selectRows, updateRows } from "../statements.ts";
import type { BuyerCheck } from "./buyer-check.ts";

type CheckKey = Pick<BuyerCheck, "tenant" | "orderId" | "checkId">;

/** A small amount on a card, whose text shows a check's code. */
export interface CardCode extends CheckKey {
  /** The payment platform's ID of the amount. */
  readonly reference: string;
  /** How often giving it back failed. */
  readonly failures: number;
}

/**
 * The ledger of amounts that show codes. Each is written before it's authorized, and deleted once it's given back, so none is lost
 * in a crash. Nothing personal: the code isn't in it.
 */
export interface CardCodeStore {
  /** Note an amount. Resolves to the reference that counts: the check's first one. */
  note(code: CheckKey & Pick<CardCode, "reference">, dueAtMs: number): Promise<string>;
  /** The reference of a check's amount; null if there is none, or it was given back. */
  find(key: CheckKey): Promise<string | null>;
  /** Amounts to look at now, those first that wait longest. */
  listDue(tenant: TenantId, nowMs: number, limit: number): Promise<readonly CardCode[]>;
  /** Look at an amount again later. */
  defer(key: CheckKey, next: { readonly dueAtMs: number; readonly failures: number }): Promise<void>;
  /** It was given back. */
  drop(key: CheckKey): Promise<void>;
}

const COLUMNS = ["tenant", "order_id", "check_id", "reference", "failures"] as const;

export function createCardCodes({ engine }: Pick<StoreContext, "engine">): CardCodeStore {
  return {
    note: ({ reference, ...key }, dueAtMs) =>
      engine.write(async (db) => {
        const row = { ...toKey(key), reference, due_at: dueAtMs, failures: 0 };
        await db
          .insertInto("card_codes")
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return (await findRow(db, "card_codes", toKey(key), ["reference"]))?.reference ?? reference;
      }),

    async find(key) {
      const row = await engine.read((db) => findRow(db, "card_codes", toKey(key), ["reference"]));
      return row?.reference ?? null;
    },

    async listDue(tenant, nowMs, limit) {
      const isDue = sql<SqlBool>`due_at <= ${nowMs}`;
      const rows = await engine.read((db) =>
        selectRows(db, "card_codes", { tenant }, COLUMNS, isDue, sql`order by due_at limit ${limit}`),
      );
      return rows.map(({ order_id: orderId, check_id: checkId, ...row }) => ({ ...row, orderId, checkId }));
    },

    defer: async (key, { dueAtMs, failures }) => {
      await engine.write((db) => updateRows(db, "card_codes", toKey(key), { due_at: dueAtMs, failures }));
    },

    drop: async (key) => {
      await engine.write((db) => deleteRows(db, "card_codes", toKey(key)));
    },
  };
}

function toKey({ checkId, ...order }: CheckKey) {
  return { ...ofOrder(order), check_id: checkId };
}
