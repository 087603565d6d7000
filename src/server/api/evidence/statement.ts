import { z } from "zod";

/** The parts of a pack. */
const SECTIONS = ["decision", "match", "delivery", "earlier-orders"] as const;

/**
 * Where a statement comes from. `service`: the verification service. `local`: Holdfast's local engine. `holdfast`: what
 * Holdfast compared or did. `person`: the shop's staff. `platform`: the shop's platform. `bank`: the buyer's bank, over the platform.
 */
const SOURCES = ["service", "local", "holdfast", "person", "platform", "bank"] as const;

export const statementJson = z.object({
  section: z.enum(SECTIONS),
  text: z.string(),
  source: z.enum(SOURCES),
  at: z.iso.datetime().nullable().describe("when it happened; null if it has no time of its own"),
});
export type Statement = z.infer<typeof statementJson>;

/** `2026-11-20 15:04 UTC`, as banks all over the world read it. */
export function toBankTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function toBankDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
