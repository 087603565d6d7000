import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/form.tsx";
import { asApiError, call, type FieldProblem } from "../../data/api/api.ts";
import { findProblem } from "../../data/api/field-problems.ts";
import { showToast } from "../../data/api/messages.ts";
import { useAction } from "../../data/api/use-action.ts";
import { t } from "../../data/base/texts.ts";
import type { Person } from "../../data/settings/settings.ts";
import { findSession } from "../../data/shell/sign-in.ts";

interface NamePersonProps {
  readonly person: Person;
  readonly name: string;
  readonly onDone: () => void;
}

/** A platform doesn't always name its people, and names change. */
export function NamePerson({ person: { actor, name: known }, name, onDone }: NamePersonProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState(known ?? "");
  const { busy, problem, run } = useAction();
  const problems = problem === undefined ? [] : toNameProblems(problem);

  async function save(): Promise<void> {
    await call("PUT /people/:actor", { params: { actor }, body: { name: typed.trim() } });
    setOpen(false);
    showToast(t("settings.name-saved"));
    onDone();
    await findSession();
  }

  return (
    <>
      <Button label={t("settings.rename")} about={name} small onClick={() => setOpen(true)} />
      {isOpen && (
        <ConfirmDialog
          title={t("settings.name-of", { name })}
          confirm={t("settings.save-name")}
          busy={busy}
          onConfirm={() => run(save)}
          onClose={() => setOpen(false)}
          fields={
            <TextField
              label={t("settings.name")}
              value={typed}
              error={findProblem(problems, "name")}
              onChange={setTyped}
            />
          }
        />
      )}
    </>
  );
}

/** The errors by field. Any other error is shown at the name. */
export function toNameProblems(failure: unknown): readonly FieldProblem[] {
  const { errors, message } = asApiError(failure);
  return errors.length > 0 ? errors : [{ path: "name", message: message.replace(/\.$/, "") }];
}
