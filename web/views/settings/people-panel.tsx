import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { ConfirmButton } from "../../components/dialog.tsx";
import { Select } from "../../components/form.tsx";
import { Loading, Panel } from "../../components/panel.tsx";
import { Ago } from "../../components/time.tsx";
import { showFailure, showToast } from "../../components/toasts.tsx";
import type { Role } from "../../data/api-types.ts";
import { call } from "../../data/api.ts";
import { isMe } from "../../data/session.ts";
import { KIND_WORDS, type Person, ROLE_NAMES } from "../../data/settings.ts";
import { useLoad } from "../../data/use-load.ts";
import { nameActor } from "../../data/words.ts";
import { AddPerson } from "./add-person.tsx";

/** Who may use the console and what they may do. */
export function PeoplePanel() {
  const load = useLoad("GET /people");
  const { data, reload, replace } = load;
  const [isAdding, setAdding] = useState(false);
  if (data === null) return <Loading load={load} lines={8} />;

  async function setDefaultRole(defaultRole: Role): Promise<void> {
    replace((await call("PUT /people", { body: { defaultRole } })).data);
    showToast("Saved.");
  }

  const gone = data.people.filter(({ revokedAt }) => revokedAt !== null);
  return (
    <>
      <Panel
        title="People"
        aside={<Button label="Add user" small look="primary" icon="plus" onClick={() => setAdding(true)} />}
      >
        <PersonTable people={data.people.filter(({ revokedAt }) => revokedAt === null)} onChange={reload} />
      </Panel>
      <Panel title="New users">
        <div class="narrow">
          <Select<Role>
            label="Role for users who sign in from the platform for the first time"
            value={data.defaultRole}
            options={ROLE_NAMES}
            onChange={(role) => void setDefaultRole(role).catch(showFailure)}
          />
        </div>
      </Panel>
      {gone.length > 0 && (
        <Panel title="Removed users" aside={<span class="count">{gone.length}</span>}>
          <PersonTable people={gone} onChange={reload} />
        </Panel>
      )}
      {isAdding && (
        <AddPerson
          people={data}
          onClose={() => {
            setAdding(false);
            reload();
          }}
        />
      )}
    </>
  );
}

type PersonTableProps = { readonly people: readonly Person[]; readonly onChange: () => void };

function PersonTable({ people, onChange }: PersonTableProps) {
  return (
    <ul class="people">
      {people.map((person) => (
        <PersonRow key={person.actor} person={person} onChange={onChange} />
      ))}
    </ul>
  );
}

/** A person who may use the console, with the possible actions. */
function PersonRow({ person, onChange }: { readonly person: Person; readonly onChange: () => void }) {
  const { actor, role, kind, revokedAt } = person;
  const name = person.name ?? nameActor(actor);
  const isSelf = isMe(actor);
  const isFixed = isSelf || kind === "operator" || (kind === "token" && revokedAt !== null);
  const params = { actor };

  async function act(change: Promise<unknown>, done: string): Promise<void> {
    try {
      await change;
      showToast(done);
    } catch (error) {
      showFailure(error);
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
        <span class="person-role soft">{ROLE_NAMES.find(([one]) => one === role)?.[1]}</span>
      ) : (
        <Select label={`Role for ${name}`} hideLabel value={role} options={ROLE_NAMES} onChange={setRole} />
      )}
      {revokedAt === null && (
        <ShutOut
          name={name}
          person={person}
          isSelf={isSelf}
          onConfirm={() => void act(call("DELETE /people/:actor", { params }), `Access removed for ${name}.`)}
        />
      )}
    </li>
  );
}

type PersonPartProps = { readonly person: Person; readonly name: string; readonly isSelf: boolean };

function PersonName({ person: { kind, seenAt, revokedAt }, name, isSelf }: PersonPartProps) {
  const when = revokedAt ?? seenAt;
  return (
    <div class="person-who anywhere">
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

type ShutOutProps = PersonPartProps & { readonly onConfirm: () => void };

function ShutOut({ person: { kind }, name, isSelf, onConfirm }: ShutOutProps) {
  const reason =
    kind === "operator"
      ? "This token is set in the installation's configuration."
      : isSelf
        ? "You can't remove your own access."
        : undefined;
  return (
    <ConfirmButton
      label="Remove access"
      small
      disabledReason={reason}
      title={`Remove access for ${name}?`}
      onConfirm={onConfirm}
    >
      {kind === "token"
        ? "The token stops working and all sessions end right away. You can't restore it, but you can create a new one."
        : "All sessions end right away. To restore access, assign a role again."}
    </ConfirmButton>
  );
}
