import { useState } from "preact/hooks";
import { ActionLabel, LevelBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Loading, Panel, Problem } from "../../components/panel.tsx";
import { Ago } from "../../components/time.tsx";
import type { BodyFor } from "../../data/api/api-types.ts";
import { formatMoney, formatPlural, DAY_MS, formatDate } from "../../data/base/format.ts";
import { OUTCOME_WORDS } from "../../data/policy/replay.ts";
import { toPath } from "../../data/shell/route.ts";
import { toRoleReason } from "../../data/api/session.ts";
import type { Load } from "../../data/api/use-load.ts";
import type { Linked } from "../../data/orders/linked.ts";
import { LINK_WORDS, LIST_WORDS } from "../../data/api/words.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Select, TextField } from "../../components/form.tsx";
import { showToast } from "../../data/api/messages.ts";
import { call } from "../../data/api/api.ts";
import { useAction } from "../../data/api/use-action.ts";

interface LinkedPanelProps {
  readonly orderId: string;
  readonly load: Load<Linked>;
}

export function LinkedPanel({ orderId, load }: LinkedPanelProps) {
  return (
    <Panel title="Linked orders">
      {load.data === null ? (
        <Loading load={load} lines={3} label="Loading linked orders" />
      ) : (
        <Links orderId={orderId} linked={load.data} onDone={load.reload} />
      )}
    </Panel>
  );
}

type LinksProps = Pick<ListButtonProps, "orderId" | "onDone"> & { readonly linked: Linked };

function Links({ orderId, linked: { links, orders }, onDone }: LinksProps) {
  return (
    <>
      {links.length === 0 && <p class="soft">This order has no details to compare with other orders.</p>}
      <ul class="stack gap-1">
        {links.map(({ kind, label, listed, orders: count }) => (
          <li key={kind} class="wrap between anywhere">
            <span>
              <b>{LINK_WORDS[kind]}</b> {label}
            </span>
            <span class="row">
              <span class="soft">
                {listed !== null && `${LIST_WORDS[listed]} · `}
                {count === 0 ? "no other orders" : formatPlural(count, "other order")}
              </span>
              {(["trust", "block"] as const).map((list) => (
                <ListButton
                  key={list}
                  {...{ orderId, list, kind, label, onDone }}
                  about={LINK_WORDS[kind].toLowerCase()}
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
      {orders.length > 0 && (
        <ul class="linked stack gap-1" aria-label="Linked orders">
          {orders.map((order) => (
            <li key={order.orderId} class="wrap anywhere">
              <a href={toPath({ view: "orders", id: order.orderId })}>{order.name}</a>
              <span>{formatMoney(order.amount, order.currency)}</span>
              <LevelBadge level={order.riskLevel} />
              {order.action !== null && <ActionLabel action={order.action} />}
              <span>{OUTCOME_WORDS[order.outcome]}</span>
              <span class="soft">
                same {order.links.map((kind) => LINK_WORDS[kind].toLowerCase()).join(", ")} ·{" "}
                <Ago at={order.receivedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type Entry = BodyFor<"POST /policy/lists">;

interface ListButtonProps extends Pick<Entry, "orderId" | "list" | "kind" | "rule"> {
  /** What is put on the list, masked; of a snooze, the customer. */
  readonly label: string;
  readonly about: string;
  readonly onDone?: (() => void) | undefined;
}

const CONSEQUENCES = {
  block:
    "New orders with it are held for review, even if a rule would allow or skip them. The block itself never cancels an order.",
  trust:
    "At low, medium, and high risk, new orders with it are held instead of canceled, and tagged instead of held. Critical orders, rules, and blocks aren't affected.",
  snooze:
    "Until the last day, this rule isn't applied to new orders with this email address. Other rules and the risk level still apply. This order doesn't change.",
} as const;

const TITLES = {
  block: { button: "Block", verb: "Block", done: "Blocked." },
  trust: { button: "Trust", verb: "Trust", done: "Trusted." },
  snooze: { button: "Don't apply to this customer", verb: "Don't apply", done: "Snoozed." },
} as const;

const DAYS = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "1 year"],
  ["", "No end"],
] as const;

/** Puts a value that identifies an order's buyer on a list. Asks why, and until when. */
export function ListButton({ about, ...entry }: ListButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const erased = entry.label === "" ? "The order was erased." : undefined;
  return (
    <>
      <Button
        label={TITLES[entry.list].button}
        about={about}
        small
        disabledReason={toRoleReason("reviewer") ?? erased}
        onClick={() => setAsking(true)}
      />
      {isAsking && <ListDialog {...entry} onClose={() => setAsking(false)} />}
    </>
  );
}

type ListDialogProps = Omit<ListButtonProps, "about"> & { readonly onClose: () => void };

function ListDialog({ orderId, list, rule, kind, label, onDone, onClose }: ListDialogProps) {
  const [reason, setReason] = useState("");
  const [days, setDays] = useState<string>(list === "snooze" ? "30" : "90");
  const { busy, problem, run } = useAction();

  const { verb, done } = TITLES[list];
  const end = new Date(Date.now() + Number(days) * DAY_MS).toISOString().slice(0, 10);
  const until = days === "" ? null : end;

  async function save(): Promise<void> {
    await call("POST /policy/lists", { body: { orderId, list, rule, kind, reason, until } });
    showToast(done);
    onClose();
    onDone?.();
  }

  return (
    <ConfirmDialog
      title={rule === undefined ? `${verb} ${label}?` : `Don't apply “${rule}” to ${label}?`}
      confirm={verb}
      busy={busy}
      onConfirm={() => run(save)}
      onClose={onClose}
      fields={
        <>
          <TextField label="Reason" value={reason} onChange={setReason} hint="Saved in the policy." />
          <Select
            label="For how long"
            value={days}
            // A snooze has an end.
            options={list === "snooze" ? DAYS.slice(0, -1) : DAYS}
            onChange={setDays}
          />
          {until !== null && <p class="hint">Last day: {formatDate(until)}</p>}
          <Problem error={problem} />
        </>
      }
    >
      <p>{CONSEQUENCES[list]}</p>
    </ConfirmDialog>
  );
}
