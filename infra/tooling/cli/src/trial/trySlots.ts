import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Refusal } from '@forecourt/releases/gate';
import type { GatePage } from '@forecourt/releases/gatePages';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { evaluateRelease, type ServerRender } from '../build/evaluateRelease.ts';
import { localProvides, providingFolder } from '../provides.ts';
import { packTrialPage } from './packTrialPage.ts';
import type { RecordedPages } from './recordedPages.ts';
import { openTrialBrowser, type TrialReport } from './tryInChrome.ts';

/** What was found in a browser, or why nothing was. */
export type BrowserReport =
  | (Omit<TrialReport, 'refusals'> & { readonly chrome: string; readonly skipped?: never })
  | { readonly skipped: string };

/** A release is tried where these are installed. */
interface TrialPlace {
  /** Folder of the release's files. */
  readonly dist: string;
  readonly manifest: ReleaseManifest;
  readonly chrome: string | undefined;
  readonly recorded: RecordedPages;
}

export interface SlotsReport {
  readonly refusals: readonly Refusal[];
  readonly browser: BrowserReport;
}

export const NO_CHROME = 'there is no Chrome: set CHROME_BIN';
/** Characters of HTML that a report has of a slot. */
const MAX_SHOWN = 200_000;

const serverRefusal = (pages: readonly GatePage[], { slot, page, error = '' }: ServerRender): Refusal => ({
  rule: 'SLOT_RENDER',
  expected: `slot ${slot} renders the recorded page '${pages[page]?.name}' (${pages[page]?.url})`,
  found: error,
  remedy: 'add that page as a scenario of the remote, and repair the slot',
});

/** Of pages of extremes, people want to know only whether they render. */
function shownRenders(renders: TrialReport['renders'], pages: readonly GatePage[]): TrialReport['renders'] {
  const shown = new Set(pages.filter(({ isShown }) => isShown).map(({ name }) => name));
  return renders.map((render) => ({
    ...render,
    html: shown.has(render.context) && render.html.length <= MAX_SHOWN ? render.html : '',
  }));
}

async function evaluate({ dist, manifest, recorded: { pages } }: TrialPlace) {
  const { shared } = await localProvides(process.cwd());
  const directory = providingFolder(process.cwd());
  const folder = pages && mkdtempSync(join(tmpdir(), 'forecourt-pages-'));
  const pagesFile = folder && join(folder, 'pages.json');
  try {
    if (pagesFile) writeFileSync(pagesFile, JSON.stringify(pages));
    return await evaluateRelease({ dist, manifest, directory, shared, ...(pagesFile && { pagesFile }) });
  } finally {
    if (folder) rmSync(folder, { recursive: true });
  }
}

/** The renders of a browser: over what the server rendered, or from nothing where browsers render. */
const browserRenders = (pages: readonly GatePage[], renders: readonly ServerRender[]) =>
  renders.map(({ slot, page, html = '', data }) => {
    const isOfBrowser = pages[page]?.slots[slot] === 'browser';
    return { slot, page, ...(!isOfBrowser && { server: { html, data } }) };
  });

/**
 * Runs both sides of a release in a process that can do nothing else, renders its slots over recorded pages, and hydrates those
 * in Chrome.
 */
export async function trySlots(place: TrialPlace): Promise<SlotsReport> {
  const { dist, manifest, chrome, recorded } = place;
  const { pages = [] } = recorded;
  // React's development code needs a React of its kind, which that of shells is not.
  const reason = chrome === undefined ? NO_CHROME : manifest.development && 'it is a development build';
  if (chrome === undefined || reason) {
    const { refusals, renders } = await evaluate(place);
    return {
      refusals: [...refusals, ...failuresOf(pages, renders)],
      browser: { skipped: reason || NO_CHROME },
    };
  }
  const { shared } = await localProvides(process.cwd());
  const script = packTrialPage(providingFolder(process.cwd()), shared);
  // Whoever awaits it is told, too.
  script.catch(() => undefined);
  const opening = openTrialBrowser(chrome, { script });
  opening.catch(() => undefined);
  try {
    const { refusals, renders } = await evaluate(place);
    const found = [...refusals, ...failuresOf(pages, renders)];
    if (found.length > 0) return { refusals: found, browser: { skipped: 'it already fails without one' } };
    const browser = await opening;
    const report = await browser.try({ dist, manifest, pages, renders: browserRenders(pages, renders) });
    if (!recorded.pages) return { refusals: report.refusals, browser: { skipped: recorded.reason } };
    const { evaluationMs } = report;
    return {
      refusals: report.refusals,
      browser: { chrome, evaluationMs, renders: shownRenders(report.renders, pages) },
    };
  } finally {
    await opening.then(
      ({ close }) => close(),
      () => undefined,
    );
  }
}

const failuresOf = (pages: readonly GatePage[], renders: readonly ServerRender[]): Refusal[] =>
  renders.filter(({ error }) => error !== undefined).map((render) => serverRefusal(pages, render));
