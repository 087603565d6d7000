import type { ComponentChildren } from "preact";
import { type Fact, Facts, Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { formatList, formatMoney, nameCountry } from "../../data/base/format.ts";
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
import { nameCheck } from "../../data/orders/check-words.ts";
import { t } from "../../data/base/texts.ts";

export function OrderDetails({ order }: { readonly order: OrderDetail }) {
  const { contents, context } = order;
  return (
    <Panel title={t("order.order-details")}>
      {contents === null ? (
        <p class="soft">{t("order.the-orders-personal-data-was-erased")}</p>
      ) : (
        <div class="order-details stack">
          <Facts facts={toBuyerFacts(contents)} />
          <Items order={order} items={contents.items} />
          <Addresses contents={contents} isWithheld={order.skipReason === "PERSONAL_DATA_NOT_GRANTED"} />
          <Payment contents={contents} context={context} />
        </div>
      )}
    </Panel>
  );
}

function toBuyerFacts({ buyer, unread }: OrderContents): readonly Fact[] {
  const { name, email, phone, company, accountAgeInDays: days, earlierOrders } = buyer;
  return [
    [t("order.buyer"), name ?? UNKNOWN],
    [t("order.email"), email ?? UNKNOWN],
    [t("order.phone"), phone ?? UNKNOWN],
    [t("order.company"), company],
    [
      t("order.account-age"),
      days === undefined ? toMissing(unread.history) : t("order.account-days", { count: days }),
    ],
    [
      t("order.earlier-orders"),
      earlierOrders === undefined ? toMissing(unread.history) : toEarlier(earlierOrders, buyer),
    ],
  ];
}

function toEarlier(earlier: number, buyer: OrderContents["buyer"]): ComponentChildren {
  const { cancelledOrders = 0, returnedOrders = 0 } = buyer;
  const ended = [
    ...(cancelledOrders > 0 ? [t("order.buyer-canceled", { count: cancelledOrders })] : []),
    ...(returnedOrders > 0 ? [t("order.buyer-returned", { count: returnedOrders })] : []),
  ];
  const count = t("order.earlier", { count: earlier });
  return ended.length === 0 ? count : `${count} (${formatList(ended)})`;
}

const UNKNOWN = <span class="soft">{t("order.not-known")}</span>;

/** Why something isn't known, as far as that is known. */
function toMissing(why: OrderContents["unread"]["payment"]): ComponentChildren {
  return why === undefined ? UNKNOWN : <span class="soft">{t(`unread.${why}`)}</span>;
}

function Items({ order, items }: { readonly order: OrderDetail; readonly items: OrderContents["items"] }) {
  return (
    <section>
      <h3>{t("order.items")}</h3>
      {items.length === 0 ? (
        <p class="soft">{t("order.the-orders-items-arent-known")}</p>
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

interface AddressesProps {
  readonly contents: OrderContents;
  readonly isWithheld: boolean;
}

function Addresses({ contents, isWithheld }: AddressesProps) {
  const lines = compareAddresses(contents);
  return (
    <section>
      <h3>{t("order.addresses")}</h3>
      <p class="hint">{summarizeAddresses(contents, lines)}</p>
      {isWithheld && lines.length === 0 && <p class="hint">{t("unread.personal-data")}</p>}
      {lines.length > 0 && (
        <table class="addresses">
          <caption class="unseen">{t("order.shipping-and-billing-address")}</caption>
          <thead>
            <tr>
              <td />
              <th scope="col">{t("order.ship-to")}</th>
              <th scope="col">{t("order.bill-to")}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ label, shipping, billing, differs }) => (
              <tr key={label}>
                <th scope="row">
                  {label}
                  {differs && <span class="differs"> {t("order.differs")}</span>}
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
      <h3>{t("order.payment")}</h3>
      <Facts
        facts={[
          ...toCardFacts(contents),
          [t("order.address-check-avs"), nameCheck("avs", contents) ?? toMissing(contents.unread.payment)],
          [t("order.security-code-cvv"), nameCheck("cvv", contents) ?? toMissing(contents.unread.payment)],
          ...toContextFacts(context ?? {}),
          [t("order.ip-address"), toIp(contents)],
          [t("order.ip-country"), toIpCountry(contents)],
        ]}
      />
    </section>
  );
}

function toCardFacts({ card = {}, unread }: OrderContents): readonly Fact[] {
  const { brand, lastFourDigits, expiry, holderName } = card;
  const number = lastFourDigits === undefined ? undefined : t("order.ending-in", { digits: lastFourDigits });
  const printed = [brand, number, expiry].filter((part) => part !== undefined).join(", ");
  return [
    [t("order.card"), printed === "" ? toMissing(unread.payment) : printed],
    [t("order.card-holder"), holderName],
  ];
}

function toContextFacts(context: NonNullable<OrderDetail["context"]>): readonly Fact[] {
  const { gateways = [], wallet, bin, paymentTerms, protect, authorizationExpiresAt: expiresAt } = context;
  return [
    [t("order.gateway"), gateways.length === 0 ? UNKNOWN : gateways.join(", ")],
    [t("order.wallet"), wallet],
    [t("order.first-digits-bin"), bin],
    [t("order.payment-terms"), paymentTerms],
    [t("order.chargeback-protection"), protect && PROTECTION_WORDS[protect]],
    [t("order.authorization-ends"), expiresAt && <Time at={expiresAt} />],
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
