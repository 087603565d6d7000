/** What was found out about the installation or the platform. */
export interface Finding {
  readonly id: string;
  readonly status: "ok" | "warning" | "problem" | "skipped";
  readonly found: string;
  readonly advice: string | null;
}

/** A step of setting up. */
export interface SetupStep {
  readonly id: "service" | "mode" | "platform" | "first-order";
  readonly done: boolean;
  readonly detail: string;
}

/** What is set up and what is not yet (`GET /api/setup`). */
export interface Setup {
  readonly done: boolean;
  readonly steps: readonly SetupStep[];
  readonly findings: readonly Finding[];
  readonly scopes: readonly string[] | null;
  readonly personalData: "granted" | "withheld" | "unknown";
}

/** How many steps are left. */
export function countLeft({ steps }: Setup): number {
  return steps.filter(({ done }) => !done).length;
}

/** Whether nothing was ever decided here, so that empty views should say how to begin. */
export function isFirstRun(setup: Setup | null): boolean {
  return setup !== null && !setup.done && setup.steps.some(({ id, done }) => id === "first-order" && !done);
}

/** Findings, the worst first. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const ranks: readonly Finding["status"][] = ["problem", "warning", "ok", "skipped"];
  return findings.toSorted((one, other) => ranks.indexOf(one.status) - ranks.indexOf(other.status));
}
