import type { Policy, PolicyRule } from "../../../src/policy/policy.ts";
import { useState } from "preact/hooks";
import { call, type FieldProblem } from "../api/api.ts";
import { toStableText } from "../base/stable-text.ts";
import { getSession } from "../api/session.ts";
import { useLoad, type Load } from "../api/use-load.ts";
import { readStored, store } from "../base/storage.ts";
import { createValue, useValue } from "../base/value.ts";
import { ACTION_WORDS } from "../api/words.ts";
import type { Action } from "../api/api-types.ts";

/** A policy draft; kept while the person visits other views. */
interface Draft {
  readonly owner: string;
  readonly policy: Policy;
  /** ETag of the policy that the draft changes. */
  readonly etag: string | null;
}

const STORAGE_KEY = "holdfast-policy-draft";
/** Conditions that may name a person. A draft with one of these stays in the page's memory. */
const PERSONAL = ["email", "phone", "address", "orderTag", "customerTag"] as const;

// The draft from before a reload of this tab.
const before = readStored(() => sessionStorage, STORAGE_KEY) as Draft | null;
const kept = createValue(before);
kept.subscribe(() => {
  const draft = kept.get();
  store(() => sessionStorage, STORAGE_KEY, draft !== null && isStorable(draft.policy) ? draft : null);
});

/** Whether a draft can be stored in the browser: nothing in it names a person. */
export function isStorable({ rules }: Pick<Policy, "rules">): boolean {
  return rules.every(({ when }) => PERSONAL.every((name) => when[name] === undefined));
}

globalThis.addEventListener?.("beforeunload", (event) => {
  if (kept.get() !== null) event.preventDefault();
});

export type PolicyDraft = ReturnType<typeof usePolicyDraft>;

export const useSavedPolicy = (): Load<Policy> => useLoad("GET /policy");

export function usePolicyDraft() {
  const load = useSavedPolicy();
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const owner = toOwner();
  const draft = useValue(kept);
  const mine = draft?.owner === owner ? draft : null;
  /** As it would be saved; null until it is loaded. */
  const policy = mine?.policy ?? load.data;
  const isChanged =
    mine !== null && load.data !== null && toStableText(mine.policy) !== toStableText(load.data);
  const etag = mine?.etag ?? load.etag;

  const discard = (): void => {
    kept.set(null);
    setProblems([]);
  };

  async function save(): Promise<void> {
    if (policy === null) return;
    const answer = await call("PUT /policy", { body: policy, ifMatch: etag });
    discard();
    load.replace(answer.data, answer.etag);
  }

  return {
    load,
    policy,
    isChanged,
    /** Somebody else has saved the policy since the draft was started. */
    isBehind: isChanged && load.etag !== null && etag !== load.etag,
    problems,
    update: (change: Partial<Policy>): void => {
      if (policy === null) return;
      const next = { ...policy, ...change };
      // The changes were reversed by hand, so there's nothing left to lose.
      if (load.data !== null && etag === load.etag && toStableText(next) === toStableText(load.data))
        kept.set(null);
      else startDraft(next, etag);
    },
    discard,
    /** Continue the draft as a change of the newly saved policy. */
    catchUp: (): void => {
      if (mine !== null) kept.set({ ...mine, etag: load.etag });
    },
    setProblems,
    save,
  };
}

/** Start or continue a draft that changes the policy with this ETag. */
export function startDraft(policy: Policy, etag: string | null): void {
  kept.set({ owner: toOwner(), policy, etag });
}

/** Each draft belongs to the person who wrote it. */
function toOwner(): string {
  const session = getSession();
  return session === null ? "" : `${session.tenant} ${session.actor}`;
}

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

export type PolicyPartProps = { readonly draft: PolicyDraft; readonly policy: Policy };

export const ACTION_OPTIONS = Object.entries({
  ...ACTION_WORDS,
  hold: "Hold for review",
}) as readonly (readonly [Action, string])[];
