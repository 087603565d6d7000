import type { Policy, PolicyRule, RuleConditions } from "../../../src/policy/policy.ts";
import { useState } from "preact/hooks";
import { call, type FieldProblem } from "../api/api.ts";
import { toStableText } from "../base/stable-text.ts";
import { getSession } from "../api/session.ts";
import { useLoad, type Load } from "../api/use-load.ts";
import { readStored, store } from "../base/storage.ts";
import { createValue, useValue } from "../base/value.ts";
import { ACTION_WORDS } from "../api/words.ts";
import type { Action } from "../api/api-types.ts";
import { t } from "../base/texts.ts";
import { findUnfinished } from "./unfinished.ts";

/** A policy draft; kept while the person visits other views. */
interface Draft {
  readonly policy: Policy;
  /** ETag of the policy that the draft changes. */
  readonly etag: string | null;
}

const STORAGE_KEY = "holdfast.policy-drafts";
/** Conditions that may name a person. A draft with one of these stays in the page's memory. */
const PERSONAL = ["email", "phone", "address", "orderTag", "customerTag"] as const;

type Drafts = Readonly<Record<string, Draft>>;

// The drafts from before a reload of this tab, by owner. Other shops' are for the person's return to them.
const before = (readStored(() => sessionStorage, STORAGE_KEY) ?? {}) as Drafts;
const kept = createValue(before);
kept.subscribe(() => {
  const storable = Object.entries(kept.get()).filter(([, { policy }]) => isStorable(policy));
  store(() => sessionStorage, STORAGE_KEY, Object.fromEntries(storable));
});

function setDraft(owner: string, draft: Draft | null): void {
  const { [owner]: _before, ...others } = kept.get();
  kept.set(draft === null ? others : { ...others, [owner]: draft });
}

/** Whether a draft can be stored in the browser: nothing in it names a person. */
export function isStorable({ rules }: Pick<Policy, "rules">): boolean {
  return rules.every(({ when }) => !namesPerson(when));
}

function namesPerson(when: RuleConditions): boolean {
  const { any = [], not = [] } = when;
  return (
    PERSONAL.some((name) => when[name] !== undefined) || [...any, ...not].some((set) => namesPerson(set))
  );
}

globalThis.addEventListener?.("beforeunload", (event) => {
  // A draft of another shop isn't lost: nothing has changed it here.
  const isUnsaved = Object.entries(kept.get()).some(
    ([owner, draft]) => owner === toOwner() || draft !== before[owner],
  );
  if (isUnsaved) event.preventDefault();
});

const NONE: readonly FieldProblem[] = [];

export type PolicyDraft = ReturnType<typeof usePolicyDraft>;

export const useSavedPolicy = (): Load<Policy> => useLoad("GET /policy");

export function usePolicyDraft() {
  const load = useSavedPolicy();
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const owner = toOwner();
  const mine = useValue(kept)[owner] ?? null;
  /** As it would be saved; null until it is loaded. */
  const policy = mine?.policy ?? load.data;
  const isChanged =
    mine !== null && load.data !== null && toStableText(mine.policy) !== toStableText(load.data);
  const etag = mine?.etag ?? load.etag;
  const unfinished = isChanged ? findUnfinished(mine.policy) : NONE;

  const discard = (): void => {
    setDraft(owner, null);
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
    /** The fields to fix: those that aren't finished, then those that the server refused. */
    problems: [...unfinished, ...problems],
    /** Whether it can't be tried yet. */
    isUnfinished: unfinished.length > 0,
    update: (change: Partial<Policy>): void => {
      if (policy === null) return;
      const next = { ...policy, ...change };
      // The changes were reversed by hand, so there's nothing left to lose.
      if (load.data !== null && etag === load.etag && toStableText(next) === toStableText(load.data))
        setDraft(owner, null);
      else startDraft(next, etag);
    },
    discard,
    /** Continue the draft as a change of the newly saved policy. */
    catchUp: (): void => {
      if (mine !== null) setDraft(owner, { ...mine, etag: load.etag });
    },
    setProblems,
    save,
  };
}

/** Start or continue a draft that changes the policy with this ETag. */
export function startDraft(policy: Policy, etag: string | null): void {
  setDraft(toOwner(), { policy, etag });
}

/** Each draft belongs to the person who wrote it. */
function toOwner(): string {
  const session = getSession();
  return session === null ? "" : `${session.tenant} ${session.actor}`;
}

export function toNewName(rules: readonly PolicyRule[]): string {
  const names = new Set(rules.map(({ name }) => name));
  let number = rules.length + 1;
  const toName = () => t("policy.rule-number", { number: String(number) });
  while (names.has(toName())) number += 1;
  return toName();
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
  hold: t("policy.hold-for-review"),
}) as readonly (readonly [Action, string])[];
