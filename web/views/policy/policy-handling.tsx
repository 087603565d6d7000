import { Check, Choice, ListField, NumberField } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { bind, bindPart, type PolicyPartProps } from "../../data/policy-draft.ts";

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
  return (
    <Panel title="Holds">
      <div class="form-grid">
        <NumberField
          label="Deadline (hours)"
          hint="How long to wait for a decision, from 1 to 2160."
          {...bindPart(props, "hold", "deadlineHours")}
        />
        <Choice
          label="If nobody decides by then"
          {...bindPart(props, "hold", "onDeadline")}
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
  return (
    <Panel title="Cancellations">
      <div class="form-grid">
        <NumberField
          label="Wait before canceling (minutes)"
          hint="How long to hold an order before canceling it. 0 cancels right away."
          {...bindPart(props, "cancel", "coolOffMinutes")}
        />
        <NumberField
          label="Maximum per hour"
          hint="Over this limit, orders are held instead of canceled."
          {...bindPart(props, "cancel", "maxPerHour")}
        />
      </div>
      <div class="checks row">
        <Check label="Refund payment" {...bindPart(props, "cancel", "refund")} />
        <Check label="Restock items" {...bindPart(props, "cancel", "restock")} />
        <Check label="Notify customer" {...bindPart(props, "cancel", "notifyCustomer")} />
      </div>
      <ListField
        label="Customer tags that opt out"
        hint="Orders of customers with one of these tags are held instead of canceled, so that a person decides."
        placeholder="No tags"
        {...bind(props, "optOutTags")}
      />
    </Panel>
  );
}

function Checks(props: PolicyPartProps) {
  return (
    <Panel title="Checks">
      <div class="form-grid">
        <Choice
          label="When the service is unavailable"
          {...bind(props, "whenUnavailable")}
          options={[
            ["local", "Use the local engine", "It can tag and hold orders, but never cancels."],
            ["hold", "Hold the order", "You decide on each order."],
            ["allow", "Allow the order", "The order is marked as not checked."],
          ]}
        />
        <Choice
          label="While an order is checked"
          {...bind(props, "whileChecking")}
          options={[
            ["nothing", "Don't hold it", "It can ship before it's decided. Most checks take seconds."],
            ["hold", "Hold it", "It can't ship before it's decided, not even during an outage."],
          ]}
        />
        <Choice
          label="Test orders"
          {...bind(props, "testOrders")}
          options={[
            ["local", "Local engine", "No credits used."],
            ["service", "Service", "Uses 1 credit per order."],
            ["skip", "Don't check"],
          ]}
        />
        <ListField
          label="Channels to skip"
          hint="Orders from these channels are allowed without a check: pos, draft, subscription, web, or the platform's own name."
          placeholder="Every channel is checked"
          {...bind(props, "skipChannels")}
        />
      </div>
      <div class="checks row">
        <Check
          label="Check again when an order changes in a way that affects risk (uses a credit)"
          {...bind(props, "rescreenOnChange")}
        />
        <Check
          label="Capture the payment when an order is approved (for shops that capture by hand)"
          {...bind(props, "captureWhenApproved")}
        />
      </div>
    </Panel>
  );
}

function Budget(props: PolicyPartProps) {
  return (
    <Panel title="Credit limits">
      <div class="form-grid three">
        <NumberField label="Per day" placeholder="No limit" {...bindPart(props, "budget", "daily")} />
        <NumberField label="Per month" placeholder="No limit" {...bindPart(props, "budget", "monthly")} />
        <NumberField
          label="Per source per hour"
          placeholder="No limit"
          hint="A source is one mailbox, network, or delivery address."
          {...bindPart(props, "budget", "perSourceHourly")}
        />
      </div>
      <p class="hint lead">When you reach a limit, orders are handled as if the service were unavailable.</p>
    </Panel>
  );
}
