import escapeHtml from 'escape-html';

/** May stand in a page without scripts and with no style but its own. */
export const PAGE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * What the link of a mail opens. Ending a subscription takes a click, since
 * mail scanners open every link; the form works without scripts.
 */
export function unsubscribePage(state: 'ask' | 'ended' | 'unknown', what: string, siteUrl: string): string {
  const titles = {
    ask: 'End these mails?',
    ended: 'You get no more of these mails',
    unknown: 'This link is not known',
  };
  const body = {
    ask: `<p>${escapeHtml(what)}</p><form method="post"><button type="submit">End these mails</button></form>`,
    ended: `<p>${escapeHtml(what)}</p>`,
    unknown: '<p>The subscription may have been ended long ago.</p>',
  };
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${titles[state]}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-inline-size:36rem;margin:3rem auto;padding-inline:1rem}
button{font:inherit;min-block-size:44px;padding-inline:1.25rem}</style></head>
<body><main><h1>${titles[state]}</h1>${body[state]}<p><a href="${escapeHtml(siteUrl)}/cars-for-sale/all-cars">Look at vehicles</a></p></main></body></html>`;
}
