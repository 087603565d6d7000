import { toSentence, type FieldProblem } from "./api.ts";

/** What is wrong at a path, or at an entry of the list there: `rules[0].when.sku`. */
export function findProblem(problems: readonly FieldProblem[], path: string): string | undefined {
  const found = problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}[`));
  return found && toSentence(found.message);
}

export function hasProblem(problems: readonly FieldProblem[], path: string): boolean {
  return problems.some((problem) => problem.path.startsWith(path));
}
