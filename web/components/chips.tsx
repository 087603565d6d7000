import { type Chip, nameChip, nameSign, type Sign } from "../data/orders/verdict-words.ts";
import type { OrderContents } from "../data/orders/order-contents.ts";
import { splitCode } from "../data/api/words.ts";
import { LevelShape } from "./badge.tsx";
import { Icon, type IconName } from "./button.tsx";
import { t } from "../data/base/texts.ts";

interface ReasonChipsProps {
  readonly chips: readonly Chip[];
  /** The others are counted. Default: all. */
  readonly most?: number;
}

/** Why an order is judged as it is, most important first. */
export function ReasonChips({ chips, most = chips.length }: ReasonChipsProps) {
  const rest = chips.length - most;
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={t("components.reasons")}>
      {chips.slice(0, most).map((chip) => (
        <li
          key={`${chip.kind} ${nameChip(chip)}`}
          class="badge"
          data-level={chip.severity}
          title={chip.kind === "factor" ? splitCode(chip.description).text : undefined}
        >
          <LevelShape level={chip.severity} />
          <span class="clip">{nameChip(chip)}</span>
          <span class="unseen">{t("components.chip-risk", { level: chip.severity })}</span>
        </li>
      ))}
      {rest > 0 && <li class="soft">+{rest}</li>}
    </ul>
  );
}

const SIGN_ICONS: Readonly<Record<Sign["meaning"], IconName>> = {
  good: "check",
  neutral: "info",
  warn: "warning",
  bad: "cross",
};

/** What an order's facts say for or against it. */
export function SignChips({ contents }: { readonly contents: OrderContents }) {
  if (contents.signs.length === 0) return null;
  return (
    <ul class="chips" aria-label={t("components.facts")}>
      {contents.signs.map((sign) => (
        <li key={sign.kind} class="badge sign" data-tone={sign.meaning}>
          <Icon name={SIGN_ICONS[sign.meaning]} />
          <span class="clip">{nameSign(sign, contents)}</span>
          <span class="unseen">{t("components.sign", { meaning: sign.meaning })}</span>
        </li>
      ))}
    </ul>
  );
}
