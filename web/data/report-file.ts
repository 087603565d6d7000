import { call } from "./api.ts";

/** Have the browser save a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the content by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Fetch the report as CSV and have it saved. Works with a session of either kind, unlike a link. */
export async function saveReport(days: number): Promise<void> {
  const { data } = await call<string>("/report.csv", { query: { days } });
  saveFile(`holdfast-report-${days}-days.csv`, "text/csv;charset=utf-8", data);
}
