import { call } from "../api/api.ts";
import { saveCsv } from "../base/save-file.ts";

/** Fetch a list as CSV and have it saved. Works with a session of either kind, unlike a link. */
export async function saveOrders(query: Readonly<Record<string, string>>): Promise<void> {
  const { data } = await call("GET /orders.csv", { query });
  saveCsv("holdfast-orders.csv", data);
}
