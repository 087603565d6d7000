import { useState } from "preact/hooks";
import { ActionButton } from "../components/action-button.tsx";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Facts } from "../components/panel.tsx";
import type { Session } from "../data/api/api-types.ts";
import { nameActor } from "../data/api/words.ts";
import { t } from "../data/base/texts.ts";
import { nameRole, ROLE_NAMES } from "../data/settings/settings.ts";
import { signOut } from "../data/shell/sign-in.ts";
import { LanguageChoice } from "./language-choice.tsx";
import { ShortcutsCheck } from "./shortcut-help.tsx";
import { addShop } from "./shop-switcher.tsx";
import { TimeZoneChoice } from "./time-zone-choice.tsx";

type PersonMenuProps = { readonly session: Session; readonly canSignOut: boolean };

/** Who is signed in and how, with what they chose for this browser. */
export function PersonMenu({ session, canSignOut }: PersonMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const name = session.name ?? nameActor(session.actor);
  return (
    <>
      <button type="button" class="bare person line" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span class="unseen">{t("shell.signed-in-as")} </span>
        <span class="person-words stack gap-0">
          <span class="person-name strong clip">{name}</span>
          <span class="person-shop fine clip">{session.shop ?? new Map(ROLE_NAMES).get(session.role)}</span>
        </span>
        <span class="avatar" aria-hidden="true">
          {String.fromCodePoint(name.codePointAt(0) ?? 0x2022).toUpperCase()}
        </span>
      </button>
      {isOpen && (
        <Dialog
          title={name}
          keepsInput
          onClose={() => setOpen(false)}
          foot={
            canSignOut && (
              <>
                <Button
                  label={t("shell.add-another-shop")}
                  icon="plus"
                  onClick={() => (setOpen(false), addShop())}
                />
                <ActionButton label={t("shell.sign-out")} onAct={signOut} />
              </>
            )
          }
        >
          <Facts
            facts={[
              [t("shell.role"), nameRole(session.role)],
              [t("shell.shop"), session.shop ?? session.tenant],
              [
                t("shell.orders-are-checked-by"),
                JUDGES[session.about.verification] ?? session.about.verification,
              ],
              [t("shell.version"), session.about.version],
            ]}
          />
          <LanguageChoice />
          <TimeZoneChoice shopZone={session.timeZone} />
          <ShortcutsCheck />
        </Dialog>
      )}
    </>
  );
}

const JUDGES: Readonly<Record<string, string>> = {
  service: t("shell.the-verification-service"),
  local: t("shell.the-local-engine-only-never-cancels"),
};
