import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { ConfirmButton, Dialog } from "../../components/dialog.tsx";
import { Select, Choice, TextField } from "../../components/form.tsx";
import { Loading, Panel, Notice, Skeleton } from "../../components/panel.tsx";
import { Ago } from "../../components/time.tsx";
import { showFailure, showToast, announce } from "../../data/api/messages.ts";
import type { Role } from "../../data/api/api-types.ts";
import { call, explain } from "../../data/api/api.ts";
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
import { rich, t } from "../../data/base/texts.ts";
import { NamePerson, toNameProblems } from "./name-person.tsx";

export function PeoplePanel() {
  const load = useLoad("GET /people");
  const { data, reload } = load;
  const [isAdding, setAdding] = useState(false);
  if (data === null) return <Loading load={load} lines={8} />;

  const present = data.people.filter(({ revokedAt }) => revokedAt === null);
  const hasUnnamed = present.some(({ name, kind }) => name === null && kind === "platform");
  const gone = data.people.filter(({ revokedAt }) => revokedAt !== null);
  return (
    <>
      <Panel
        title={t("settings.people")}
        aside={
          <Button
            label={t("settings.add-user")}
            small
            look="primary"
            icon="plus"
            onClick={() => setAdding(true)}
          />
        }
      >
        {hasUnnamed && <Notice>{t("settings.unnamed")}</Notice>}
        <PersonTable people={present} onChange={reload} />
      </Panel>
      {gone.length > 0 && (
        <Panel title={t("settings.removed-users")} aside={<span class="count">{gone.length}</span>}>
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
    act(
      call("PUT /people/:actor", { params, body: { role: next } }),
      t("settings.now-role", { name, role: next }),
    );
  }

  return (
    <li class="stack">
      <PersonName person={person} name={name} isSelf={isSelf} />
      {isFixed ? (
        <span class="person-role soft">{ROLE_NAMES.find(([one]) => one === role)?.[1]}</span>
      ) : (
        <Select
          label={t("settings.role-for", { name })}
          hideLabel
          value={role}
          options={ROLE_NAMES}
          onChange={setRole}
        />
      )}
      {kind !== "operator" && <NamePerson person={person} name={name} onDone={onChange} />}
      {revokedAt === null && (
        <RemoveAccess
          name={name}
          person={person}
          isSelf={isSelf}
          onConfirm={() =>
            act(call("DELETE /people/:actor", { params }), t("settings.access-removed", { name }))
          }
        />
      )}
    </li>
  );
}

type PersonPartProps = { readonly person: Person; readonly name: string; readonly isSelf: boolean };

function PersonName({ person: { kind, seenAt, revokedAt }, name, isSelf }: PersonPartProps) {
  return (
    <div class="person-who grow anywhere">
      <strong>{name}</strong>
      {isSelf && <span class="chip good">{t("settings.you")}</span>}
      <span class="hint">
        {KIND_WORDS[kind]} ·{" "}
        {revokedAt !== null
          ? rich("settings.removed", { ago: <Ago at={revokedAt} /> })
          : seenAt !== null
            ? rich("settings.seen", { ago: <Ago at={seenAt} /> })
            : t("settings.hasnt-signed-in-yet")}
      </span>
    </div>
  );
}

type RemoveAccessProps = PersonPartProps & { readonly onConfirm: () => void };

function RemoveAccess({ person: { kind }, name, isSelf, onConfirm }: RemoveAccessProps) {
  const reason =
    kind === "operator"
      ? t("settings.this-token-is-set-in-the")
      : isSelf
        ? t("settings.you-cant-remove-your-own-access")
        : undefined;
  return (
    <ConfirmButton
      label={t("settings.remove-access")}
      small
      disabledReason={reason}
      title={t("settings.ask-remove", { name })}
      onConfirm={onConfirm}
    >
      {kind === "token"
        ? t("settings.the-token-stops-working-and-all")
        : t("settings.all-sessions-end-right-away-to")}
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
  const problems = problem === undefined ? [] : toNameProblems(problem);
  const [token, setToken] = useState<string | null>(null);

  async function add(): Promise<void> {
    const { data } = await call("POST /people", { body: { name, role } });
    setToken(data.token);
  }

  if (token !== null) return <TokenDialog name={name} token={token} onClose={onClose} />;
  return (
    <Dialog
      title={t("settings.add-user")}
      onClose={onClose}
      onSubmit={() => {
        if (!busy && name.trim() !== "") run(add);
      }}
      foot={
        <>
          <Button label={t("settings.cancel")} onClick={onClose} />
          <Button
            label={t("settings.create-token")}
            type="submit"
            look="primary"
            busy={busy}
            disabledReason={name.trim() === "" ? t("settings.enter-a-name-first") : undefined}
          />
        </>
      }
    >
      {people.hasWorkspace && <MemberChoice people={people} onChoose={setName} />}
      <TextField
        label={t("settings.name")}
        value={name}
        error={findProblem(problems, "name")}
        onChange={setName}
      />
      <Choice label={t("settings.role")} value={role} options={ROLE_OPTIONS} onChange={setRole} />
    </Dialog>
  );
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
      label={t("settings.from-your-workspace")}
      value={chosen}
      options={[
        ["", t("settings.choose-a-member")],
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
      announce(t("settings.copied"));
    } catch {
      showToast(t("settings.your-browser-blocked-copying-select-the"), "bad");
    }
  }
  return (
    <Dialog
      title={t("settings.token-for", { name })}
      losing={isCopied ? undefined : t("settings.token-not-copied")}
      onClose={onClose}
      foot={<Button label={t("settings.done")} look="primary" onClick={onClose} />}
    >
      <Notice tone="warn">{t("settings.copy-this-token-now-you-wont")}</Notice>
      <div class="row token">
        <code class="tile">{token}</code>
        <Button
          label={isCopied ? t("settings.copied") : t("settings.copy")}
          icon={isCopied ? "check" : "note"}
          onClick={() => void copy()}
        />
      </div>
    </Dialog>
  );
}
