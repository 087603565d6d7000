import type { Policy } from "../../../src/policy/policy.ts";
import { Check, Choice } from "../../components/choice.tsx";
import { NumberField } from "../../components/entry.tsx";
import { Panel } from "../../components/panel.tsx";
import { findProblem } from "../../data/policy-draft.ts";
import type { PolicyPartProps } from "./policy-part.ts";

/** Holds, cancels, failures and budgets. */
export function PolicyHandling(props: PolicyPartProps) {
  return (
    <>
      <Holds {...props} />
      <Cancels {...props} />
      <Checks {...props} />
      <Budget {...props} />
    </>
  );
}

/** A field that must have a number: an empty one is refused by the server, which says what it expects. */
function toRequired(value: number | null): number {
  return value ?? Number.NaN;
}

function Holds({ draft, policy }: PolicyPartProps) {
  const set = (change: Partial<Policy["hold"]>) => draft.update({ hold: { ...policy.hold, ...change } });
  return (
    <Panel title="Holds">
      <div class="form-grid">
        <NumberField
          label="Deadline, in hours"
          value={policy.hold.deadlineHours}
          hint="How long a hold waits for a person: 1 to 2160."
          error={findProblem(draft.problems, "hold.deadlineHours")}
          onChange={(value) => set({ deadlineHours: toRequired(value) })}
        />
        <Choice
          legend="When nobody decided by then"
          value={policy.hold.onDeadline}
          error={findProblem(draft.problems, "hold.onDeadline")}
          onChange={(onDeadline) => set({ onDeadline })}
          options={[
            ["keep", "Keep holding", "It stays in the queue, marked as overdue."],
            ["release", "Release", "It may ship."],
            ["cancel", "Cancel", "Only what the service judged; a guess never cancels."],
          ]}
        />
      </div>
    </Panel>
  );
}

function Cancels({ draft, policy }: PolicyPartProps) {
  const { cancel } = policy;
  const set = (change: Partial<Policy["cancel"]>) => draft.update({ cancel: { ...cancel, ...change } });
  return (
    <Panel title="Cancels">
      <div class="form-grid">
        <NumberField
          label="Cool-off, in minutes"
          value={cancel.coolOffMinutes}
          hint="A cancel waits this long, held, for somebody to stop it. 0: at once."
          error={findProblem(draft.problems, "cancel.coolOffMinutes")}
          onChange={(value) => set({ coolOffMinutes: toRequired(value) })}
        />
        <NumberField
          label="At most per hour"
          value={cancel.maxPerHour}
          hint="Beyond it a cancel becomes a hold."
          error={findProblem(draft.problems, "cancel.maxPerHour")}
          onChange={(value) => set({ maxPerHour: toRequired(value) })}
        />
      </div>
      <div class="checks">
        <Check label="Refund the payment" checked={cancel.refund} onChange={(refund) => set({ refund })} />
        <Check label="Restock the goods" checked={cancel.restock} onChange={(restock) => set({ restock })} />
        <Check
          label="Notify the customer"
          checked={cancel.notifyCustomer}
          onChange={(notifyCustomer) => set({ notifyCustomer })}
        />
      </div>
    </Panel>
  );
}

function Checks({ draft, policy }: PolicyPartProps) {
  return (
    <Panel title="Checks">
      <div class="form-grid">
        <Choice
          legend="When the service does not answer"
          value={policy.whenUnavailable}
          error={findProblem(draft.problems, "whenUnavailable")}
          onChange={(whenUnavailable) => draft.update({ whenUnavailable })}
          options={[
            ["local", "Let the local engine judge", "It may tag and hold, and never cancels."],
            ["hold", "Hold the order", "A person decides."],
            ["allow", "Let it pass", "Marked as not checked."],
          ]}
        />
        <Choice
          legend="Test orders"
          value={policy.testOrders}
          error={findProblem(draft.problems, "testOrders")}
          onChange={(testOrders) => draft.update({ testOrders })}
          options={[
            ["local", "Local engine", "Costs nothing."],
            ["service", "Service", "Each costs a credit."],
            ["skip", "Do not check"],
          ]}
        />
      </div>
      <div class="checks">
        <Check
          label="Check again when an order changes in a way that matters (costs a credit)"
          checked={policy.rescreenOnChange}
          onChange={(rescreenOnChange) => draft.update({ rescreenOnChange })}
        />
      </div>
    </Panel>
  );
}

function Budget({ draft, policy }: PolicyPartProps) {
  const { budget } = policy;
  const set = (change: { readonly [K in keyof Policy["budget"]]?: number | null }) =>
    draft.update({ budget: { ...budget, ...change } });
  return (
    <Panel title="Budget, in credits">
      <div class="form-grid three">
        <NumberField
          label="Per day"
          value={budget.daily}
          placeholder="No cap"
          error={findProblem(draft.problems, "budget.daily")}
          onChange={(daily) => set({ daily })}
        />
        <NumberField
          label="Per month"
          value={budget.monthly}
          placeholder="No cap"
          error={findProblem(draft.problems, "budget.monthly")}
          onChange={(monthly) => set({ monthly })}
        />
        <div class="field">
          <NumberField
            label="Per source and hour"
            value={budget.perSourceHourly === undefined ? 30 : budget.perSourceHourly}
            placeholder="No cap"
            hint="One mailbox, network or delivery address."
            error={findProblem(draft.problems, "budget.perSourceHourly")}
            onChange={(perSourceHourly) => set({ perSourceHourly })}
          />
        </div>
      </div>
      <p class="hint lead">When a cap is reached, orders are judged as when the service does not answer.</p>
    </Panel>
  );
}
