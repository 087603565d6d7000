import { Button } from "../../components/button.tsx";
import { Select } from "../../components/form.tsx";
import { Empty, Loading, Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import type { DataOf } from "../../data/api/api-types.ts";
import { setQuery, toPath, useRoute } from "../../data/shell/route.ts";
import { ACCESS_WORDS, toSubjectWords } from "../../data/settings/settings.ts";
import { useLoad, usePages } from "../../data/api/use-load.ts";
import { nameActor } from "../../data/api/words.ts";
import { t } from "../../data/base/texts.ts";

type AccessEntry = DataOf<"GET /access-log">["entries"][number];

const LIMIT = 50;
export function AccessLogPanel() {
  const { what = "", actor = "" } = useRoute().query;
  const { first, pages, hasMore, showMore } = usePages("GET /access-log", { what, actor, limit: LIMIT });
  const people = useLoad("GET /people");
  const names = new Map(people.data?.people.map((one) => [one.actor, one.name ?? nameActor(one.actor)]));
  // Names that come later would change the height of lines.
  const isLoading = [first, people].some(({ data, error }) => data === null && error === null);
  const entries = isLoading ? [] : pages.flatMap((page) => page.entries);
  return (
    <Panel title={t("settings.access-log")} isStack>
      <div class="log-filters stack gap-3">
        <Select
          label={t("settings.what")}
          value={what}
          options={[["", t("settings.all-actions")], ...Object.entries(ACCESS_WORDS)]}
          onChange={(next) => setQuery({ what: next })}
        />
        <Select
          label={t("settings.who")}
          value={actor}
          options={[["", t("settings.everyone")], ...names]}
          onChange={(next) => setQuery({ actor: next })}
        />
      </div>
      {(isLoading || first.error !== null) && <Loading load={first} lines={8} />}
      {first.data !== null && !isLoading && <AccessTable entries={entries} names={names} />}
      {!isLoading && hasMore && (
        <div class="row">
          <Button label={t("settings.show-more")} onClick={() => void showMore()} />
        </div>
      )}
    </Panel>
  );
}

interface AccessTableProps {
  readonly entries: readonly AccessEntry[];
  readonly names: ReadonlyMap<string, string>;
}

function AccessTable({ entries, names }: AccessTableProps) {
  if (entries.length === 0) return <Empty title={t("settings.no-matching-entries")} />;
  return (
    <Table
      caption={t("settings.access-log-newest-first")}
      region={t("settings.access-log-entries")}
      columns={[t("settings.when"), t("settings.who"), t("settings.what"), t("settings.about")]}
      isPlain
      rows={entries.map(({ at, actor, what, subject, orderName }, index) => [
        `${at} ${index}`,
        <span class="no-wrap">
          <Time at={at} />
        </span>,
        names.get(actor) ?? nameActor(actor),
        ACCESS_WORDS[what] ?? what,
        subject !== null && orderName !== null ? (
          <a href={toPath({ view: "orders", id: subject })}>{orderName}</a>
        ) : (
          toSubjectWords(what, subject)
        ),
      ])}
    />
  );
}
