/** The console page's style sheet: system fonts, light and dark, usable from 320 pixels up. CSS. */
export const CONSOLE_CSS = `:root {
  color-scheme: light dark;
  --page: #f6f7f5;
  --panel: #ffffff;
  --line: #d9ddd7;
  --text: #1b211d;
  --soft: #566059;
  --accent: #0b6e4f;
  --on-accent: #ffffff;
  --low: #1d6b35;
  --low-back: #e2f3e6;
  --medium: #7a5200;
  --medium-back: #fff0cf;
  --high: #9a3b00;
  --high-back: #ffe5d6;
  --critical: #a1122a;
  --critical-back: #ffe0e4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #121614;
    --panel: #1b211e;
    --line: #333b36;
    --text: #e8ece9;
    --soft: #a5afa8;
    --accent: #4fc99a;
    --on-accent: #06241a;
    --low: #8fdca6;
    --low-back: #16311f;
    --medium: #f3cd7a;
    --medium-back: #3a2d0c;
    --high: #ffb38a;
    --high-back: #41210f;
    --critical: #ff9fab;
    --critical-back: #451820;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
header { display: flex; align-items: center; gap: 0.75rem; margin: 0.5rem 0 1rem; }
header img { width: 2.25rem; height: 2.25rem; }
header p { margin: 0; color: var(--soft); }
h1 { margin: 0; font-size: 1.4rem; line-height: 1.2; }
h2 { margin: 0 0 0.75rem; font-size: 1.1rem; }
h3 { margin: 1.25rem 0 0.25rem; font-size: 1rem; }
section {
  margin: 0 0 1rem;
  padding: 1rem;
  border: 1px solid var(--line);
  border-radius: 0.6rem;
  background: var(--panel);
}
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.75rem; margin: 0; }
dt { color: var(--soft); font-size: 0.85rem; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 0.25rem 0 0.75rem; }
.soft { color: var(--soft); }
.notice { padding: 0.5rem 0.75rem; border-left: 4px solid var(--medium); background: var(--medium-back); }
.notice.bad { border-left-color: var(--critical); background: var(--critical-back); }
form { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; margin-bottom: 0.75rem; }
label { display: grid; gap: 0.2rem; color: var(--soft); font-size: 0.85rem; }
label.wide { flex: 1 1 14rem; }
input, select, button { min-height: 2.5rem; border-radius: 0.4rem; font: inherit; }
input, select {
  width: 100%;
  padding: 0 0.6rem;
  border: 1px solid var(--soft);
  background: var(--page);
  color: var(--text);
}
button { padding: 0 1rem; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; }
button.plain { background: transparent; color: var(--accent); }
button.link {
  min-height: 0;
  padding: 0;
  border: 0;
  background: none;
  color: var(--accent);
  font-weight: 600;
  text-align: left;
  text-decoration: underline;
  overflow-wrap: anywhere;
}
button:disabled { opacity: 0.6; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: 0.5rem 0.6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-size: 0.85rem; font-weight: 500; }
.badge { display: inline-block; padding: 0 0.5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: 0.85rem; }
.badge[data-level="low"] { color: var(--low); background: var(--low-back); }
.badge[data-level="medium"] { color: var(--medium); background: var(--medium-back); }
.badge[data-level="high"] { color: var(--high); background: var(--high-back); }
.badge[data-level="critical"] { color: var(--critical); background: var(--critical-back); }
ul, ol { margin: 0.25rem 0; padding-left: 1.25rem; }
li { margin: 0.25rem 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  td { display: flex; justify-content: space-between; gap: 1rem; padding: 0.15rem 0; border: 0; text-align: right; }
  td::before { content: attr(data-label); color: var(--soft); font-size: 0.85rem; }
}
`;
