import { examine, type ExamineOptions } from "./doctor/examine.ts";
import { isSound, toJsonReport, toTextReport } from "./doctor/report.ts";
import type { Terminal } from "./output.ts";

/**
 * `holdfast doctor`: tell whether this installation can do its work, and what to do if not. Resolves to whether nothing
 * is wrong; warnings alone are nothing wrong.
 */
export async function doctor(options: ExamineOptions, json: boolean, terminal: Terminal): Promise<boolean> {
  const findings = await examine(options);
  const lines = json ? [toJsonReport(findings)] : toTextReport(findings, terminal.hasColors);
  for (const line of lines) terminal.line(line);
  return isSound(findings);
}
