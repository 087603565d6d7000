import { Button } from "../../components/button.tsx";
import { Empty, Loading, Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { showFailure } from "../../components/toasts.tsx";
import { call } from "../../data/api.ts";
import { saveFile } from "../../data/report.ts";
import { useAction } from "../../data/use-action.ts";
import { useLoad } from "../../data/use-load.ts";

/** Answers to customers who asked what is kept of them. */
export function DataRequestPanel() {
  const load = useLoad("GET /data-requests");
  const { data } = load;
  if (data === null) return <Loading load={load} lines={6} />;

  return (
    <Panel title="Customer data requests" aside={<span class="count">{data.requests.length}</span>}>
      <p class="hint lead">
        Data of customers who requested it, ready to send to them. Every download is logged.
      </p>
      {data.requests.length === 0 && <Empty title="No open data requests" icon="check" />}
      <ul class="people">
        {data.requests.map(({ requestId, preparedAt }) => (
          <li key={requestId}>
            <div class="person-who">
              <strong>{requestId}</strong>
              <span class="hint">
                prepared <Time at={preparedAt} />
              </span>
            </div>
            <Download requestId={requestId} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Download({ requestId }: { readonly requestId: string }) {
  const { busy, run } = useAction(showFailure);

  async function download(): Promise<void> {
    const answer = await call("GET /data-requests/:requestId", { params: { requestId } });
    saveFile(`data-request-${requestId}.json`, "application/json", JSON.stringify(answer.data, null, 2));
  }

  return (
    <Button small icon="download" busy={busy} onClick={() => run(download)}>
      Download
    </Button>
  );
}
