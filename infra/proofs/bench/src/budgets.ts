import type { Budget } from './report.ts';

/** Budgets and the next step if one is missed. */
export const BUDGETS = {
  lcp: {
    kind: 'at most',
    limit: 1,
    of: 'ratio',
    nextStep:
      'Compare the two pages’ HTML up to the largest picture, and the priority of the script preloads: nothing of the federation may come before it.',
  },
  throughput: {
    kind: 'at least',
    limit: 0.9,
    of: 'ratio',
    nextStep:
      'Profile the shell under load (`node --cpu-prof`): sending the state to the releases’ processes and joining their HTML are what one bundle does not do.',
  },
  composition: {
    kind: 'at most',
    limit: 1.25,
    of: 'ratio',
    nextStep:
      'Profile the shell and the releases’ processes under load (`perf record -a -e cpu-clock`), and look at which slots are rendered again although nothing that they read has changed.',
  },
  isolation: {
    kind: 'at most',
    limit: 1.25,
    of: 'value',
    nextStep:
      'Compare the user time of the threads that render: messages are the smaller part (90 kB of state and 2 ms of system time a page), and processes that take turns share caches.',
  },
  checks: {
    kind: 'below',
    limit: 1,
    of: 'value',
    nextStep:
      'Profile `checkFragment` with the HTML of the largest slot: most of its time is the first look at each distinct start tag.',
  },
  firstResult: {
    kind: 'at most',
    limit: 14,
    of: 'value',
    nextStep:
      'Put only the styles of the bar, hero, toolbar and first cards into the head, and those of the panel and dialogs after the results.',
  },
  firstViewScripts: {
    kind: 'at most',
    limit: 147,
    of: 'value',
    nextStep:
      'Look at what the shell’s entry holds (source maps are in `dist/maps`), and load what no first view needs when it is asked for.',
  },
  untouchedScripts: {
    kind: 'at most',
    limit: 183,
    of: 'value',
    nextStep:
      'List them (`src/page/bytes.ts`): code that a visit uses after its first input loads with that input.',
  },
  federationScripts: {
    kind: 'at most',
    limit: 63,
    of: 'value',
    nextStep:
      'Drop the plugins of the federation runtime that the page does not use, and share what several remotes carry twice.',
  },
  scriptDepth: {
    kind: 'at most',
    limit: 2,
    of: 'value',
    nextStep: 'Preload the scripts that are asked for by others.',
  },
  layoutShift: {
    kind: 'at most',
    limit: 0,
    of: 'value',
    nextStep: 'Find the moving element (`sources` of the layout-shift entries), and reserve its space.',
  },
  clickPainted: {
    kind: 'below',
    limit: 50,
    of: 'value',
    nextStep: 'Trace the click: whatever repaints beside the control belongs into a transition.',
  },
  interaction: {
    kind: 'below',
    limit: 100,
    of: 'value',
    nextStep: 'Trace the click: whatever repaints beside the control belongs into a transition.',
  },
  append: {
    kind: 'below',
    limit: 50,
    of: 'value',
    nextStep:
      'Trace the append (`src/page/interactions.ts` says how): look for what grows with the listings that are loaded, and for a slice of the page that is more than its next two rows.',
  },
  searchMedian: {
    kind: 'at most',
    limit: 2,
    of: 'value',
    nextStep: 'Profile the index with this mix of searches: counting the facets is most of it.',
  },
  searchSlowest: {
    kind: 'at most',
    limit: 15,
    of: 'value',
    nextStep: 'Look at the slowest searches: those of the whole country, with many facets chosen.',
  },
  memory: {
    kind: 'at most',
    limit: 1024,
    of: 'value',
    nextStep: 'Compare heap snapshots before and after the load; limit the heaps of the releases’ processes.',
  },
  shellMemory: {
    kind: 'at most',
    // 500 MB.
    limit: 477,
    of: 'value',
    nextStep:
      'Compare heap snapshots before and after the load; see `HEAPS` in `infra/tooling/local/src/service.ts`.',
  },
  idleRelease: {
    kind: 'at most',
    limit: 60,
    of: 'value',
    nextStep:
      'See in `/proc/<pid>/smaps` whether V8’s heap or the C heap holds it, and what `IdleCollector` leaves.',
  },
  rawHtml: {
    kind: 'at most',
    limit: 160,
    of: 'value',
    nextStep:
      'See which part of the page grows: styles are 49 kB, the results 47 kB (a card 1.3), the model reference 14, the filters 13, boot data 7.',
  },
  bootData: {
    kind: 'at most',
    limit: 40,
    of: 'value',
    nextStep: 'Move what slots read into the content of the page, which is a file of its own.',
  },
  elements: {
    kind: 'at most',
    limit: 1700,
    of: 'value',
    nextStep:
      'Count the elements of each slot: a card has about 22, the filters 308, the model reference 292.',
  },
  upstreamRequests: {
    kind: 'at most',
    limit: 2,
    of: 'value',
    nextStep: 'Load everything that the first paint needs with one call.',
  },
  uncachedPages: {
    kind: 'at least',
    limit: 60,
    of: 'value',
    nextStep: 'Profile the shell, the releases’ processes and the API under load (`node --cpu-prof`).',
  },
  uncachedCpu: {
    kind: 'at most',
    limit: 30,
    of: 'value',
    nextStep: 'Profile the shell, the releases’ processes and the API under load (`node --cpu-prof`).',
  },
  usable: {
    kind: 'at most',
    limit: 2100,
    of: 'value',
    nextStep: 'Read the waterfall of one load: a filter works with its first paint.',
  },
  blocking: {
    kind: 'at most',
    limit: 100,
    of: 'value',
    nextStep: 'Trace one load: evaluate less before the slots hydrate, and hydrate in slices.',
  },
  shown: {
    kind: 'at most',
    limit: 750,
    of: 'value',
    nextStep:
      'Trace one click: a round trip is 562 ms of it; the rest is the response’s bytes, and painting the cards.',
  },
  requests: {
    kind: 'at most',
    limit: 10,
    of: 'value',
    nextStep: 'List them (`src/page/firstUse.ts`), and merge or delay those that no first filter needs.',
  },
  peerUse: {
    kind: 'at most',
    limit: 1,
    of: 'value',
    nextStep:
      'Trace an early click (`shell/src/marketplace/results/browser/earlySearch.ts`): its response and the paint compete with the scripts of the page.',
  },
  floorUse: {
    kind: 'at most',
    limit: 1.3,
    of: 'value',
    nextStep:
      'Compare the waterfalls of both: the early search asks for the slots that change, a form for a whole page.',
  },
  firstSave: {
    kind: 'at most',
    limit: 4600,
    of: 'value',
    nextStep:
      'Read the waterfall of one load: the click starts the scripts of the results, and is replayed when they are hydrated.',
  },
  floorPaint: {
    kind: 'at most',
    limit: 1.05,
    of: 'value',
    nextStep:
      'Count the bytes of HTML and styles before the first paint, and the requests beside the largest picture.',
  },
  peerCpu: {
    kind: 'at most',
    limit: 1.6,
    of: 'value',
    nextStep:
      'Profile both with new searches (`node --cpu-prof`): the table of peers says what the page has more, and CPU per kB and per element.',
  },
  firstPages: {
    kind: 'at most',
    limit: 2.3,
    of: 'value',
    nextStep:
      'Render the recorded pages of the releases before the shell is ready, so that their code is compiled.',
  },
  newSearchComposition: {
    kind: 'at most',
    limit: 1.1,
    of: 'ratio',
    nextStep:
      'Profile the shell and the releases’ processes under load: state and HTML cross a pipe, HTML is checked, and each process collects its own garbage.',
  },
  peerPages: {
    kind: 'at least',
    limit: 1,
    of: 'value',
    nextStep: 'Profile a shell that serves one cached page: only routing, cookies, key and headers remain.',
  },
  cachedPages: {
    kind: 'at least',
    limit: 1500,
    of: 'value',
    nextStep: 'Profile a shell that serves one cached page: only routing, cookies, key and headers remain.',
  },
  notModified: {
    kind: 'at least',
    limit: 3000,
    of: 'value',
    nextStep: 'Profile a shell that answers 304: only routing, cookies, key and headers remain.',
  },
  cachedCpu: {
    kind: 'at most',
    limit: 1,
    of: 'value',
    nextStep:
      'Profile a shell that serves one cached page: nothing may compress, join or render per response.',
  },
} as const satisfies Readonly<Record<string, Budget>>;
