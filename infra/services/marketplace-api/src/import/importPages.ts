import { createHash, timingSafeEqual } from 'node:crypto';
import escapeHtml from 'escape-html';
import { type Request, type RequestHandler, Router } from 'express';
import { ApiError } from '../http/middleware.ts';
import type { FeedRun, FeedRuns, FeedStatus } from '../store/importLog.ts';
import { durationText, type ImportDetails, importDetails, MAX_LISTED } from './reporting.ts';

/** What an operator may have done to the stock of a source: expire what was held, or undo the last import. */
type StockChange = 'approve' | 'undo';

export interface ImportPageDeps {
  readonly runs: Pick<FeedRuns, 'latest' | 'list'>;
  /** Names of the feeds that can be imported again from here. */
  readonly feeds: () => readonly string[];
  /** Starts a change in a process of its own; it is recorded as a run. */
  readonly change: (change: StockChange, source: string) => void;
  /** What browsers ask operators for; without it, everyone who reaches the service is one. */
  readonly password?: string | undefined;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** HTTP Basic (RFC 7617) with any user name. */
function requirePassword(password: string): RequestHandler {
  const expected = digest(password);
  return (request, response, next) => {
    const [, encoded = ''] = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const [, given = ''] = /^[^:]*:([\s\S]*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
    if (timingSafeEqual(digest(given), expected)) return next();
    response.set('WWW-Authenticate', 'Basic realm="Imports", charset="UTF-8"');
    return next(new ApiError(401, 'SIGN_IN_REQUIRED', 'These pages are for operators'));
  };
}

/** Other sites can make a browser send a form with its password. */
const requireOwnPage: RequestHandler<{ id: string }> = (request, _, next) =>
  next(
    request.headers['sec-fetch-site'] === 'same-origin'
      ? undefined
      : new ApiError(403, 'FOREIGN_PAGE', 'Only the page itself may send this'),
  );

/** No scripts, inline styles, forms to this service. */
const CSP =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
const PATH = '/operators/imports';

/** Pages for operators: what became of imports, with buttons that approve and undo. */
export function importPages({ runs, feeds, change, password }: ImportPageDeps): Router {
  const router = Router();
  if (password !== undefined) router.use(PATH, requirePassword(password));
  const find = (id: string): FeedRun => {
    const run = runs.list().find((one) => String(one.id) === id);
    if (!run) throw new ApiError(404, 'NOT_FOUND', 'Unknown import');
    return run;
  };
  const page = (html: string): [Record<string, string>, string] => [
    { 'Cache-Control': 'no-store', 'Content-Security-Policy': CSP },
    html,
  ];

  router.get(PATH, (_, response) => {
    const [headers, html] = page(overview(runs.latest()));
    response.set(headers).type('html').send(html);
  });
  router.get(`${PATH}/:id`, (request, response) => {
    const run = find(request.params.id);
    const all = runs.list(run.source);
    const isNewest = all[0]?.id === run.id;
    const [headers, html] = page(
      reportPage(run, {
        others: all.filter(({ id }) => id !== run.id),
        canApprove: isNewest && run.status === 'held' && feeds().includes(run.source),
        canUndo: isNewest && (run.status === 'imported' || run.status === 'held'),
      }),
    );
    response.set(headers).type('html').send(html);
  });
  for (const name of ['approve', 'undo'] as const)
    router.post(`${PATH}/:id/${name}`, requireOwnPage, (request: Request<{ id: string }>, response) => {
      change(name, find(request.params.id).source);
      response.redirect(303, PATH);
    });
  return router;
}

const count = (value: number): string => value.toLocaleString('en-US');
const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const STATUS_TEXT: Readonly<Record<FeedStatus, string>> = {
  imported: 'Imported',
  unchanged: 'Unchanged',
  held: 'Held',
  failed: 'Failed',
  undone: 'Undone',
  removed: 'Removed',
};
const statusOf = ({ status }: FeedRun): string =>
  `<strong class="${status ?? 'running'}">${status ? STATUS_TEXT[status] : 'Running or interrupted'}</strong>`;

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#d4d9de,#3a434c);--bad:light-dark(#a3180f,#ff9d93);--good:light-dark(#136b33,#7fd99f)}
body{font:1rem/1.5 system-ui,sans-serif;max-inline-size:56rem;margin:0 auto;padding:1rem;color:light-dark(#14181d,#e8ecf0);background:light-dark(#fff,#14181d)}
a{color:light-dark(#0b5bd3,#8ab8ff)}
table{inline-size:100%;border-collapse:collapse}caption{text-align:start;padding-block:.5rem}
th,td{padding:.4rem .75rem .4rem 0;text-align:start;vertical-align:top;border-block-end:1px solid var(--line)}td+td,h1,p{overflow-wrap:anywhere}
.sources{padding:0;list-style:none}.sources li{padding-block:.75rem;border-block-end:1px solid var(--line);overflow-wrap:anywhere}.sources p{margin:0}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:1rem}dd{margin:0;font-size:1.25rem;font-weight:600}
.imported,.unchanged{color:var(--good)}.failed,.held,.running{color:var(--bad)}
form{display:inline-block;margin:0 .75rem .75rem 0}button{font:inherit;padding:.5rem 1rem}code{overflow-wrap:anywhere}`;

const document = (title: string, main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} | Forecourt imports</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${main}</main></body></html>
`;

const linkTo = ({ id, source }: FeedRun, text = source): string =>
  `<a href="${PATH}/${id}">${escapeHtml(text)}</a>`;

/** The first sentence of a report. */
const firstLine = ({ report }: FeedRun): string => escapeHtml(report?.split('\n', 1)[0] ?? '');

function overview(latest: readonly FeedRun[]): string {
  if (latest.length === 0) return document('Imports', '<p>Nothing was imported yet.</p>');
  const rows = latest.map(
    (run) =>
      `<li>${linkTo(run)} ${statusOf(run)}, started ${timeText(run.startedAt)}<p>${firstLine(run)}</p></li>`,
  );
  return document(
    'Imports',
    `<p>The last import of each source</p><ul class="sources">${rows.join('\n')}</ul>`,
  );
}

function factsOf({ counts, seconds }: ImportDetails): string {
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['Rows read', count(counts.read)],
    ['Accepted', count(counts.accepted)],
    ['Refused', count(counts.rejected)],
    ['Inserted', count(counts.inserted)],
    ['Updated', count(counts.updated)],
    ['Unchanged', count(counts.unchanged)],
    ['Expired', count(counts.expired)],
    ['Held', count(counts.held)],
    ['Photos named', count(counts.photos)],
    ['Took', durationText(Math.round(seconds))],
    ['Rows per second', count(Math.round(counts.read / Math.max(seconds, 0.001)))],
  ];
  return `<dl>${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('\n')}</dl>`;
}

function refusedRows({ counts, rejects }: ImportDetails): string {
  if (counts.rejected === 0) return '';
  const rows = rejects.map(
    ({ line, reason }) => `<tr><td>${count(line)}</td><td>${escapeHtml(reason)}</td></tr>`,
  );
  const rest = counts.rejected > MAX_LISTED ? `, of which these are the first ${MAX_LISTED}` : '';
  return `<table><caption>${count(counts.rejected)} refused rows${rest}; the file of rejected rows has them whole</caption>
<thead><tr><th scope="col">Line</th><th scope="col">Reason</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

const button = (run: FeedRun, change: StockChange, text: string): string =>
  `<form method="post" action="${PATH}/${run.id}/${change}"><button type="submit">${text}</button></form>`;

interface ReportParts {
  readonly others: readonly FeedRun[];
  readonly canApprove: boolean;
  readonly canUndo: boolean;
}

function reportPage(run: FeedRun, { others, canApprove, canUndo }: ReportParts): string {
  const details = run.details === null ? undefined : importDetails.parse(JSON.parse(run.details));
  const sentences = (run.report ?? '').split('\n').filter(Boolean);
  const earlier = others.map((one) => `<li>${linkTo(one, timeText(one.startedAt))} ${statusOf(one)}</li>`);
  return document(
    `Import of ${run.source}`,
    [
      `<p>${statusOf(run)}, started ${timeText(run.startedAt)}</p>`,
      details ? factsOf(details) : '',
      ...sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
      canApprove ? button(run, 'approve', 'Import again and expire what is missing') : '',
      canUndo ? button(run, 'undo', 'Undo this import') : '',
      details ? refusedRows(details) : '',
      earlier.length > 0 ? `<h2>Other imports of this source</h2><ul>${earlier.join('\n')}</ul>` : '',
      `<p><a href="${PATH}">All sources</a></p>`,
    ].join('\n'),
  );
}
