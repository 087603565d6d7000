import { z } from "zod";

/** Sums by currency, in major units: `{ "USD": 4210.5 }`. */
export const moneyJson = z.record(z.string(), z.number());

export const worthJson = z.object({ orders: z.int(), amount: moneyJson });
