import type { RightAnswer } from "../../../src/order/buyer-check.ts";
import { t } from "../base/texts.ts";

/** Whether the buyer is asked, as a form's choice. */
export type AskingChoice = RightAnswer | "none";

export const ASKING_OPTIONS = (["none", "release", "milder"] as const).map(
  (verify) => [verify, t("asking.option", { verify })] as const,
);

export function toChoice(verify: RightAnswer | undefined): AskingChoice {
  return verify ?? "none";
}

/** What a form's choice writes into the document: only a hold can ask. */
export function fromChoice(choice: AskingChoice, action: string): { readonly verify?: RightAnswer } {
  return choice === "none" || action !== "hold" ? {} : { verify: choice };
}

/** A rule's or a level's action in words, with what it asks. */
export function withAsking(what: string, verify: RightAnswer | undefined): string {
  return verify === undefined ? what : t("asking.with", { what, verify });
}
