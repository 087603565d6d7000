/** Have the browser save a text or a response as a file. */
export function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // By then, the download no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Have the browser save a CSV file. A response's text lacks the mark by which a spreadsheet recognizes UTF-8. */
export function saveCsv(name: string, text: string): void {
  saveFile(name, "text/csv;charset=utf-8", `\uFEFF${text}`);
}
