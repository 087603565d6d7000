import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { ConfirmButton, Dialog } from "../../components/dialog.tsx";
import { Select, Choice, TextField } from "../../components/form.tsx";
import { Loading, Panel, Notice, Skeleton } from "../../components/panel.tsx";
import { Ago } from "../../components/time.tsx";
import { showFailure, showToast, announce } from "../../data/api/messages.ts";
import type { Role } from "../../data/api/api-types.ts";
import { call, asApiError, explain, type FieldProblem } from "../../data/api/api.ts";
import { isMe } from "../../data/api/session.ts";
import {
  type Person,
  type People,
  KIND_WORDS,
  ROLE_NAMES,
  ROLE_OPTIONS,
} from "../../data/settings/settings.ts";
import { useLoad } from "../../data/api/use-load.ts";
import { nameActor } from "../../data/api/words.ts";
import { findProblem } from "../../data/api/field-problems.ts";
import { useAction } from "../../data/api/use-action.ts";

export function PeoplePanel() {
  const load = useLoad("GET /people");
  const { data, reload } = load;
  const [isAdding, setAdding] = useState(false);
  if (data === null) return <Loading load={load} lines={8} />;

  const gone = data.people.filter(({ revokedAt }) => revokedAt !== null);
  return (
    <>
      <Panel
        title="People"
        aside={<Button label="Add user" small look="primary" icon="plus" onClick={() => setAdding(true)} />}
      >
        <PersonTable people={data.people.filter(({ revokedAt }) => revokedAt === null)} onChange={reload} />
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

function PersonRow({ person, onChange }: { readonly person: Person; readonly onChange: () => void }) {
  const { actor, role, kind, revokedAt } = person;
  const name = person.name ?? nameActor(actor);
  const isSelf = isMe(actor);
  const isFixed = isSelf || kind === "operator" || (kind === "token" && revokedAt !== null);
  const params = { actor };

  const act = (change: Promise<unknown>, success: string) =>
    void change.then(() => showToast(success), showFailure).finally(onChange);

  function setRole(next: Role): void {
    const done = `${name} is now ${next === "owner" ? "an" : "a"} ${next}.`;
    act(call("PUT /people/:actor", { params, body: { role: next } }), done);
  }

  return (
    <li class="stack">
      <PersonName person={person} name={name} isSelf={isSelf} />
      {isFixed ? (
        <span class="person-role soft">{ROLE_NAMES.find(([one]) => one === role)?.[1]}</span>
      ) : (
        <Select label={`Role for ${name}`} hideLabel value={role} options={ROLE_NAMES} onChange={setRole} />
      )}
      {revokedAt === null && (
        <RemoveAccess
          name={name}
          person={person}
          isSelf={isSelf}
          onConfirm={() => act(call("DELETE /people/:actor", { params }), `Access removed for ${name}.`)}
        />
      )}
    </li>
  );
}

type PersonPartProps = { readonly person: Person; readonly name: string; readonly isSelf: boolean };

function PersonName({ person: { kind, seenAt, revokedAt }, name, isSelf }: PersonPartProps) {
  const when = revokedAt ?? seenAt;
  return (
    <div class="person-who grow anywhere">
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

type RemoveAccessProps = PersonPartProps & { readonly onConfirm: () => void };

function RemoveAccess({ person: { kind }, name, isSelf, onConfirm }: RemoveAccessProps) {
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

interface AddPersonProps {
  readonly people: People;
  readonly onClose: () => void;
}

/** Gives somebody a token to sign in with. */
export function AddPerson({ people, onClose }: AddPersonProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("reviewer");
  const { busy, problem, run } = useAction();
  const problems = problem === undefined ? [] : toProblems(problem);
  const [token, setToken] = useState<string | null>(null);

  async function add(): Promise<void> {
    const { data } = await call("POST /people", { body: { name, role } });
    setToken(data.token);
  }

  if (token !== null) return <TokenDialog name={name} token={token} onClose={onClose} />;
  return (
    <Dialog
      title="Add user"
      onClose={onClose}
      foot={
        <>
          <Button label="Cancel" onClick={onClose} />
          <Button
            label="Create token"
            look="primary"
            busy={busy}
            disabledReason={name.trim() === "" ? "Enter a name first." : undefined}
            onClick={() => run(add)}
          />
        </>
      }
    >
      {people.hasWorkspace && <MemberChoice people={people} onChoose={setName} />}
      <TextField label="Name" value={name} error={findProblem(problems, "name")} onChange={setName} />
      <Choice label="Role" value={role} options={ROLE_OPTIONS} onChange={setRole} />
    </Dialog>
  );
}

/** The errors by field. Any other error is shown at the name. */
function toProblems(failure: unknown): readonly FieldProblem[] {
  const { errors, message } = asApiError(failure);
  return errors.length > 0 ? errors : [{ path: "name", message: message.replace(/\.$/, "") }];
}

type MemberChoiceProps = { readonly people: People; readonly onChoose: (name: string) => void };

/** Fills in the name of somebody in the operator's workspace who isn't here yet. */
function MemberChoice({ people: { people }, onChoose }: MemberChoiceProps) {
  const { data, error } = useLoad("GET /workspace-members");
  const [chosen, setChosen] = useState("");
  if (data === null) {
    return error === null ? <Skeleton lines={2} /> : <Notice>{explain(error)}</Notice>;
  }
  const known = new Set(people.flatMap((person) => (person.revokedAt === null ? [person.name] : [])));
  // Names aren't unique.
  const members = data.members
    .filter(({ name }) => !known.has(name))
    .map(({ name, email }) => ({ id: email ?? name, name }));
  if (members.length === 0) return null;
  return (
    <Select
      label="From your workspace"
      value={chosen}
      options={[
        ["", "Choose a member"],
        ...members.map(({ id, name }) => [id, id === name ? name : `${name} (${id})`] as const),
      ]}
      onChange={(id) => {
        setChosen(id);
        const member = members.find((one) => one.id === id);
        if (member !== undefined) onChoose(member.name);
      }}
    />
  );
}

type TokenDialogProps = { readonly name: string; readonly token: string; readonly onClose: () => void };

function TokenDialog({ name, token, onClose }: TokenDialogProps) {
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(token);
      setCopied(true);
      announce("Copied");
    } catch {
      showToast("Your browser blocked copying. Select the text and copy it.", "bad");
    }
  }
  return (
    <Dialog
      title={`Token for ${name}`}
      onClose={onClose}
      foot={<Button label="Done" look="primary" onClick={onClose} />}
    >
      <Notice tone="warn">Copy this token now. You won't see it again. Share it securely.</Notice>
      <div class="row token">
        <code class="tile">{token}</code>
        <Button
          label={isCopied ? "Copied" : "Copy"}
          icon={isCopied ? "check" : "note"}
          onClick={() => void copy()}
        />
      </div>
    </Dialog>
  );
}
