import { ConfirmButton } from "../../components/confirm-button.tsx";
import { Select } from "../../components/field.tsx";
import { Ago } from "../../components/time.tsx";
import { showFailure, showToast } from "../../components/toasts.tsx";
import { call } from "../../data/api.ts";
import type { Role } from "../../data/api-types.ts";
import { sessionState } from "../../data/session.ts";
import { KIND_WORDS, ROLE_NAMES, type Person } from "../../data/settings.ts";
import { nameActor } from "../../data/words.ts";

interface PersonRowProps {
  readonly person: Person;
  readonly onChange: () => void;
}

/** Somebody who may use the console, with what can be done about them. */
export function PersonRow({ person, onChange }: PersonRowProps) {
  const { actor, role, kind, revokedAt } = person;
  const name = person.name ?? nameActor(actor);
  const isSelf = toOwnActor() === actor;
  const isFixed = isSelf || kind === "operator" || (kind === "token" && revokedAt !== null);
  const params = { actor };

  async function act(change: Promise<unknown>, done: string): Promise<void> {
    try {
      await change;
      showToast(done);
    } catch (failed) {
      showFailure(failed);
    }
    onChange();
  }

  function setRole(next: Role): void {
    const done = `${name} is now ${next === "owner" ? "an" : "a"} ${next}.`;
    void act(call("PUT /people/:actor", { params, body: { role: next } }), done);
  }

  return (
    <li>
      <PersonName person={person} name={name} isSelf={isSelf} />
      {isFixed ? (
        <span class="person-role">{ROLE_NAMES.find(([one]) => one === role)?.[1]}</span>
      ) : (
        <Select label={`Role for ${name}`} hideLabel value={role} options={ROLE_NAMES} onChange={setRole} />
      )}
      {revokedAt === null && (
        <ShutOut
          name={name}
          person={person}
          isSelf={isSelf}
          onShutOut={() => void act(call("DELETE /people/:actor", { params }), `Access removed for ${name}.`)}
        />
      )}
    </li>
  );
}

function toOwnActor(): string | null {
  const state = sessionState.get();
  return state.status === "signed-in" ? state.session.actor : null;
}

interface PersonPartProps {
  readonly person: Person;
  readonly name: string;
  readonly isSelf: boolean;
}

function PersonName({ person: { kind, seenAt, revokedAt }, name, isSelf }: PersonPartProps) {
  const when = revokedAt ?? seenAt;
  return (
    <div class="person-who">
      <strong>{name}</strong>
      {isSelf && <span class="chip good">You</span>}
      <span class="hint">
        {KIND_WORDS[kind]} ·{" "}
        {revokedAt === null ? (seenAt === null ? "hasn't signed in yet" : "seen ") : "access removed "}
        {when !== null && <Ago at={when} />}
      </span>
    </div>
  );
}

interface ShutOutProps extends PersonPartProps {
  readonly onShutOut: () => void;
}

function ShutOut({ person: { kind }, name, isSelf, onShutOut }: ShutOutProps) {
  const reason =
    kind === "operator"
      ? "This token is set in the installation’s configuration."
      : isSelf
        ? "You can't remove your own access."
        : undefined;
  return (
    <ConfirmButton
      label="Remove access"
      small
      disabledReason={reason}
      title={`Shut ${name} out?`}
      onConfirm={onShutOut}
    >
      {kind === "token"
        ? "The token stops working and all sessions end right away. You can't restore it, but you can create a new one."
        : "All sessions end right away. To restore access, assign a role again."}
    </ConfirmButton>
  );
}
