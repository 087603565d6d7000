import type { Policy, PolicyRule } from "../../src/policy/policy.ts";
import { useState } from "preact/hooks";
import { asApiError, call, type ApiError, type FieldProblem } from "./api.ts";
import { toText } from "./policy-diff.ts";
import { getSession } from "./session.ts";
import { useLoad, type Load } from "./use-load.ts";
import { createValue, useValue } from "./value.ts";

/** A policy draft; kept while the person visits other views. */
interface Draft {
  readonly owner: string;
  readonly policy: Policy;
  /** ETag of the policy that it is a change of. */
  readonly etag: string | null;
}

const STORAGE_KEY = "holdfast-policy-draft";
/** Conditions that may name somebody. A draft with one of these stays in the page's memory. */
const PERSONAL = ["email", "phone", "address", "orderTag", "customerTag"] as const;

const kept = createValue<Draft | null>(readDraft());
kept.subscribe(() => storeDraft(kept.get()));

/** The draft of before a reload of this tab. */
function readDraft(): Draft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null") as Draft | null;
    return draft !== null && isPolicyShape(draft.policy) ? draft : null;
  } catch {
    // Storage may be blocked in a platform's frame.
    return null;
  }
}

function storeDraft(draft: Draft | null): void {
  try {
    if (draft !== null && isStorable(draft.policy))
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft));
    else sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // As above: then the draft lasts as long as the page.
  }
}

/** Whether a draft can be stored in the browser: nothing in it names anybody. */
export function isStorable({ rules }: Pick<Policy, "rules">): boolean {
  return rules.every(({ when }) => PERSONAL.every((name) => when[name] === undefined));
}

globalThis.addEventListener?.("beforeunload", (event) => {
  if (kept.get() !== null) event.preventDefault();
});

/** The edited policy. */
export interface PolicyDraft {
  readonly load: Load<Policy>;
  /** As it would be saved; null until it is loaded. */
  readonly policy: Policy | null;
  readonly isChanged: boolean;
  /** Somebody else saved another policy since the draft was begun. */
  readonly isBehind: boolean;
  /** What the server said of the fields. */
  readonly problems: readonly FieldProblem[];
  readonly saving: boolean;
  readonly update: (change: Partial<Policy>) => void;
  readonly discard: () => void;
  /** Go on with the draft as a change of what was saved meanwhile. */
  readonly catchUp: () => void;
  readonly setProblems: (problems: readonly FieldProblem[]) => void;
  /** Null when saved, else why not. */
  readonly save: () => Promise<ApiError | null>;
}

/** The saved policy. One of an older release may have another shape: {@link isPolicyShape} says so. */
export const useSavedPolicy = () => useLoad("GET /policy") as Load<Policy>;

/** The current policy and the draft. */
export function usePolicyDraft(): PolicyDraft {
  const load = useSavedPolicy();
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [saving, setSaving] = useState(false);
  const owner = toOwner();
  const draft = useValue(kept);
  const mine = draft?.owner === owner ? draft : null;
  const policy = mine?.policy ?? load.data;
  const isChanged = mine !== null && load.data !== null && toText(mine.policy) !== toText(load.data);
  const etag = mine?.etag ?? load.etag;

  async function save(): Promise<ApiError | null> {
    if (policy === null) return null;
    setSaving(true);
    try {
      const answer = await call("PUT /policy", { body: policy, ifMatch: etag });
      kept.set(null);
      setProblems([]);
      load.replace(answer.data, answer.etag);
      return null;
    } catch (error) {
      const problem = asApiError(error);
      if (problem.status === 412) load.reload();
      setProblems(problem.errors);
      return problem;
    } finally {
      setSaving(false);
    }
  }

  return {
    load,
    policy,
    isChanged,
    isBehind: isChanged && load.etag !== null && etag !== load.etag,
    problems,
    saving,
    update: (change) => {
      if (policy === null) return;
      const next = { ...policy, ...change };
      // Taken back by hand: there is nothing to lose any more.
      if (load.data !== null && etag === load.etag && toText(next) === toText(load.data)) kept.set(null);
      else startDraft(next, etag);
    },
    discard: () => {
      kept.set(null);
      setProblems([]);
    },
    catchUp: () => {
      if (mine !== null) kept.set({ ...mine, etag: load.etag });
    },
    setProblems,
    save,
  };
}

/** Begin or go on with a draft: a change of the policy that has this ETag. */
export function startDraft(policy: Policy, etag: string | null): void {
  kept.set({ owner: toOwner(), policy, etag });
}

/** Each draft belongs to the person who wrote it. */
function toOwner(): string {
  const session = getSession();
  return session === null ? "" : `${session.tenant} ${session.actor}`;
}

/** Whether a document has the shape of a policy, so that a form can show it. One of an older release may not. */
export function isPolicyShape(document: unknown): document is Policy {
  const { levels, rules, hold, cancel, budget } = document as Partial<Policy>;
  return (
    [levels, hold, cancel, budget].every((part) => typeof part === "object" && part !== null) &&
    Array.isArray(rules)
  );
}

/** What is wrong at a path, or at an entry of the list there: `rules[0].when.sku`. */
export function findProblem(problems: readonly FieldProblem[], path: string): string | undefined {
  const found = problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}[`));
  return found === undefined
    ? undefined
    : `${found.message.charAt(0).toUpperCase()}${found.message.slice(1)}.`;
}

/** Whether anything below a path is wrong. */
export function hasProblem(problems: readonly FieldProblem[], path: string): boolean {
  return problems.some((problem) => problem.path.startsWith(path));
}

/** A name that no rule has yet. */
export function toNewName(rules: readonly PolicyRule[]): string {
  const names = new Set(rules.map(({ name }) => name));
  let number = rules.length + 1;
  while (names.has(`Rule ${number}`)) number += 1;
  return `Rule ${number}`;
}

/** A list with one entry moved by some places; the same list when it cannot go there. */
export function moveEntry<T>(list: readonly T[], from: number, by: number): readonly T[] {
  const to = from + by;
  const entry = list[from];
  if (entry === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, entry);
}

/** What a part of the form works on. */
export interface PolicyPartProps {
  readonly draft: PolicyDraft;
  readonly policy: Policy;
}

/** What the field of a setting shows and does. */
export function bindSetting<Name extends keyof Policy>({ draft, policy }: PolicyPartProps, name: Name) {
  return {
    value: policy[name],
    error: findProblem(draft.problems, name),
    onChange: (value: Policy[Name]) => draft.update({ [name]: value }),
  };
}

/** The same for a number in a part of the policy. Left empty, it's refused by the server, unless it may be null. */
export function bindNumber<Part extends "hold" | "cancel" | "budget">(
  { draft, policy }: PolicyPartProps,
  part: Part,
  name: {
    [N in keyof Policy[Part]]: Policy[Part][N] extends number | null | undefined ? N : never;
  }[keyof Policy[Part]] &
    string,
) {
  const empty = part === "budget" ? null : Number.NaN;
  return {
    value: policy[part][name] as number | null,
    error: findProblem(draft.problems, `${part}.${name}`),
    onChange: (value: number | null) => draft.update({ [part]: { ...policy[part], [name]: value ?? empty } }),
  };
}

/** Every action, as the form offers them. */
export const ACTION_OPTIONS = [
  ["allow", "Allow"],
  ["tag", "Tag"],
  ["hold", "Hold for review"],
  ["cancel", "Cancel"],
] as const;
