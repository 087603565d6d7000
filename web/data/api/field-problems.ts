import { asApiError, toSentence, type FieldProblem } from "./api.ts";

/** What is wrong at a path, or at an entry of the list there: `rules[0].when.sku`. */
export function findProblem(problems: readonly FieldProblem[], path: string): string | undefined {
  const found = problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}[`));
  return found && toSentence(found.message);
}

export function hasProblem(problems: readonly FieldProblem[], path: string): boolean {
  return problems.some((problem) => problem.path.startsWith(path));
}

/** Why a change failed: beside the fields that it's about, and the rest, if some of it is about no shown field. */
export function splitProblems(failure: unknown, fields: readonly string[]) {
  const errors = failure === undefined ? [] : asApiError(failure).errors;
  const isBeside =
    errors.length > 0 && errors.every((one) => fields.some((path) => findProblem([one], path)));
  return { find: (path: string) => findProblem(errors, path), rest: isBeside ? undefined : failure };
}
