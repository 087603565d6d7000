import type { OrderContents } from "./order-contents.ts";
import { findText } from "../base/texts.ts";

type Contents = Pick<OrderContents, "signs" | "checks">;

/** Codes of the address check that mean the same as another one. */
const SAME: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["CEGIRSU", "unchecked"],
    ["MXY", "d"],
    ["QV", "j"],
    ["Z", "w"],
  ].flatMap(([codes = "", as = ""]) => codes.split("").map((code) => [code, as] as const)),
);

/** What the bank's check of the card's address or security code found, with its code; undefined without a result. */
export function nameCheck(kind: "avs" | "cvv", { signs, checks }: Contents): string | undefined {
  const code = signs.find((sign) => sign.kind === kind)?.detail;
  if (code === undefined) return checks[kind];
  const as = (kind === "avs" ? SAME[code] : undefined) ?? code.toLowerCase();
  const words = findText("checks", `${kind}-${as}`);
  return words === undefined ? checks[kind] : `${words} (${code})`;
}
