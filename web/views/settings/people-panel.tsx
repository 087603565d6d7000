import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/field.tsx";
import { Loading, Panel } from "../../components/panel.tsx";
import { showFailure, showToast } from "../../components/toasts.tsx";
import { call } from "../../data/api.ts";
import type { Role } from "../../data/api-types.ts";
import { ROLE_NAMES, type Person } from "../../data/settings.ts";
import { useLoad } from "../../data/use-load.ts";
import { AddPerson } from "./add-person.tsx";
import { PersonRow } from "./person-row.tsx";

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
        aside={
          <Button small look="primary" icon="plus" onClick={() => setAdding(true)}>
            Add user
          </Button>
        }
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

interface PersonTableProps {
  readonly people: readonly Person[];
  readonly onChange: () => void;
}

function PersonTable({ people, onChange }: PersonTableProps) {
  return (
    <ul class="people">
      {people.map((person) => (
        <PersonRow key={person.actor} person={person} onChange={onChange} />
      ))}
    </ul>
  );
}
