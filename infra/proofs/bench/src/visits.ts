import { BUDGETS } from './budgets.ts';
import { hydratedMark } from '@forecourt/harness/browser';
import {
  type EarlyUse,
  type FirstUse,
  measureEarlySave,
  measureEarlyUse,
  measureFirstUse,
  type Screen,
  type Usage,
} from './page/firstUse.ts';
import { alternating } from '@forecourt/harness/alternating';
import { markdownTable } from '@forecourt/harness/markdown';
import { median, medianOf } from '@forecourt/harness/statistics';
import type { Budget, Measure } from './report.ts';

const VISITS = 5;
const SCREENS: readonly Screen[] = ['desktop', 'phone'];

const SUBJECTS = {
  composed: 'The composed page',
  instantSearch: 'React InstantSearch',
  floor: 'HTML written by hand',
};
type Subject = keyof typeof SUBJECTS;
const NAMES = Object.keys(SUBJECTS) as Subject[];

const USAGES: Readonly<Record<Subject, (screen: Screen) => Usage>> = {
  composed: (screen) => ({
    isEarly: true,
    // On a phone, the filters hydrate when they are opened.
    readyMark: hydratedMark(screen === 'desktop' ? 'filters' : 'toolbar'),
    count: '#results-heading',
    filter: '[data-slot="filters"] input[name="listingType"][value="USED"]',
    // There the filters are in a panel, which shows the number of matches until it is closed.
    ...(screen === 'phone' && {
      opener: '[data-slot="toolbar"] button ::-p-text(Filter)',
      submit: '[data-slot="filters"] dialog[open] button ::-p-text(See Results)',
    }),
  }),
  instantSearch: () => ({
    isEarly: false,
    readyMark: 'hydrated',
    count: '.ais-Stats-text',
    filter: 'input.ais-RefinementList-checkbox[value="USED"]',
  }),
  floor: () => ({
    isEarly: false,
    count: 'h1',
    filter: 'input[name="listingType"][value="USED"]',
    submit: 'form button',
  }),
};

/** Of the composed page. */
const HEART = '#listings button[aria-pressed]';

const LOAD_FIELDS: readonly (readonly [field: keyof FirstUse, title: string])[] = [
  ['fcpMs', 'First paint, ms'],
  ['lcpMs', 'Largest paint, ms'],
  ['hydratedMs', 'Hydrated, ms'],
  ['blockingMs', 'Blocking time, ms'],
  ['shownMs', 'Click to results, ms'],
  ['scriptKb', 'Scripts, kB'],
  ['requests', 'Requests'],
];

type Load = Readonly<Record<Subject, FirstUse>>;
type Early = Readonly<Record<Subject, EarlyUse>>;

/** Medians of each subject over visits in alternating order. */
async function mediansOf<Field extends string>(
  fields: readonly Field[],
  visit: (subject: Subject) => Promise<Readonly<Record<Field, number>>>,
): Promise<Readonly<Record<Subject, Readonly<Record<Field, number>>>>> {
  const runs = await alternating(Object.fromEntries(NAMES.map((name) => [name, name])), VISITS, (name) =>
    visit(name as Subject),
  );
  const medians = (name: Subject) =>
    Object.fromEntries(fields.map((field) => [field, medianOf(runs[name] ?? [], (run) => run[field])]));
  return Object.fromEntries(NAMES.map((name) => [name, medians(name)])) as never;
}

/**
 * Visits the pages without any cache on a slow connection and processor, on a desktop and on a phone.
 *
 * @param urls of the same search
 */
export async function measureVisits(
  urls: Readonly<Record<Subject, string>>,
): Promise<{ readonly measures: readonly Measure[]; readonly table: string }> {
  const fields = LOAD_FIELDS.map(([field]) => field);
  const load = (screen: Screen) =>
    mediansOf(fields, (name) => measureFirstUse(urls[name], screen, USAGES[name](screen)));
  const loads = { desktop: await load('desktop'), phone: await load('phone') };
  const early = await mediansOf(['clickMs', 'shownMs'], (name) =>
    measureEarlyUse(urls[name], USAGES[name]('desktop')),
  );
  const saves: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) saves.push(await measureEarlySave(urls.composed, HEART));
  return {
    measures: [
      ...SCREENS.flatMap((screen) => loadMeasures(screen, loads[screen])),
      ...earlyMeasures(early),
      ms(
        'First vehicle saved, whose heart is clicked when the HTML has ended, slow connection and processor',
        median(saves),
        BUDGETS.firstSave,
      ),
    ],
    table: visitTable(loads, early),
  };
}

const times = (name: string, value: number, budget: Budget): Measure => ({
  name,
  unit: '×',
  digits: 2,
  value,
  budget,
});
const ms = (name: string, value: number, budget: Budget): Measure => ({
  name,
  unit: 'ms',
  digits: 0,
  value,
  budget,
});

function loadMeasures(screen: Screen, { composed, floor }: Load): Measure[] {
  const slow = `slow connection and processor, ${screen}`;
  return [
    times(
      `First Contentful Paint against HTML written by hand, ${screen}`,
      composed.fcpMs / floor.fcpMs,
      BUDGETS.floorPaint,
    ),
    times(
      `Largest Contentful Paint against HTML written by hand, ${screen}`,
      composed.lcpMs / floor.lcpMs,
      BUDGETS.floorPaint,
    ),
    ms(`Total Blocking Time, ${slow}`, composed.blockingMs, BUDGETS.blocking),
    ms(`Click on a filter to its results, ${slow}`, composed.shownMs, BUDGETS.shown),
    {
      name: `Requests besides pictures until hydrated, ${screen}`,
      unit: '',
      digits: 0,
      value: composed.requests,
      budget: BUDGETS.requests,
    },
  ];
}

const earlyMeasures = ({ composed, instantSearch, floor }: Early): Measure[] => [
  ms('A filter works, slow connection and processor', composed.clickMs, BUDGETS.usable),
  times(
    'Results of the first filter that works, against React InstantSearch',
    composed.shownMs / instantSearch.shownMs,
    BUDGETS.peerUse,
  ),
  times(
    'Results of the first filter that works, against HTML written by hand',
    composed.shownMs / floor.shownMs,
    BUDGETS.floorUse,
  ),
];

const visitTable = (loads: Readonly<Record<Screen, Load>>, early: Early): string => {
  const rounded = (value: number) => value.toFixed(0);
  return markdownTable(
    ['Page', ...LOAD_FIELDS.map(([, title]) => title), 'A filter works, ms', 'Its results, ms'],
    SCREENS.flatMap((screen) =>
      NAMES.map((name) => [
        `${SUBJECTS[name]}, ${screen}`,
        ...LOAD_FIELDS.map(([field]) => rounded(loads[screen][name][field])),
        ...(screen === 'desktop' ? [rounded(early[name].clickMs), rounded(early[name].shownMs)] : ['', '']),
      ]),
    ),
  );
};
