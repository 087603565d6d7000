import type { Policy } from "../../../src/policy/policy.ts";
import { Check, Choice } from "../../components/choice.tsx";
import { ListField, NumberField } from "../../components/entry.tsx";
import { Panel } from "../../components/panel.tsx";
import { findProblem, type PolicyPartProps } from "../../data/policy-draft.ts";

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
          label="Deadline (hours)"
          value={policy.hold.deadlineHours}
          hint="How long to wait for a decision, from 1 to 2160."
          error={findProblem(draft.problems, "hold.deadlineHours")}
          onChange={(value) => set({ deadlineHours: toRequired(value) })}
        />
        <Choice
          legend="If nobody decides by then"
          value={policy.hold.onDeadline}
          error={findProblem(draft.problems, "hold.onDeadline")}
          onChange={(onDeadline) => set({ onDeadline })}
          options={[
            ["keep", "Keep holding", "The order stays in the queue, marked overdue."],
            ["release", "Release", "The order can ship."],
            ["cancel", "Cancel", "Only for orders checked by the service."],
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
    <Panel title="Cancellations">
      <div class="form-grid">
        <NumberField
          label="Wait before canceling (minutes)"
          value={cancel.coolOffMinutes}
          hint="How long to hold an order before canceling it. 0 cancels right away."
          error={findProblem(draft.problems, "cancel.coolOffMinutes")}
          onChange={(value) => set({ coolOffMinutes: toRequired(value) })}
        />
        <NumberField
          label="Maximum per hour"
          value={cancel.maxPerHour}
          hint="Over this limit, orders are held instead of canceled."
          error={findProblem(draft.problems, "cancel.maxPerHour")}
          onChange={(value) => set({ maxPerHour: toRequired(value) })}
        />
      </div>
      <div class="checks">
        <Check label="Refund payment" checked={cancel.refund} onChange={(refund) => set({ refund })} />
        <Check label="Restock items" checked={cancel.restock} onChange={(restock) => set({ restock })} />
        <Check
          label="Notify customer"
          checked={cancel.notifyCustomer}
          onChange={(notifyCustomer) => set({ notifyCustomer })}
        />
      </div>
      <ListField
        label="Customer tags that opt out"
        hint="Orders of customers with one of these tags are held instead of canceled, so that a person decides."
        value={policy.optOutTags ?? []}
        placeholder="No tags"
        error={findProblem(draft.problems, "optOutTags")}
        onChange={(optOutTags) => draft.update({ optOutTags: [...optOutTags] })}
      />
    </Panel>
  );
}

function Checks({ draft, policy }: PolicyPartProps) {
  return (
    <Panel title="Checks">
      <div class="form-grid">
        <Choice
          legend="When the service is unavailable"
          value={policy.whenUnavailable}
          error={findProblem(draft.problems, "whenUnavailable")}
          onChange={(whenUnavailable) => draft.update({ whenUnavailable })}
          options={[
            ["local", "Use the local engine", "It can tag and hold orders, but never cancels."],
            ["hold", "Hold the order", "You decide on each order."],
            ["allow", "Allow the order", "The order is marked as not checked."],
          ]}
        />
        <Choice
          legend="While an order is checked"
          value={policy.whileChecking}
          error={findProblem(draft.problems, "whileChecking")}
          onChange={(whileChecking) => draft.update({ whileChecking })}
          options={[
            ["nothing", "Don't hold it", "It can ship before it's decided. Most checks take seconds."],
            ["hold", "Hold it", "It can't ship before it's decided, not even during an outage."],
          ]}
        />
        <Choice
          legend="Test orders"
          value={policy.testOrders}
          error={findProblem(draft.problems, "testOrders")}
          onChange={(testOrders) => draft.update({ testOrders })}
          options={[
            ["local", "Local engine", "No credits used."],
            ["service", "Service", "Uses 1 credit per order."],
            ["skip", "Don't check"],
          ]}
        />
        <ListField
          label="Channels to skip"
          hint="Orders from these channels are allowed without a check: pos, draft, subscription, web, or the platform's own name."
          value={policy.skipChannels ?? []}
          placeholder="Every channel is checked"
          error={findProblem(draft.problems, "skipChannels")}
          onChange={(skipChannels) => draft.update({ skipChannels: [...skipChannels] })}
        />
      </div>
      <div class="checks">
        <Check
          label="Check again when an order changes in a way that affects risk (uses a credit)"
          checked={policy.rescreenOnChange}
          onChange={(rescreenOnChange) => draft.update({ rescreenOnChange })}
        />
        <Check
          label="Capture the payment when an order is approved (for shops that capture by hand)"
          checked={policy.captureWhenApproved ?? false}
          onChange={(captureWhenApproved) => draft.update({ captureWhenApproved })}
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
    <Panel title="Credit limits">
      <div class="form-grid three">
        <NumberField
          label="Per day"
          value={budget.daily}
          placeholder="No limit"
          error={findProblem(draft.problems, "budget.daily")}
          onChange={(daily) => set({ daily })}
        />
        <NumberField
          label="Per month"
          value={budget.monthly}
          placeholder="No limit"
          error={findProblem(draft.problems, "budget.monthly")}
          onChange={(monthly) => set({ monthly })}
        />
        <div class="field">
          <NumberField
            label="Per source per hour"
            value={budget.perSourceHourly}
            placeholder="No limit"
            hint="A source is one mailbox, network, or delivery address."
            error={findProblem(draft.problems, "budget.perSourceHourly")}
            onChange={(perSourceHourly) => set({ perSourceHourly })}
          />
        </div>
      </div>
      <p class="hint lead">When you reach a limit, orders are handled as if the service were unavailable.</p>
    </Panel>
  );
}
