import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Choice, Select, TextField } from "../../components/form.tsx";
import { Notice, Skeleton } from "../../components/panel.tsx";
import { announce, showToast } from "../../components/toasts.tsx";
import type { Role } from "../../data/api-types.ts";
import { asApiError, call, explain, type FieldProblem } from "../../data/api.ts";
import { findProblem } from "../../data/policy-draft.ts";
import { type People, ROLE_OPTIONS } from "../../data/settings.ts";
import { useAction } from "../../data/use-action.ts";
import { useLoad } from "../../data/use-load.ts";

interface AddPersonProps {
  /** Who may use the console already. */
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
  return (
    <Dialog
      title={`Token for ${name}`}
      onClose={onClose}
      foot={<Button label="Done" look="primary" onClick={onClose} />}
    >
      <Notice tone="warn">Copy this token now. You won't see it again. Share it securely.</Notice>
      <div class="row token">
        <code class="tile">{token}</code>
        <CopyButton text={token} />
      </div>
    </Dialog>
  );
}

/** Puts a text on the clipboard. */
function CopyButton({ text }: { readonly text: string }) {
  const [done, setDone] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      announce("Copied");
    } catch {
      showToast("Your browser blocked copying. Select the text and copy it.", "bad");
    }
  }
  return (
    <Button label={done ? "Copied" : "Copy"} icon={done ? "check" : "note"} onClick={() => void copy()} />
  );
}
