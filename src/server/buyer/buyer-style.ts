/** The style of the buyer's page: ours alone, in light and dark, from 320 pixels. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1a1c1e; --soft: #4a4f55; --ground: #f4f5f6; --card: #ffffff; --line: #8a9099; --main: #0b5c4a; --on-main: #ffffff; --bad: #a3160f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0f2f4; --soft: #c0c6cc; --ground: #121416; --card: #1c1f22; --line: #868e97; --main: #6fd3b8; --on-main: #06251d; --bad: #ffb4ab; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem; }
h2 { font-size: 1.125rem; margin: 0 0 0.5rem; }
p { margin: 0 0 0.75rem; }
ul { margin: 0; padding-inline-start: 1.25rem; }
section, form { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 1rem; margin: 0 0 1rem; }
.shop, .small { color: var(--soft); }
.shop { margin-bottom: 0.25rem; }
.problem { color: var(--bad); font-weight: 600; }
.answers { display: grid; gap: 0.75rem; margin: 0; }
label { display: block; font-weight: 600; margin: 0 0 0.25rem; }
input, textarea { font: inherit; width: 100%; padding: 0.625rem; border: 1px solid var(--line); border-radius: 0.375rem; background: var(--card); color: var(--ink); margin: 0 0 0.75rem; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.625rem 1rem; border: 1px solid var(--main); border-radius: 0.375rem; background: var(--main); color: var(--on-main); cursor: pointer; }
button.plain { background: transparent; color: var(--ink); border-color: var(--line); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
`;
