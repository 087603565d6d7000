import type { ComponentChildren } from "preact";
import { type Fact, Facts, Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { formatMoney, formatPlural, nameCountry } from "../../data/base/format.ts";
import {
  compareAddresses,
  compareIpCountry,
  describeProduct,
  NETWORK_WORDS,
  summarizeAddresses,
  type OrderContents,
} from "../../data/orders/order-contents.ts";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { PROTECTION_WORDS } from "../../data/api/words.ts";

export function OrderDetails({ order }: { readonly order: OrderDetail }) {
  const { contents, context } = order;
  return (
    <Panel title="Order details">
      {contents === null ? (
        <p class="soft">The order's personal data was erased.</p>
      ) : (
        <div class="order-details stack">
          <Facts facts={toBuyerFacts(contents)} />
          <Items order={order} items={contents.items} />
          <Addresses contents={contents} />
          <Payment contents={contents} context={context} />
        </div>
      )}
    </Panel>
  );
}

function toBuyerFacts({ buyer }: OrderContents): readonly Fact[] {
  const { name, email, phone, company, accountAgeInDays: days, earlierOrders } = buyer;
  return [
    ["Buyer", name ?? UNKNOWN],
    ["Email", email ?? UNKNOWN],
    ["Phone", phone ?? UNKNOWN],
    ["Company", company],
    ["Account age", days === undefined ? UNKNOWN : days === 0 ? "new today" : formatPlural(days, "day")],
    ["Earlier orders", toEarlier(earlierOrders, buyer)],
  ];
}

function toEarlier(earlier: number | undefined, buyer: OrderContents["buyer"]): ComponentChildren {
  if (earlier === undefined) return UNKNOWN;
  const { cancelledOrders = 0, returnedOrders = 0 } = buyer;
  const ended = [
    ...(cancelledOrders > 0 ? [`${cancelledOrders} canceled`] : []),
    ...(returnedOrders > 0 ? [`${returnedOrders} returned`] : []),
  ];
  const count = earlier === 0 ? "none" : formatPlural(earlier, "other order");
  return ended.length === 0 ? count : `${count} (${ended.join(", ")})`;
}

const UNKNOWN = <span class="soft">not known</span>;

function Items({ order, items }: { readonly order: OrderDetail; readonly items: OrderContents["items"] }) {
  return (
    <section>
      <h3>Items</h3>
      {items.length === 0 ? (
        <p class="soft">The order's items aren't known.</p>
      ) : (
        <ul class="items stack gap-1">
          {items.map(({ name, quantity, price, sku }, index) => (
            <li key={`${index} ${name}`} class="between anywhere">
              <span>
                {quantity} × <b dir="auto">{name}</b>{" "}
                {sku !== undefined && <span class="soft mono">{sku}</span>}
                <ProductLine text={describeProduct(sku, order.context)} />
              </span>
              <span class="number no-wrap">{formatMoney(price, order.currency)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ProductLine({ text }: { readonly text: string | null }) {
  return text === null ? null : <div class="hint">{text}</div>;
}

function Addresses({ contents }: { readonly contents: OrderContents }) {
  const lines = compareAddresses(contents);
  return (
    <section>
      <h3>Addresses</h3>
      <p class="hint">{summarizeAddresses(contents, lines)}</p>
      {lines.length > 0 && (
        <table class="addresses">
          <caption class="unseen">Shipping and billing address</caption>
          <thead>
            <tr>
              <td />
              <th scope="col">Ship to</th>
              <th scope="col">Bill to</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ label, shipping, billing, differs }) => (
              <tr key={label}>
                <th scope="row">
                  {label}
                  {differs && <span class="differs"> differs</span>}
                </th>
                {[shipping, billing].map((text, index) => (
                  <td key={index}>{differs ? <mark>{text}</mark> : (text ?? "–")}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

type PaymentProps = { readonly contents: OrderContents; readonly context: OrderDetail["context"] };

function Payment({ contents, context }: PaymentProps) {
  return (
    <section>
      <h3>Payment</h3>
      <Facts
        facts={[
          ...toCardFacts(contents.card),
          ["Address check (AVS)", contents.checks.avs ?? UNKNOWN],
          ["Security code (CVV)", contents.checks.cvv ?? UNKNOWN],
          ...toContextFacts(context ?? {}),
          ["IP address", toIp(contents)],
          ["IP country", toIpCountry(contents)],
        ]}
      />
    </section>
  );
}

function toCardFacts(card: OrderContents["card"] = {}): readonly Fact[] {
  const { brand, lastFourDigits, expiry, holderName } = card;
  const number = lastFourDigits === undefined ? undefined : `ending in ${lastFourDigits}`;
  const printed = [brand, number, expiry].filter((part) => part !== undefined).join(", ");
  return [
    ["Card", printed === "" ? UNKNOWN : printed],
    ["Card holder", holderName],
  ];
}

function toContextFacts(context: NonNullable<OrderDetail["context"]>): readonly Fact[] {
  const { gateways = [], wallet, bin, paymentTerms, protect, authorizationExpiresAt: expiresAt } = context;
  return [
    ["Gateway", gateways.length === 0 ? UNKNOWN : gateways.join(", ")],
    ["Wallet", wallet],
    ["First digits (BIN)", bin],
    ["Payment terms", paymentTerms],
    ["Chargeback protection", protect && PROTECTION_WORDS[protect]],
    ["Authorization ends", expiresAt && <Time at={expiresAt} />],
  ];
}

function toIp({ ip }: OrderContents): ComponentChildren {
  if (ip === undefined) return UNKNOWN;
  return ip.network === undefined ? ip.address : `${ip.address} (${NETWORK_WORDS[ip.network]})`;
}

function toIpCountry(contents: OrderContents): ComponentChildren {
  const { ip } = contents.countries;
  if (ip === undefined) return UNKNOWN;
  const compared = compareIpCountry(contents);
  return compared === null ? nameCountry(ip) : `${nameCountry(ip)}; ${compared}`;
}
