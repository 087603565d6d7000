import { nameCountry } from "../../data/base/format.ts";
import { t } from "../../data/base/texts.ts";
import { LAND } from "../../data/orders/generated/world.ts";
import type { Spot } from "../../data/orders/buyer.ts";

/** The map's north edge and size, in degrees; it goes on a little beyond the 180th meridian. */
const [NORTH, WIDTH, HEIGHT] = [84, 372, 142] as const;

const toX = ({ east }: Spot) => east + 180;
const toY = ({ north }: Spot) => NORTH - north;

/** More orders make a larger dot, but not without end. */
const toRadius = (count: number) => 2.5 + Math.min(4, Math.sqrt(count));

/** The countries of a buyer's orders, drawn without any map service, and the same in words. */
export function BuyerMap({ spots }: { readonly spots: readonly Spot[] }) {
  const targets = spots.filter(({ ships }) => ships > 0);
  const sources = spots.filter(({ ips, ships }) => ips > 0 && ships === 0);
  return (
    <figure class="buyer-map stack gap-2">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
        <path class="land" d={LAND} />
        {sources.flatMap((from) =>
          targets.map((to) => (
            <line
              key={`${from.country} ${to.country}`}
              class="way"
              x1={toX(from)}
              y1={toY(from)}
              x2={toX(to)}
              y2={toY(to)}
            />
          )),
        )}
        {targets.map((spot) => (
          <circle key={spot.country} class="goes" cx={toX(spot)} cy={toY(spot)} r={toRadius(spot.ships)} />
        ))}
        {sources.map((spot) => (
          <rect
            key={spot.country}
            class="comes"
            x={toX(spot) - 3}
            y={toY(spot) - 3}
            width="6"
            height="6"
            transform={`rotate(45 ${toX(spot)} ${toY(spot)})`}
          />
        ))}
      </svg>
      <figcaption>
        <ul class="row">
          {spots.map(({ country, ships, ips }) => (
            <li key={country}>
              <b>{nameCountry(country)}</b>{" "}
              <span class="soft">
                {[
                  ships > 0 ? t("buyer.map-ships", { count: ships }) : "",
                  ips > 0 ? t("buyer.map-ips", { count: ips }) : "",
                ]
                  .filter((part) => part !== "")
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ul>
        <p class="hint">{t("buyer.map-about")}</p>
      </figcaption>
    </figure>
  );
}
