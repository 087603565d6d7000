import type { Policy } from "../../../src/policy/policy.ts";
import { Check, Choice, ListField, NumberField } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { bindNumber, bindSetting, findProblem, type PolicyPartProps } from "../../data/policy-draft.ts";

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

function Holds(props: PolicyPartProps) {
  const { draft, policy } = props;
  return (
    <Panel title="Holds">
      <div class="form-grid">
        <NumberField
          label="Deadline (hours)"
          hint="How long to wait for a decision, from 1 to 2160."
          {...bindNumber(props, "hold", "deadlineHours")}
        />
        <Choice
          legend="If nobody decides by then"
          value={policy.hold.onDeadline}
          error={findProblem(draft.problems, "hold.onDeadline")}
          onChange={(onDeadline) => draft.update({ hold: { ...policy.hold, onDeadline } })}
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

function Cancels(props: PolicyPartProps) {
  const { draft, policy } = props;
  const { cancel } = policy;
  const set = (change: Partial<Policy["cancel"]>) => draft.update({ cancel: { ...cancel, ...change } });
  return (
    <Panel title="Cancellations">
      <div class="form-grid">
        <NumberField
          label="Wait before canceling (minutes)"
          hint="How long to hold an order before canceling it. 0 cancels right away."
          {...bindNumber(props, "cancel", "coolOffMinutes")}
        />
        <NumberField
          label="Maximum per hour"
          hint="Over this limit, orders are held instead of canceled."
          {...bindNumber(props, "cancel", "maxPerHour")}
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

function Checks(props: PolicyPartProps) {
  const { draft, policy } = props;
  return (
    <Panel title="Checks">
      <div class="form-grid">
        <Choice
          legend="When the service is unavailable"
          {...bindSetting(props, "whenUnavailable")}
          options={[
            ["local", "Use the local engine", "It can tag and hold orders, but never cancels."],
            ["hold", "Hold the order", "You decide on each order."],
            ["allow", "Allow the order", "The order is marked as not checked."],
          ]}
        />
        <Choice
          legend="While an order is checked"
          {...bindSetting(props, "whileChecking")}
          options={[
            ["nothing", "Don't hold it", "It can ship before it's decided. Most checks take seconds."],
            ["hold", "Hold it", "It can't ship before it's decided, not even during an outage."],
          ]}
        />
        <Choice
          legend="Test orders"
          {...bindSetting(props, "testOrders")}
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

function Budget(props: PolicyPartProps) {
  return (
    <Panel title="Credit limits">
      <div class="form-grid three">
        <NumberField label="Per day" placeholder="No limit" {...bindNumber(props, "budget", "daily")} />
        <NumberField label="Per month" placeholder="No limit" {...bindNumber(props, "budget", "monthly")} />
        <div class="field">
          <NumberField
            label="Per source per hour"
            placeholder="No limit"
            hint="A source is one mailbox, network, or delivery address."
            {...bindNumber(props, "budget", "perSourceHourly")}
          />
        </div>
      </div>
      <p class="hint lead">When you reach a limit, orders are handled as if the service were unavailable.</p>
    </Panel>
  );
}
