import { join } from 'node:path';
import { alternating } from '@forecourt/harness/alternating';
import { remoteNames } from '@forecourt/local';
import { medianOf } from '@forecourt/harness/statistics';
import type { Measure } from './report.ts';
import { BUDGETS } from './budgets.ts';
import { measureAppends, measureInteractions, type InteractionResults } from './page/interactions.ts';
import {
  type LoadedScript,
  builtScriptBytes,
  bytesUntil,
  bytesWithDictionary,
  compressedBody,
  depthOf,
  loadedScripts,
} from './page/bytes.ts';
import { measureLayoutShift, measurePaint } from './page/paint.ts';
import { ONE_BUNDLE_WEB, REPOSITORY } from './oneBundle/build.ts';
import type { Variants } from './servers/variants.ts';

/** Medians of only three runs vary more than the two pages differ. */
const PAINT_RUNS = 5;
const CLICK_RUNS = 5;
const KB = 1000;

/** Build directories of the composed page. */
const COMPOSED_BUILDS = ['shell', ...remoteNames()].map((name) => join(REPOSITORY, name, 'dist/web'));

const sumOf = (scripts: readonly LoadedScript[]) => scripts.reduce((sum, { bytes }) => sum + bytes, 0) / KB;

/** Scripts required for the first view: shell, filters and results, without those loaded when idle. */
const ofFirstView = (scripts: readonly LoadedScript[]) =>
  scripts.filter(({ path, isFirst }) => isFirst && /^\/(assets|remotes\/mfe-(filters|results))\//.test(path));

type Urls = Readonly<Record<'composed' | 'oneBundle', string>>;

async function htmlMeasures(urls: Urls): Promise<Measure[]> {
  const [composed, oneBundle] = await Promise.all([
    compressedBody(urls.composed),
    compressedBody(urls.oneBundle),
  ]);
  const next = await bytesWithDictionary(urls.composed);
  return [
    {
      name: 'HTML until the first result is whole (its styles are before it)',
      unit: 'kB br',
      digits: 1,
      value: bytesUntil(composed, '</article>', 'id="listings"') / KB,
      oneBundle: bytesUntil(oneBundle, '</article>', 'id="listings"') / KB,
      budget: BUDGETS.firstResult,
    },
    {
      name: 'HTML, whole',
      unit: 'kB br',
      digits: 1,
      value: composed.length / KB,
      oneBundle: oneBundle.length / KB,
    },
    {
      name: 'HTML of the next page, with the dictionary of pages',
      unit: 'kB dcz',
      digits: 1,
      value: next.page / KB,
    },
    { name: 'Dictionary of pages, fetched once', unit: 'kB br', digits: 1, value: next.dictionary / KB },
  ];
}

async function scriptMeasures(urls: Urls): Promise<Measure[]> {
  // The first request gets a quickly compressed file, later ones the best compression.
  await loadedScripts(urls.composed);
  await loadedScripts(urls.oneBundle);
  const composed = await loadedScripts(urls.composed);
  const oneBundle = await loadedScripts(urls.oneBundle);
  const composedBuilt = COMPOSED_BUILDS.map(builtScriptBytes).reduce((sum, bytes) => sum + bytes, 0) / KB;
  return [
    {
      name: 'JavaScript of the first view: shell, filters, results',
      unit: 'kB br',
      digits: 1,
      value: sumOf(ofFirstView(composed)),
      oneBundle: sumOf(ofFirstView(oneBundle)),
      budget: BUDGETS.firstViewScripts,
    },
    {
      name: 'JavaScript loaded without interaction',
      unit: 'kB br',
      digits: 1,
      value: sumOf(composed),
      oneBundle: sumOf(oneBundle),
      budget: BUDGETS.untouchedScripts,
    },
    {
      name: 'JavaScript that composing adds to the whole page',
      unit: 'kB br',
      digits: 1,
      value: composedBuilt - builtScriptBytes(ONE_BUNDLE_WEB) / KB,
      budget: BUDGETS.federationScripts,
    },
    {
      name: 'JavaScript depth after the HTML',
      unit: '',
      digits: 0,
      value: depthOf(ofFirstView(composed)),
      oneBundle: depthOf(oneBundle),
      budget: BUDGETS.scriptDepth,
    },
  ];
}

async function paintMeasures(urls: Urls): Promise<Measure[]> {
  const { composed, oneBundle } = await alternating(urls, PAINT_RUNS, measurePaint);
  const measure = (name: string, field: 'lcpMs' | 'fcpMs' | 'blockingMs'): Measure => ({
    name,
    unit: 'ms',
    digits: 0,
    value: medianOf(composed, (run) => run[field]),
    oneBundle: medianOf(oneBundle, (run) => run[field]),
  });
  return [
    { ...measure('Largest Contentful Paint, phone', 'lcpMs'), budget: BUDGETS.lcp },
    measure('First Contentful Paint, phone', 'fcpMs'),
    measure('Total Blocking Time, phone', 'blockingMs'),
  ];
}

async function interactionMeasures(urls: Urls): Promise<Measure[]> {
  const shifts = await alternating(urls, 1, measureLayoutShift);
  const clicks = await alternating(urls, CLICK_RUNS, measureInteractions);
  const longest = (name: string, field: keyof InteractionResults): Measure => ({
    name: `${name}, processor 4× slower`,
    unit: 'ms',
    digits: 0,
    value: medianOf(clicks.composed, (run) => run[field]),
    oneBundle: medianOf(clicks.oneBundle, (run) => run[field]),
    budget: BUDGETS.interaction,
  });
  return [
    {
      name: 'Cumulative Layout Shift: load, See More Results, scroll to the end',
      unit: '',
      digits: 3,
      value: medianOf(shifts.composed, (shift) => shift),
      oneBundle: medianOf(shifts.oneBundle, (shift) => shift),
      budget: BUDGETS.layoutShift,
    },
    { ...longest('Click on a filter, control painted', 'paintedMs'), budget: BUDGETS.clickPainted },
    longest('Click on a filter, Interaction to Next Paint', 'filterMs'),
    longest('Another order, Interaction to Next Paint', 'sortMs'),
    longest('Vehicle saved, Interaction to Next Paint', 'saveMs'),
    longest('Dialog opened, Interaction to Next Paint', 'dialogMs'),
  ];
}

/** A search of many pages. */
const MANY_RESULTS = '/cars-for-sale/all-cars';

async function appendMeasures({ composed }: Urls): Promise<Measure[]> {
  const appends = await measureAppends(new URL(MANY_RESULTS, composed).href);
  const measure = (name: string, field: 'longestMs' | 'workMs'): Measure => ({
    name: `Next page with 500 listings loaded, ${name}, processor 4× slower`,
    unit: 'ms',
    digits: 0,
    value: medianOf(appends, (append) => append[field]),
  });
  return [
    { ...measure('longest task', 'longestMs'), budget: BUDGETS.append },
    measure('all work of the main thread', 'workMs'),
  ];
}

/** Measures the composed page and the page as one bundle in a browser. */
export async function measurePage(
  { composed, oneBundle }: Variants,
  path: string,
  onStep: (step: string) => void,
): Promise<Measure[]> {
  const urls = { composed: composed.url + path, oneBundle: oneBundle.url + path };
  const measures: Measure[] = [];
  for (const [step, measure] of [
    ['paint', paintMeasures],
    ['HTML', htmlMeasures],
    ['scripts', scriptMeasures],
    ['interaction', interactionMeasures],
    ['append', appendMeasures],
  ] as const) {
    onStep(step);
    measures.push(...(await measure(urls)));
  }
  return measures;
}
