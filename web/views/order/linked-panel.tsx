import { useState } from "preact/hooks";
import { ActionLabel, LevelBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Loading, Panel, Problem } from "../../components/panel.tsx";
import { Ago } from "../../components/time.tsx";
import type { BodyFor } from "../../data/api/api-types.ts";
import { formatMoney, formatDate, formatList, nameCountry } from "../../data/base/format.ts";
import { OUTCOME_WORDS } from "../../data/policy/replay.ts";
import { toPath } from "../../data/shell/route.ts";
import { toRoleReason } from "../../data/api/session.ts";
import type { Load } from "../../data/api/use-load.ts";
import type { Linked } from "../../data/orders/linked.ts";
import { LINK_WORDS, LIST_WORDS, nameLink } from "../../data/api/words.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Select, TextField } from "../../components/form.tsx";
import { showToast } from "../../data/api/messages.ts";
import { call } from "../../data/api/api.ts";
import { splitProblems } from "../../data/api/field-problems.ts";
import { type LinkKind, LIST_DAYS, toLastDay } from "../../data/orders/blocking.ts";
import { useAction } from "../../data/api/use-action.ts";
import { t } from "../../data/base/texts.ts";

interface LinkedPanelProps {
  readonly orderId: string;
  readonly load: Load<Linked>;
}

export function LinkedPanel({ orderId, load }: LinkedPanelProps) {
  return (
    <Panel title={t("order.linked-orders")}>
      {load.data === null ? (
        <Loading load={load} lines={3} label={t("order.loading-linked-orders")} />
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
      {links.length === 0 && <p class="soft">{t("order.this-order-has-no-details-to")}</p>}
      <ul class="stack gap-1">
        {links.map(({ kind, label, listed, orders: count }) => (
          <li key={kind} class="wrap between anywhere">
            <span>
              <b>{LINK_WORDS[kind]}</b> {label}
            </span>
            <span class="row">
              <span class="soft">
                {listed !== null && `${LIST_WORDS[listed]} · `}
                {t("order.other-orders", { count })}
              </span>
              {(["trust", "block"] as const).map((list) => (
                <ListButton key={list} {...{ orderId, list, kind, label, onDone }} about={nameLink(kind)} />
              ))}
            </span>
          </li>
        ))}
      </ul>
      {orders.length > 0 && (
        <ul class="linked" aria-label={t("order.linked-orders")}>
          {orders.map((order) => (
            <LinkedLine key={order.orderId} order={order} />
          ))}
        </ul>
      )}
    </>
  );
}

/** What it is, whose, and what became of it: in columns where they fit. */
function LinkedLine({ order }: { readonly order: Linked["orders"][number] }) {
  const { orderId, name, buyer, email, country, links } = order;
  return (
    <li>
      <span class="stack gap-0">
        <a href={toPath({ view: "orders", id: orderId })}>{name}</a>
        <span class="digits">{formatMoney(order.amount, order.currency)}</span>
      </span>
      <span class="stack gap-0 anywhere">
        <span dir="auto">{buyer ?? t("order.no-name")}</span>
        {email !== null && (
          <span class="soft" dir="auto">
            {email}
          </span>
        )}
        {country !== null && <span class="soft">{nameCountry(country)}</span>}
      </span>
      <span class="stack gap-0">
        <LevelBadge level={order.riskLevel} />
        {order.action !== null && <ActionLabel action={order.action} />}
        <span>{OUTCOME_WORDS[order.outcome]}</span>
      </span>
      <span class="soft linked-why">
        {t("order.same", { links: formatList(links.map(nameLink)) })} · <Ago at={order.receivedAt} />
      </span>
    </li>
  );
}

type Entry = BodyFor<"POST /policy/lists">;

interface ListButtonProps extends Pick<Entry, "orderId" | "list" | "rule"> {
  readonly kind: LinkKind;
  /** What is put on the list, masked; of a snooze, the customer. */
  readonly label: string;
  readonly about: string;
  readonly onDone?: (() => void) | undefined;
}

const CONSEQUENCES = {
  block: t("order.new-orders-with-it-are-held"),
  trust: t("order.at-low-medium-and-high-risk"),
  snooze: t("order.until-the-last-day-this-rule"),
} as const;

const TITLES = {
  block: { button: t("order.block"), verb: t("order.block"), done: t("order.blocked") },
  trust: { button: t("order.trust"), verb: t("order.trust"), done: t("order.trusted") },
  snooze: {
    button: t("order.dont-apply-to-this-customer"),
    verb: t("order.dont-apply"),
    done: t("order.snoozed"),
  },
} as const;

/** Puts a value that identifies an order's buyer on a list. Asks why, and until when. */
export function ListButton({ about, ...entry }: ListButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const erased = entry.label === "" ? t("order.the-order-was-erased") : undefined;
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
  const until = toLastDay(days);
  const { find, rest } = splitProblems(problem, ["reason", "until"]);

  async function save(): Promise<void> {
    await call("POST /policy/lists", { body: { orderId, list, rule, kinds: [kind], reason, until } });
    showToast(done);
    onClose();
    onDone?.();
  }

  return (
    <ConfirmDialog
      title={
        rule === undefined ? t("order.ask-list", { list, label }) : t("order.ask-snooze", { rule, label })
      }
      confirm={verb}
      busy={busy}
      onConfirm={() => run(save)}
      onClose={onClose}
      fields={
        <>
          <TextField
            label={t("order.reason")}
            value={reason}
            onChange={setReason}
            hint={t("order.saved-in-the-policy")}
            error={find("reason")}
          />
          <Select
            label={t("order.for-how-long")}
            value={days}
            // A snooze has an end.
            options={list === "snooze" ? LIST_DAYS.slice(0, -1) : LIST_DAYS}
            hint={until === null ? undefined : t("order.last-day", { date: formatDate(until) })}
            error={find("until")}
            onChange={setDays}
          />
          <Problem error={rest} />
        </>
      }
    >
      <p>{CONSEQUENCES[list]}</p>
    </ConfirmDialog>
  );
}
