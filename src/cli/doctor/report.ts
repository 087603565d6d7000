import { styleText } from "node:util";
import type { Finding } from "../../platform/platform.ts";
import { count } from "./findings.ts";

const COLORS = { ok: "green", warning: "yellow", problem: "red", skipped: "gray" } as const;

/** Whether everything works. Warnings don't count. */
export function isSound(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status !== "problem");
}

export function toJsonReport(findings: readonly Finding[]): string {
  return JSON.stringify({ ok: isSound(findings), checks: findings }, undefined, 2);
}

/** The findings for people: aligned, with each advice under its finding and a summary at the end. */
export function toTextReport(findings: readonly Finding[], hasColors: boolean): readonly string[] {
  const shown = foldSkipped(findings);
  const widthOf = (key: "id" | "status") => Math.max(0, ...shown.map((finding) => finding[key].length));
  const statusWidth = widthOf("status");
  const idWidth = widthOf("id");
  const paint = (status: Finding["status"], text: string): string =>
    hasColors ? styleText(COLORS[status], text, { validateStream: false }) : text;
  const lines = shown.flatMap(({ id, status, found, advice }) => {
    const head = `${paint(status, status.padEnd(statusWidth))}  ${id.padEnd(idWidth)}  ${found}`;
    return advice === null ? [head] : [head, `${" ".repeat(statusWidth + idWidth + 4)}-> ${advice}`];
  });
  return [...lines, "", sumUp(findings, paint)];
}

/** Consecutive checks that were skipped for the same reason share a line. */
function foldSkipped(findings: readonly Finding[]): readonly Finding[] {
  const folded: Finding[] = [];
  let more = 0;
  for (const [index, finding] of findings.entries()) {
    const before = findings[index - 1];
    const isRepeat =
      finding.status === "skipped" && before?.status === "skipped" && before.found === finding.found;
    more = isRepeat ? more + 1 : 0;
    if (isRepeat) folded.pop();
    const first = isRepeat ? (findings[index - more] ?? finding) : finding;
    folded.push(more === 0 ? first : { ...first, found: `${first.found} (and ${more} more)` });
  }
  return folded;
}

function sumUp(findings: readonly Finding[], paint: (status: Finding["status"], text: string) => string) {
  const of = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
  const worst = of("problem") > 0 ? "problem" : of("warning") > 0 ? "warning" : "ok";
  const verdict = { problem: "not working", warning: "working, with warnings", ok: "working" }[worst];
  const counts = `${count(of("problem"), "problem")}, ${count(of("warning"), "warning")}`;
  return `${paint(worst, verdict)}: ${counts}, ${of("ok")} ok, ${of("skipped")} skipped`;
}
