import { useEffect, useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { asApiError, call, isAborted, type FieldProblem } from "../api/api.ts";
import { toStableText } from "../base/stable-text.ts";
import type { Replay } from "./replay.ts";
import type { Load } from "../api/use-load.ts";

export type ReplayState = ReturnType<typeof useReplay>;

/** Debounce for typing. */
const QUIET_MS = 700;

/** Attempts before the user has to press the button. */
const MOST_TRIES = 4;

type State = Pick<Load<Replay>, "data" | "error" | "loading"> & { readonly key: string | null };

/** Test a policy on the orders of the last days whenever it changes, or on request. Null tests nothing. */
export function useReplay(
  policy: Policy | null,
  days: number,
  auto: boolean,
  onProblems: (problems: readonly FieldProblem[]) => void,
) {
  const key = policy === null ? null : `${days} ${toStableText(policy)}`;
  const [state, setState] = useState<State>({ key: null, data: null, error: null, loading: false });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (policy === null || (!auto && asked === 0)) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const ask = async (tries: number) => {
      setState((before) => ({ ...before, loading: true, error: null }));
      try {
        const body = { policy, days };
        const { data } = await call("POST /policy/replay", { body, signal: stop.signal });
        onProblems([]);
        setState({ key, data, error: null, loading: false });
      } catch (error) {
        if (stop.signal.aborted || isAborted(error)) return;
        const problem = asApiError(error);
        const { retryAfterMs: waitMs } = problem;
        // The previous replay may not have ended yet.
        if (waitMs !== null && tries < MOST_TRIES) {
          timer = setTimeout(() => void ask(tries + 1), waitMs);
          return;
        }
        onProblems(problem.errors.map((one) => ({ ...one, path: one.path.replace(/^policy\./, "") })));
        setState((before) => ({ ...before, error: problem, loading: false }));
      }
    };
    timer = setTimeout(() => void ask(1), QUIET_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, auto, asked]);
  // `isStale`: the policy was changed since.
  return { ...state, isStale: state.key !== key, run: () => setAsked((count) => count + 1) };
}
