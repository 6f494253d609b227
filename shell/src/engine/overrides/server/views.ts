import { overrideStateId } from '../universal/testerBoot.ts';
import type { overrideClaimsSchema } from '@forecourt/releases/override';
import { OVERRIDES_PATH, MAX_OVERRIDE_SECONDS } from '@forecourt/releases/overridePaths';
import { escapeHtml } from '../../compose/html.ts';
import type { MessagePage } from '../../http/messagePage.ts';

type Claims = ReturnType<typeof overrideClaimsSchema.parse>;

export interface ShownOverride {
  readonly claims: Claims;
  /** Why it is not used. */
  readonly failure?: string | undefined;
  /** The browser fetches it; the server renders the live release. */
  readonly isInBrowser: boolean;
}

/** '16:40 UTC': testers and servers may be in different time zones. */
function untilTime({ exp }: Pick<Claims, 'exp'>): string {
  const iso = new Date(exp * 1000).toISOString();
  return `<time datetime="${iso}">${iso.slice(11, 16)} UTC</time>`;
}

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

const endForm = (remote: string, returnTo: string): string =>
  `<form method="post" action="${OVERRIDES_PATH}/end">${hidden('remote', remote)}${hidden('returnTo', returnTo)}` +
  `<button>End<span class="fc-unseen"> the override of ${escapeHtml(remote)}</span></button></form>`;

function line({ claims, failure, isInBrowser }: ShownOverride, returnTo: string): string {
  const { remote } = claims;
  const name = `<strong>${escapeHtml(remote)}</strong>`;
  const release = escapeHtml(releaseText(claims));
  const text =
    failure === undefined
      ? `${name} shows ${release} until ${untilTime(claims)}` +
        (isInBrowser ? ', in the browser only; without scripts it shows the live release' : '')
      : `${name} shows the live release: ${release} cannot be used. ${escapeHtml(failure)}`;
  return (
    `<li data-override="${escapeHtml(remote)}" data-state="${failure === undefined ? 'used' : 'failed'}">` +
    `<span id="${overrideStateId(remote)}">${text}</span>${endForm(remote, returnTo)}</li>`
  );
}

/** Banner at the top of a tester's page. Its forms end overrides without JavaScript. */
export const overrideBanner = (
  overrides: readonly ShownOverride[],
  { returnTo, name }: { readonly returnTo: string; readonly name?: string | undefined },
): string =>
  overrides.length === 0
    ? ''
    : '<aside class="fc-testing" aria-label="Release overrides">' +
      `<p><strong>Test view</strong>${name === undefined ? '' : ` of the snapshot <strong>${escapeHtml(name)}</strong>`}, for you alone</p>` +
      `<ul>${overrides.map((override) => line(override, returnTo)).join('')}</ul></aside>`;

/** '1.5.0-rc.1', 'the build at http://localhost:5001', or both. */
const releaseText = ({ version, origin }: Pick<Claims, 'version' | 'origin'>): string =>
  origin === undefined ? (version ?? '') : `${version === undefined ? 'the build' : version} from ${origin}`;

const field = (name: string, label: string, attributes: string, hint = '') =>
  `<label class="fc-override-field"><span>${label}</span><input name="${name}" ${attributes}>` +
  `${hint && `<small>${hint}</small>`}</label>`;

export const overridePageCss = `
.fc-override{max-inline-size:44rem;margin:var(--fc-space-8) auto;display:grid;gap:var(--fc-space-5)}
.fc-override h1{font-size:var(--fc-size-heading)}
.fc-override form{display:grid;gap:var(--fc-space-4);justify-items:start}
.fc-override dl{display:grid;grid-template-columns:auto 1fr;gap:var(--fc-space-2) var(--fc-space-4);margin:0}
.fc-override dt{color:var(--fc-color-text-quiet)}
.fc-override dd{margin:0;overflow-wrap:anywhere}
.fc-override ul{display:grid;gap:var(--fc-space-3);margin:0;padding:0;list-style:none}
.fc-override li{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:var(--fc-space-3)}
.fc-override button{position:relative;margin:0}
.fc-override-field{display:grid;gap:var(--fc-space-1);inline-size:100%;max-inline-size:26rem}
.fc-override-field input{min-block-size:var(--fc-target);padding-inline:var(--fc-space-3);border:1px solid var(--fc-color-border-strong);border-radius:var(--fc-radius);background:var(--fc-color-surface);color:var(--fc-color-text);font:inherit}
.fc-override small{color:var(--fc-color-text-quiet)}
`;

const page = (title: string, body: string): MessagePage => ({
  title,
  body: `<div class="fc-override"><h1>${title}</h1>${body}</div>`,
});

const facts = (entries: readonly (readonly [string, string])[]) =>
  `<dl>${entries.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join('')}</dl>`;

/** Confirmation page: a link alone changes nothing. */
export function confirmPage(
  set: readonly Omit<Claims, 'aud' | 'iat'>[],
  fields: Readonly<Record<string, string>>,
): MessagePage {
  const isOne = set.length === 1;
  const inputs = Object.entries(fields)
    .map(([name, text]) => hidden(name, text))
    .join('');
  return page(
    isOne ? 'Show another release?' : `Show ${set.length} other releases?`,
    `<p>Pages in this browser will show ${isOne ? 'it instead of the live one' : 'them instead of the live ones'}. No one else sees ${isOne ? 'it' : 'them'}, and a banner on the page says so.</p>` +
      set
        .map((claims) =>
          facts([
            ['Remote', escapeHtml(claims.remote)],
            ['Release', escapeHtml(releaseText(claims))],
            ['Until', untilTime(claims)],
            ['Requested by', escapeHtml(claims.sub)],
            ...(claims.snapshot === undefined ? [] : [['Snapshot', escapeHtml(claims.snapshot)] as const]),
          ]),
        )
        .join('') +
      (set.every(({ origin }) => origin === undefined)
        ? ''
        : '<p><strong>Its code comes from that address, not from the registry.</strong> Go on only if you started it yourself.</p>') +
      `<form method="post" action="${OVERRIDES_PATH}">${inputs}<button class="fc-action">Show ${isOne ? 'it' : 'them'} in this browser</button></form>`,
  );
}

/** The current overrides and, in local mode, a form to add one. */
export function overridesPage(
  current: readonly Claims[],
  { origins, isLocal }: { readonly origins: readonly string[]; readonly isLocal: boolean },
): MessagePage {
  const list =
    current.length === 0
      ? '<p>Nothing is overridden in this browser.</p>'
      : `<ul>${current
          .map(
            (claims) =>
              `<li><span><strong>${escapeHtml(claims.remote)}</strong> shows ${escapeHtml(releaseText(claims))} until ${untilTime(claims)}</span>` +
              `${endForm(claims.remote, OVERRIDES_PATH).replace('<button>', '<button class="fc-action-quiet">')}</li>`,
          )
          .join('')}</ul>`;
  const add = isLocal ? addForm(origins) : '<p>Another override needs a signed link of its own.</p>';
  return page('Release overrides', list + add);
}

function addForm(origins: readonly string[]): string {
  const from =
    origins.length === 0
      ? ''
      : field(
          'origin',
          'Local build at (optional)',
          `type="text" inputmode="url" spellcheck="false" list="fc-override-origins"`,
          `Allowed: ${origins.map(escapeHtml).join(', ')}`,
        ) +
        `<datalist id="fc-override-origins">${origins.map((origin) => `<option value="${escapeHtml(origin)}"></option>`).join('')}</datalist>`;
  return (
    `<form method="post" action="${OVERRIDES_PATH}">` +
    field('remote', 'Remote', `required pattern="[a-z][a-z0-9\\-]{0,39}" placeholder="mfe-results"`) +
    field('version', 'Published version', `spellcheck="false" placeholder="1.5.0-rc.1"`) +
    from +
    field(
      'minutes',
      'Minutes',
      `type="number" min="1" max="${MAX_OVERRIDE_SECONDS / 60}" value="60" required`,
    ) +
    '<button class="fc-action">Show it in this browser</button></form>'
  );
}

export const refusedPage = (reason: string, homePath: string): MessagePage => ({
  title: 'Nothing was overridden',
  body:
    '<div class="fc-message" role="alert"><h1>Nothing was overridden</h1>' +
    `<p>${escapeHtml(reason)}</p><p class="fc-message-actions"><a class="fc-action" href="${homePath}">Go to the site</a></p></div>`,
});
