import type { Logger } from "../base/logger.ts";
import type { TenantId } from "../platform/platform.ts";
import type { ScreeningStore } from "../store/store.ts";

/** Why a call did not have to be made. */
export type SavingReason = "cached" | "duplicate" | "skipped" | "brake";

const FLUSH_MS = 1_000;

/** Counts calls that were not made, in memory, and writes the sums once a second: a saved call must not cost a commit. */
export function createSavings(
  store: Pick<ScreeningStore, "recordSaving">,
  logger: Logger,
  now: () => number,
) {
  const sums = new Map<string, { readonly tenant: TenantId; readonly reason: SavingReason; count: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const due = [...sums.values()];
    sums.clear();
    for (const { tenant, reason, count } of due) await store.recordSaving(tenant, reason, count, now());
  }

  function flush(): Promise<void> {
    timer = undefined;
    writing = writing.then(write).catch((error: unknown) => {
      logger.warn({ err: error }, "saved credits couldn't be recorded");
    });
    return writing;
  }

  return {
    add(tenant: TenantId, reason: SavingReason): void {
      const key = `${reason}\0${tenant}`;
      const sum = sums.get(key);
      if (sum === undefined) sums.set(key, { tenant, reason, count: 1 });
      else sum.count += 1;
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    close(): Promise<void> {
      clearTimeout(timer);
      return flush();
    },
  };
}
