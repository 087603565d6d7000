import { Panel } from "../../components/panel.tsx";
import { Ago } from "../../components/time.tsx";
import {
  explainEntry,
  nameKind,
  nameStep,
  nameStepState,
  foldRepeats,
} from "../../data/orders/event-words.ts";
import type { OrderDetail, TimelineEntry } from "../../data/api/api-types.ts";
import { explainCode, nameActor } from "../../data/api/words.ts";
import { t } from "../../data/base/texts.ts";

export function OrderHistory({ order }: { readonly order: OrderDetail }) {
  return (
    <>
      {order.steps.length > 0 && (
        <Panel title={t("order.actions-taken")}>
          <ul class="steps stack gap-2">
            {order.steps.map(({ step, state, detail }) => (
              <li key={step} class="wrap between" data-state={state}>
                <b>{nameStep(step)}</b>
                <span>{nameStepState(state)}</span>
                {detail !== "" && <p class="hint alone">{explainCode(detail)}</p>}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title={t("order.timeline")}>
        <ol class="timeline">
          {foldRepeats(order.timeline)
            .toReversed()
            .map(({ entry, key, times }) => (
              <Entry key={key} entry={entry} times={times} />
            ))}
        </ol>
      </Panel>
    </>
  );
}

function Entry({ entry, times }: { readonly entry: TimelineEntry; readonly times: number }) {
  const { at, kind, actor } = entry;
  const detail = explainEntry(entry);
  return (
    <li data-actor={actor.startsWith("person:") ? "person" : actor}>
      <p>
        <b>{nameKind(kind)}</b>
        {times > 1 && <span> · {t("order.times", { count: times })}</span>}
        {detail !== "" && <span> · {detail}</span>}
      </p>
      <p class="fine">
        {nameActor(actor)} · <Ago at={at} />
      </p>
    </li>
  );
}
