import { TextField, Check, Select } from "../../components/form.tsx";
import { Notice, Panel } from "../../components/panel.tsx";
import { SaveForm } from "../../components/platform-save-bar.tsx";
import { Table } from "../../components/table.tsx";
import type { Load } from "../../data/api/use-load.ts";
import { t } from "../../data/base/texts.ts";
import { useValue } from "../../data/base/value.ts";
import {
  EVENTS,
  useNoticeForm,
  type NoticeChannel,
  type NoticeEvent,
  type Notices,
} from "../../data/settings/notices.ts";
import { LANGUAGE_OPTIONS } from "../../data/base/language.ts";
import { askForPermission, pagePermission } from "../../data/shell/page-notices.ts";
import { ChannelProblem, EmailTest, PageChannel, TestButton } from "./notice-channels.tsx";

interface NoticePanelProps {
  readonly load: Pick<Load<Notices>, "replace">;
  readonly notices: Notices;
}

/** What the signed-in person is notified of, and where. */
export function NoticePanel({ load, notices }: NoticePanelProps) {
  const { input, choose, save, field, form } = useNoticeForm(load, notices);
  const permission = useValue(pagePermission);
  const canShow = permission === "granted" || permission === "default" || permission === "denied";
  const channels: readonly NoticeChannel[] = [
    ...(notices.canMail ? (["email"] as const) : []),
    "webhook",
    ...(canShow ? (["page"] as const) : []),
  ];
  const isSaved = !form.isChanged;

  async function onChoose(event: NoticeEvent, channel: NoticeChannel, isOn: boolean): Promise<void> {
    const isAllowed = channel !== "page" || !isOn || (await askForPermission()) === "granted";
    choose(event, channel, isOn && isAllowed);
  }

  return (
    <Panel title={t("notices.notices")} lead={t("notices.lead")}>
      <SaveForm id="notices-bar" saveLabel={t("notices.save")} onSave={save} {...form}>
        <ChoiceTable
          channels={channels}
          chosen={input.events}
          onChoose={(...choice) => void onChoose(...choice)}
        />
        <div class="columns halves stack">
          <div class="stack">
            {notices.canMail ? (
              <TextField label={t("notices.email-address")} value={input.email} {...field("email")} />
            ) : (
              <Notice>{t("notices.no-mail-server")}</Notice>
            )}
            <ChannelProblem found={notices.problems.email} />
            <EmailTest
              saved={notices}
              isSaved={input.email.trim() === notices.email}
              value={input.emailCode}
              {...field("emailCode")}
            />
          </div>
          <div class="stack">
            <WebhookField webhook={notices.webhook} value={input.webhookUrl} {...field("webhookUrl")} />
            <ChannelProblem found={notices.problems.webhook} />
            {notices.webhook !== null && <TestButton channel="webhook" isSaved={isSaved} />}
          </div>
        </div>
        <Select
          label={t("notices.language")}
          value={input.language}
          options={LANGUAGE_OPTIONS}
          {...field("language")}
        />
        <PageChannel permission={permission} />
      </SaveForm>
    </Panel>
  );
}

interface ChoiceTableProps {
  readonly channels: readonly NoticeChannel[];
  readonly chosen: Notices["events"];
  readonly onChoose: (event: NoticeEvent, channel: NoticeChannel, isOn: boolean) => void;
}

function ChoiceTable({ channels, chosen, onChoose }: ChoiceTableProps) {
  return (
    <Table
      caption={t("notices.notices")}
      look="notices"
      isCards
      columns={[t("notices.event"), ...channels.map((channel) => t(`notices.${channel}`))]}
      rows={EVENTS.map((event) => [
        event,
        t(`notices.event-${event}`),
        ...channels.map((channel) => (
          <input
            key={channel}
            type="checkbox"
            aria-label={t("notices.choice", {
              event: t(`notices.event-${event}`),
              channel: t(`notices.${channel}`),
            })}
            checked={chosen[event]?.includes(channel) ?? false}
            onChange={(change) => onChoose(event, channel, change.currentTarget.checked)}
          />
        )),
      ])}
    />
  );
}

interface WebhookFieldProps {
  /** The saved address, as far as it is shown; null if there is none. */
  readonly webhook: string | null;
  readonly value: string | null | undefined;
  readonly error: string | undefined;
  readonly onChange: (url: string | null | undefined) => void;
}

function WebhookField({ webhook, value, error, onChange }: WebhookFieldProps) {
  return (
    <>
      <TextField
        label={t("notices.webhook-url")}
        placeholder="https://"
        value={value ?? ""}
        hint={webhook === null ? t("notices.webhook-hint") : t("notices.webhook-saved", { address: webhook })}
        error={error}
        onChange={(text) => onChange(text.trim() === "" ? undefined : text.trim())}
      />
      {webhook !== null && (
        <Check
          label={t("notices.webhook-remove")}
          value={value === null}
          onChange={(isRemoved) => onChange(isRemoved ? null : undefined)}
        />
      )}
    </>
  );
}
