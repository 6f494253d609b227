import { createRoot } from 'react-dom/client';
import type { PersonalParts } from '../../browser/browserSite.ts';
import type { StartedPage } from '../../browser/startEngine.ts';
import type { BootData } from '../../universal/bootData.ts';
import { type TesterBoot, DEVTOOLS_COOKIE, withoutDevtools } from '../universal/testerBoot.ts';
import { Panel } from './Panel.tsx';
import { createRecorder } from './recorder.ts';
import { observeSlotUse } from '../../browser/slotUse.ts';

/** Styles of the panel's shadow root; colors are the page's design tokens. */
const panelStyles = `
:host { all: initial; color-scheme: light dark; }
* { box-sizing: border-box; }
.panel, .pill, .outlines { font: 400 13px/1.45 var(--fc-font); color: var(--fc-color-text); }
.panel {
  position: fixed; inset-block-end: 0; inset-inline: 0; z-index: 2147483000;
  display: grid; grid-template-rows: auto minmax(0, 1fr); block-size: min(42vh, 380px);
  border-block-start: 2px solid var(--fc-color-accent); background: var(--fc-color-surface);
  box-shadow: var(--fc-shadow-high);
}
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 12px;
  padding-inline: 8px; border-block-end: 1px solid var(--fc-color-border); background: var(--fc-color-surface-sunken); }
[role=tablist] { display: flex; min-inline-size: 0; overflow-x: auto; scrollbar-width: none; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; }
button, input, select { min-block-size: 44px; font: inherit; color: inherit; }
button { padding-inline: 12px; border: 1px solid transparent; border-radius: 8px; background: none; cursor: pointer; }
button:hover { color: var(--fc-color-accent); }
.body button:not(.link) { border-color: var(--fc-color-border-strong); font-weight: 600; }
button[aria-pressed=true] { background: var(--fc-color-accent-soft); color: var(--fc-color-accent-strong); }
[role=tab] { border-radius: 0; border-block-end: 3px solid transparent; white-space: nowrap; }
[role=tab][aria-selected=true] { border-block-end-color: var(--fc-color-accent); font-weight: 700; }
:focus-visible { outline: 3px solid var(--fc-color-focus); outline-offset: -3px; }
.link { padding: 0; color: var(--fc-color-accent); font-weight: 600; text-align: start; text-decoration: underline; }
.pill { position: fixed; inset-block-end: 12px; inset-inline-end: 12px; z-index: 2147483000;
  border: 1px solid var(--fc-color-border-strong); border-radius: 999px; background: var(--fc-color-surface); box-shadow: var(--fc-shadow-high); }
.body { overflow: auto; overscroll-behavior: contain; padding: 8px 12px 16px; }
table { border-collapse: collapse; inline-size: 100%; min-inline-size: 620px; }
th, td { padding: 0 12px 0 0; border-block-end: 1px solid var(--fc-color-border); text-align: start; vertical-align: middle; overflow-wrap: anywhere; }
th { white-space: nowrap; }
tbody tr { block-size: 44px; }
thead th, .quiet { color: var(--fc-color-text-quiet); font-weight: 400; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.bad { color: var(--fc-color-error); }
input, select { padding-inline: 10px; border: 1px solid var(--fc-color-border-strong); border-radius: 8px; background: var(--fc-color-surface); max-inline-size: 100%; }
.fields { display: flex; flex-wrap: wrap; align-items: end; gap: 8px 12px; margin-block: 8px; }
.fields label { display: grid; gap: 2px; }
ol, ul { margin: 0; padding: 0; list-style: none; }
.events li, .tree > * { border-block-end: 1px solid var(--fc-color-border); }
summary { min-block-size: 32px; padding-block: 6px; cursor: pointer; overflow-wrap: anywhere; }
.tree details > :not(summary) { margin-inline-start: 16px; }
.leaf { padding-block: 4px; overflow-wrap: anywhere; }
pre { margin: 0 0 8px; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.4 ui-monospace, monospace; }
.outlines { position: fixed; inset: 0; z-index: 2147482000; overflow: hidden; pointer-events: none; }
.outline { position: absolute; border: 2px solid #0a7d55; border-radius: 4px; }
.outline.optional { border-style: dashed; border-color: #7a4bd0; }
.outline.bad { border-color: #c4202b; }
.outline span { position: absolute; inset-block-start: 0; inset-inline-start: 0; max-inline-size: 100%; overflow: hidden;
  padding: 0 6px; background: #0a7d55; color: #fff; font-size: 11px; white-space: nowrap; text-overflow: ellipsis; }
.outline.optional span { background: #7a4bd0; }
.outline.bad span { background: #c4202b; }
@media (max-width: 640px) {
  .panel { block-size: 55vh; }
  thead { display: none; }
  table, tbody, tr, td, tbody th { display: block; }
  table { min-inline-size: 0; }
  tbody tr { block-size: auto; padding-block: 4px 10px; border-block-end: 1px solid var(--fc-color-border); }
  td, tbody th { padding: 0; border: 0; }
  td[data-label]::before { content: attr(data-label) ': '; color: var(--fc-color-text-quiet); }
}
`;

/** While the cookie is set, further pages in this browser open the devtools too. */
const rememberOpen = (isOpen: boolean) => {
  document.cookie = `${DEVTOOLS_COOKIE}=${isOpen ? '1' : ''}; path=/; SameSite=Lax${isOpen ? '' : '; Max-Age=0'}`;
};

/**
 * Docks the devtools over the page, in a shadow root that isolates their styles.
 * The returned function closes them.
 */
export function openDevtools({
  store,
  bus,
  counts,
  boot,
  tester,
  personal,
}: StartedPage & { boot: BootData; tester: TesterBoot; personal: PersonalParts }): () => void {
  const element = document.createElement('div');
  element.id = 'fc-devtools';
  const shadow = element.attachShadow({ mode: 'open' });
  // The page's Content Security Policy allows style elements only by hash.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelStyles);
  shadow.adoptedStyleSheets = [sheet];
  const recorder = createRecorder(bus, () => performance.now());
  const uses = observeSlotUse(boot, counts);
  const root = createRoot(shadow);
  const { pathname, search, hash } = window.location;
  const url = pathname + search;
  if (withoutDevtools(url) !== url)
    window.history.replaceState(window.history.state, '', withoutDevtools(url) + hash);
  rememberOpen(true);

  function close(): void {
    rememberOpen(false);
    recorder.stop();
    uses.stop();
    root.unmount();
    element.remove();
  }
  document.body.append(element);
  root.render(
    <Panel
      personal={personal}
      store={store}
      recorder={recorder}
      uses={uses}
      tester={tester}
      onClose={close}
    />,
  );
  return close;
}
