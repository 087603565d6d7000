import { useState } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Facts } from "../components/panel.tsx";
import { showFailure } from "../components/toasts.tsx";
import type { Session } from "../data/api-types.ts";
import { signOut } from "../data/sign-in.ts";
import { nameRole } from "../data/settings.ts";
import { nameActor } from "../data/words.ts";
import { ShortcutsCheck } from "./shortcut-help.tsx";

type PersonMenuProps = { readonly session: Session; readonly canSignOut: boolean };

/** Who is signed in, what they may do, and signing out. */
export function PersonMenu({ session, canSignOut }: PersonMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const name = session.name ?? nameActor(session.actor);
  return (
    <>
      <button type="button" class="person line" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span class="unseen">Signed in as </span>
        <span class="person-words">
          <span class="person-name strong clip">{name}</span>
          <span class="person-shop fine clip">{session.shop ?? session.role}</span>
        </span>
        <span class="avatar" aria-hidden="true">
          {String.fromCodePoint(name.codePointAt(0) ?? 0x2022).toUpperCase()}
        </span>
      </button>
      {isOpen && (
        <Dialog
          title={name}
          onClose={() => setOpen(false)}
          foot={canSignOut && <Button label="Sign out" onClick={() => void signOut().catch(showFailure)} />}
        >
          <Facts
            facts={[
              ["Role", nameRole(session.role)],
              ["Shop", session.shop ?? session.tenant],
              ["Orders are checked by", JUDGES[session.about.verification] ?? session.about.verification],
              ["Version", session.about.version],
            ]}
          />
          <ShortcutsCheck />
        </Dialog>
      )}
    </>
  );
}

const JUDGES: Readonly<Record<string, string>> = {
  service: "The verification service",
  local: "The local engine only (never cancels)",
};
