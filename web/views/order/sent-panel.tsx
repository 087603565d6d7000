import { Disclosure } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { formatPlural } from "../../data/base/format.ts";
import { formatValue, nameField, explainCode } from "../../data/api/words.ts";
import type { OrderDetail } from "../../data/api/api-types.ts";

const CALL_WORDS: Readonly<Record<string, string>> = {
  started: "In progress",
  answered: "Result received",
  failed: "Failed",
  unknown: "No response: may have been billed",
};

const METERED_WORDS = { yes: "1 credit", no: "free", unknown: "uses 1 credit" } as const;

export function SentPanel({ order }: { readonly order: OrderDetail }) {
  const { sent, leftOut, calls, creditsSpent } = order;
  return (
    <>
      <Disclosure title="Data sent" count={sent?.length}>
        {sent === null ? (
          <p class="soft">No data was sent, or it was erased.</p>
        ) : (
          <Pairs pairs={sent.map(({ path, value }) => [path, formatValue(value)])} />
        )}
        {leftOut.length > 0 && (
          <>
            <h3>Left out</h3>
            <Pairs pairs={leftOut.map(({ path, reason }) => [path, reason])} />
          </>
        )}
      </Disclosure>
      <Disclosure title={`Calls: ${formatPlural(creditsSpent, "credit")} spent`} count={calls.length}>
        {calls.length === 0 ? (
          <p class="soft">This order wasn't sent to the verification service.</p>
        ) : (
          <ul class="stack gap-2">
            {calls.map((one) => (
              <li key={`${one.at}${one.state}`} class="wrap">
                <Time at={one.at} />
                <span>
                  {CALL_WORDS[one.state] ?? one.state}
                  {one.error !== null && `: ${explainCode(one.error)}`}
                </span>
                <span class="soft">{METERED_WORDS[one.metered ?? "unknown"]}</span>
              </li>
            ))}
          </ul>
        )}
      </Disclosure>
    </>
  );
}

function Pairs({ pairs }: { readonly pairs: readonly (readonly [path: string, text: string])[] }) {
  return (
    <dl class="pairs">
      {pairs.map(([path, text]) => (
        <div key={path} class="stack gap-3">
          <dt class="soft">{nameField(path)}</dt>
          <dd class="anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
