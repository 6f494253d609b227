import escapeHtml from 'escape-html';
import { type Request, Router } from 'express';
import { ApiError, requireOwnPage, requirePassword } from '../../http/middleware.ts';
import type { FeedRun, FeedRuns, FeedStatus } from '../store/importLog.ts';
import { MAX_SAMPLES, type Preview, type PreviewSample } from './preview.ts';
import { durationText, type ImportDetails, importDetails, MAX_LISTED, reportCsv } from './reporting.ts';
import { NOTE_KINDS } from './rowNotes.ts';

/**
 * What an operator may have done to the stock of a source: expire what was held, undo the last import, import its feed now,
 * see what that would do, or save the mapping that a preview has proposed.
 */
export type StockChange = 'approve' | 'undo' | 'import' | 'preview' | 'mapping';

export interface ImportPageDeps {
  readonly runs: Pick<FeedRuns, 'latest' | 'list'>;
  /** Names of the feeds that can be imported again from here. */
  readonly feeds: () => readonly string[];
  /** The last preview of a feed. */
  readonly preview: (source: string) => Promise<Preview | undefined>;
  /** Starts a change in a process of its own; it is recorded as a run, or as the preview. */
  readonly change: (change: StockChange, source: string) => void;
  /** What browsers ask operators for; without it, everyone who reaches the service is one. */
  readonly password?: string | undefined;
}

/** No scripts, inline styles, forms to this service. */
const CSP =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
/** A preview shows photos of the hosts that its feed's mapping allows. */
const policyOf = (photoHosts: readonly string[]): string =>
  photoHosts.length > 0 ? `${CSP}; img-src ${photoHosts.join(' ')}` : CSP;
const PATH = '/operators/imports';
const FEEDS = `${PATH}/feeds`;

/** Pages for operators: what became of imports, with buttons that approve and undo. */
export function importPages({ runs, feeds, preview, change, password }: ImportPageDeps): Router {
  const router = Router();
  if (password !== undefined) router.use(PATH, requirePassword(password, 'Imports'));
  const find = async (id: string): Promise<FeedRun> => {
    const run = (await runs.list()).find((one) => String(one.id) === id);
    if (!run) throw new ApiError(404, 'NOT_FOUND', 'Unknown import');
    return run;
  };
  const page = (html: string, photoHosts: readonly string[] = []): [Record<string, string>, string] => [
    {
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policyOf(photoHosts),
      'Referrer-Policy': 'no-referrer',
    },
    html,
  ];

  router.get(PATH, async (_, response) => {
    const [headers, html] = page(overview(await runs.latest(), feedsOf(feeds)));
    response.set(headers).type('html').send(html);
  });
  router.get(`${PATH}/:id`, async (request, response) => {
    const [, id = '', format] = /^(\d+)(?:\.(csv|json))?$/.exec(request.params.id) ?? [];
    const run = await find(id);
    if (format !== undefined) {
      if (run.details === null) throw new ApiError(404, 'NOT_FOUND', 'This import has no report');
      const details = importDetails.parse(JSON.parse(run.details));
      response.set({ 'Cache-Control': 'no-store' }).type(format);
      response.send(format === 'csv' ? reportCsv(details) : JSON.stringify(details, null, 2));
      return;
    }
    const all = await runs.list(run.source);
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
    router.post(`${PATH}/:id/${name}`, requireOwnPage, async (request: Request<{ id: string }>, response) => {
      change(name, (await find(request.params.id)).source);
      response.redirect(303, PATH);
    });
  addPreviews(router, { feeds, preview, change }, page);
  return router;
}

type Page = (html: string, photoHosts?: readonly string[]) => [Record<string, string>, string];

/** Pages about the feeds themselves: what the next import would do, and a button that imports. */
function addPreviews(
  router: Router,
  { feeds, preview, change }: Pick<ImportPageDeps, 'feeds' | 'preview' | 'change'>,
  page: Page,
): void {
  const find = (name: string): string => {
    if (!feeds().includes(name)) throw new ApiError(404, 'NOT_FOUND', 'Unknown feed');
    return name;
  };
  router.get(`${FEEDS}/:name`, async (request, response) => {
    const name = find(request.params.name);
    const last = await preview(name);
    const hosts = last?.result?.kind === 'read' ? last.result.photoHosts : [];
    const [headers, html] = page(previewPage(name, last), hosts);
    response.set(headers).type('html').send(html);
  });
  for (const action of ['preview', 'import', 'mapping'] as const)
    router.post(
      `${FEEDS}/:name/${action}`,
      requireOwnPage,
      (request: Request<{ name: string }>, response) => {
        const name = find(request.params.name);
        change(action, name);
        response.redirect(303, action === 'import' ? PATH : `${FEEDS}/${name}`);
      },
    );
}

/** The feeds, or why their file can't be read. */
function feedsOf(feeds: ImportPageDeps['feeds']): readonly string[] | string {
  try {
    return feeds();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
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
img{inline-size:8rem;block-size:auto}ul.facts{padding:0;margin:0;list-style:none}
pre{overflow-x:auto;padding:.75rem;border:1px solid var(--line)}
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

function feedLinks(feeds: readonly string[] | string): string {
  if (typeof feeds === 'string') return `<h2>Feeds</h2><p>${escapeHtml(feeds)}</p>`;
  if (feeds.length === 0) return '';
  const links = feeds.map((name) => `<li><a href="${FEEDS}/${name}">Preview ${escapeHtml(name)}</a></li>`);
  return `<h2>Feeds</h2><ul>${links.join('\n')}</ul>`;
}

function overview(latest: readonly FeedRun[], feeds: readonly string[] | string): string {
  if (latest.length === 0) return document('Imports', `<p>Nothing was imported yet.</p>${feedLinks(feeds)}`);
  const rows = latest.map(
    (run) =>
      `<li>${linkTo(run)} ${statusOf(run)}, started ${timeText(run.startedAt)}<p>${firstLine(run)}</p></li>`,
  );
  return document(
    'Imports',
    `<p>The last import of each source</p><ul class="sources">${rows.join('\n')}</ul>${feedLinks(feeds)}`,
  );
}

function factsOf({ counts, seconds }: ImportDetails): string {
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['Rows read', count(counts.read)],
    ['Accepted', count(counts.accepted)],
    ['Inserted', count(counts.inserted)],
    ['Updated', count(counts.updated)],
    ['Unchanged', count(counts.unchanged)],
    ['Merged', count(counts.merged)],
    ['Refused', count(counts.rejected)],
    ['Left out', count(counts.filtered)],
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

/** Values that were left out, converted or concluded, with the first rows and what to do. */
function findingTable({ findings, leftOut }: ImportDetails): string {
  const reasons = leftOut.map(({ reason, count: rows }) => `<li>${escapeHtml(reason)}: ${count(rows)}</li>`);
  const left = reasons.length > 0 ? `<h2>Rows left out</h2><ul>${reasons.join('\n')}</ul>` : '';
  if (findings.length === 0) return left;
  const rows = findings.map(({ field, kind, count: number, rows: first }) => {
    const { text, remedy } = NOTE_KINDS[kind];
    const examples = first.map(
      (one) => `line ${count(one.line)}${one.text ? `: ${escapeHtml(one.text)}` : ''}`,
    );
    return `<tr><th scope="row">${field} ${text}</th><td>${count(number)}</td><td>${examples.join('<br>')}</td><td>${remedy}</td></tr>`;
  });
  return `${left}<table><caption>Values that were left out, converted or concluded</caption>
<thead><tr><th scope="col">Value</th><th scope="col">Rows</th><th scope="col">First rows</th><th scope="col">Remedy</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
}

const button = (of: string, change: StockChange, text: string): string =>
  `<form method="post" action="${of}/${change}"><button type="submit">${text}</button></form>`;

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
      canApprove ? button(`${PATH}/${run.id}`, 'approve', 'Import again and expire what is missing') : '',
      canUndo ? button(`${PATH}/${run.id}`, 'undo', 'Undo this import') : '',
      details ? findingTable(details) : '',
      details ? refusedRows(details) : '',
      details
        ? `<p>The whole report: <a href="${PATH}/${run.id}.csv">CSV</a>, <a href="${PATH}/${run.id}.json">JSON</a></p>`
        : '',
      earlier.length > 0 ? `<h2>Other imports of this source</h2><ul>${earlier.join('\n')}</ul>` : '',
      `<p><a href="${PATH}">All sources</a></p>`,
    ].join('\n'),
  );
}

const picture = ({ photo, name }: PreviewSample): string =>
  photo === undefined
    ? ''
    : `<img src="${escapeHtml(photo)}" alt="First photo of ${escapeHtml(name)}" loading="lazy">`;

function sampleRow(sample: PreviewSample): string {
  const before = new Map(sample.changes.map(({ label, before: text }) => [label, text]));
  const facts = sample.facts.map(({ label, text }) => {
    const earlier = before.get(label);
    const change = earlier === undefined ? '' : `<del>${escapeHtml(earlier)}</del> `;
    const now = earlier === undefined ? escapeHtml(text) : `<ins>${escapeHtml(text)}</ins>`;
    return `<li>${label}: ${change}${now}</li>`;
  });
  const others = sample.changes
    .filter(({ label }) => !sample.facts.some((fact) => fact.label === label))
    .map(({ label, before: text }) => `<li>${label} before: ${escapeHtml(text)}</li>`);
  return `<tr><th scope="row">${escapeHtml(sample.name)}<br><code>${escapeHtml(sample.vin)}</code></th>
<td><ul class="facts">${[...facts, ...others].join('')}</ul></td><td>${picture(sample)}</td></tr>`;
}

function sampleTable(title: string, all: number, samples: readonly PreviewSample[]): string {
  if (samples.length === 0) return '';
  const shown = all > samples.length ? `, of which these are the first ${samples.length}` : '';
  return `<table><caption>${count(all)} ${title}${shown}</caption>
<thead><tr><th scope="col">Vehicle</th><th scope="col">Facts</th><th scope="col">Photo</th></tr></thead>
<tbody>${samples.map(sampleRow).join('\n')}</tbody></table>`;
}

/** The columns of the feed, with what they look like: the first contact with a feed needs no shell. */
function columnTable(columns: NonNullable<Preview['result']>['columns']): string {
  if (columns.length === 0) return '';
  const rows = columns.map(({ name, sample, fields }) => {
    const found = fields.map(({ field, sure }) => `${field} (${Math.round(sure * 100)} %)`).join(', ');
    return `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(sample)}</td><td>${found || 'none'}</td></tr>`;
  });
  return `<table><caption>Columns of the feed, and the fields that they look like</caption>
<thead><tr><th scope="col">Column</th><th scope="col">First value</th><th scope="col">Fields</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
}

/** A feed without a mapping: what its columns seem to be, and a button that saves that. */
function proposalParts(name: string, proposal: Extract<Preview['result'], { kind: 'proposed' }>): string[] {
  const { mapping, path, isComplete, notes, problem, columns } = proposal;
  return [
    `<p>This feed has no mapping yet: <code>${escapeHtml(path)}</code> does not exist.</p>`,
    problem === undefined ? '' : `<p class="failed">${escapeHtml(problem)}</p>`,
    isComplete
      ? button(`${FEEDS}/${name}`, 'mapping', 'Save this mapping')
      : '<p class="failed">Not all that a listing needs was found. Complete the mapping by hand, and save it there.</p>',
    `<h2>Proposed mapping</h2><ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('\n')}</ul>`,
    `<pre>${escapeHtml(mapping)}</pre>`,
    columnTable(columns),
  ];
}

function previewParts(name: string, { result }: Preview): string[] {
  if (!result) return ['<p>It is running, or was interrupted. Reload this page for its result.</p>'];
  if (result.kind === 'failed')
    return [
      ...result.reason.split('\n').map((sentence) => `<p class="failed">${escapeHtml(sentence)}</p>`),
      columnTable(result.columns),
    ];
  if (result.kind === 'proposed') return proposalParts(name, result);
  const { report, details, samples } = result;
  const sentences = report.split('\n').filter(Boolean);
  const counts = details?.counts;
  return [
    details ? factsOf(details) : '',
    ...sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
    sampleTable('new listings', counts?.inserted ?? 0, samples.inserted),
    sampleTable('changed listings, with what they were before', counts?.updated ?? 0, samples.updated),
    sampleTable(
      'listings that the feed no longer contains',
      (counts?.expired ?? 0) + (counts?.held ?? 0),
      samples.missing,
    ),
    details ? findingTable(details) : '',
    details ? refusedRows(details) : '',
    columnTable(result.columns),
  ];
}

function previewPage(name: string, last: Preview | undefined): string {
  const isRead = last?.result?.kind === 'read';
  return document(
    `Preview of ${name}`,
    [
      last
        ? `<p>What an import would have done at ${timeText(last.startedAt)}; nothing was written.</p>`
        : `<p>A preview reads the feed and writes nothing. It shows up to ${MAX_SAMPLES} listings of each kind.</p>`,
      button(`${FEEDS}/${name}`, 'preview', last ? 'Preview again' : 'Preview'),
      isRead ? button(`${FEEDS}/${name}`, 'import', 'Import now') : '',
      ...(last ? previewParts(name, last) : []),
      `<p><a href="${PATH}">All sources</a></p>`,
    ].join('\n'),
  );
}
