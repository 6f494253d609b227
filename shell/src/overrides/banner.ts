import { OVERRIDES_PATH } from '@forecourt/shared-contracts/slots/override';
import { escapeHtml } from '../page/html.ts';

export interface ShownOverride {
  readonly remote: string;
  /** What the tester asked for: a version, an origin, or both. */
  readonly wanted: string;
  /** ms since 1970. */
  readonly until: number;
  /** Why it is not used. */
  readonly failure?: string | undefined;
  /** The browser fetches it; the server's part is that of the live release. */
  readonly isInBrowser: boolean;
}

/** The place where the browser says that it could not use a local build. */
export const overrideStateId = (remote: string): string => `fc-override-${remote}`;

/** '16:40 UTC': testers and servers need not share a time zone. */
const clock = (ms: number) => `${new Date(ms).toISOString().slice(11, 16)} UTC`;

export const untilTime = (ms: number): string =>
  `<time datetime="${new Date(ms).toISOString()}">${clock(ms)}</time>`;

export const bannerCss = `
.fc-testing{display:flex;flex-wrap:wrap;align-items:center;gap:var(--fc-space-2) var(--fc-space-4);padding:var(--fc-space-2) clamp(var(--fc-space-3),2.5vw,var(--fc-space-8));border-block-end:3px solid var(--fc-color-attention);background:var(--fc-color-attention-soft);color:var(--fc-color-text);font-size:var(--fc-size-small)}
.fc-testing p,.fc-testing ul{margin:0;padding:0}
.fc-testing ul{display:grid;flex:1 1 18rem;gap:var(--fc-space-2);list-style:none}
.fc-testing li{display:flex;flex-wrap:wrap;align-items:center;gap:var(--fc-space-2) var(--fc-space-4)}
.fc-testing li>span{flex:1 1 14rem;min-inline-size:0;overflow-wrap:anywhere}
.fc-testing li[data-state=failed]>span{color:var(--fc-color-error)}
.fc-testing button{position:relative;min-block-size:var(--fc-target);padding-inline:var(--fc-space-4);border:1px solid var(--fc-color-border-strong);border-radius:var(--fc-radius-pill);background:var(--fc-color-surface);color:var(--fc-color-text);font:inherit;font-weight:600;cursor:pointer}
.fc-testing button:focus-visible{outline:3px solid var(--fc-color-focus);outline-offset:2px}
`;

const hidden = (name: string, value: string) =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

export const endForm = (remote: string, returnTo: string): string =>
  `<form method="post" action="${OVERRIDES_PATH}/end">${hidden('remote', remote)}${hidden('returnTo', returnTo)}` +
  `<button>End<span class="fc-unseen"> the override of ${escapeHtml(remote)}</span></button></form>`;

function line({ remote, wanted, until, failure, isInBrowser }: ShownOverride, returnTo: string): string {
  const name = `<strong>${escapeHtml(remote)}</strong>`;
  const what =
    failure === undefined
      ? `${name} shows ${escapeHtml(wanted)} until ${untilTime(until)}` +
        (isInBrowser ? ', in the browser only; without scripts it shows the live release' : '')
      : `${name} shows the live release: ${escapeHtml(wanted)} cannot be used. ${escapeHtml(failure)}`;
  return (
    `<li data-override="${escapeHtml(remote)}" data-state="${failure === undefined ? 'used' : 'failed'}">` +
    `<span id="${overrideStateId(remote)}">${what}</span>${endForm(remote, returnTo)}</li>`
  );
}

/** Says at the top of a tester's page that it is not everybody's, and ends it: a form, so without scripts too. */
export const overrideBanner = (overrides: readonly ShownOverride[], returnTo: string): string =>
  overrides.length === 0
    ? ''
    : '<aside class="fc-testing" aria-label="Release overrides"><p><strong>Test view</strong>, for you alone</p>' +
      `<ul>${overrides.map((override) => line(override, returnTo)).join('')}</ul></aside>`;
