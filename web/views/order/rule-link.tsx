import { Button } from "../../components/button.tsx";
import { isAllowed } from "../../data/api/session.ts";
import { t } from "../../data/base/texts.ts";
import { navigate } from "../../data/shell/route.ts";

/** Starts a rule from what stands out about the order. */
export function RuleLink({ orderId }: { readonly orderId: string }) {
  if (!isAllowed("owner")) return null;
  return (
    <Button
      label={t("policy.make-a-rule")}
      small
      icon="policy"
      onClick={() => navigate({ view: "policy", query: { like: orderId } })}
    />
  );
}
