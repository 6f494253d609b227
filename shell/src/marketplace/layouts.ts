import type { PageKind, SearchState } from '@forecourt/search/state';
import type { CallName } from '@forecourt/upstream/calls';
import type { SlotPlacement } from '../engine/layout/placement.ts';

/** A part of the page's state by name. */
type StatePart = 'page' | 'session' | `search.${keyof SearchState}`;

/** A placement on a page of the marketplace. */
interface Placement extends SlotPlacement {
  /** Besides COMMON_READS. */
  readonly mayRead: readonly StatePart[];
  readonly calls?: readonly CallName[];
  readonly view?: NonNullable<SearchState['criteria']['view']>;
}

/** What every slot may read: the shopper sees it on the page. */
const COMMON_READS: readonly StatePart[] = ['search.requestId', 'search.status', 'search.totalResultCount'];

const NO_SPACE = { narrow: '0', wide: '0' } as const;

/** The 360° view. */
const SPIN: Placement = {
  slot: 'spin',
  source: { remote: 'mfe-results' },
  criticality: 'optional',
  deadlineMs: 0,
  hydrate: 'onEvent',
  reserve: NO_SPACE,
  mayRead: [],
  wakes: ['listing.spinRequested'],
};

/** Calls of the model reference. */
const MODEL_CALLS: readonly CallName[] = [
  'consumerRatings',
  'count',
  'mileageStats',
  'modelInfo',
  'modelYears',
  'newModelYears',
  'newTrims',
  'referenceVehicles',
  'safety',
  'trims',
];

/** The dialogs that contact, save, share, report and sign up. */
const LEADS: Placement = {
  slot: 'leads',
  source: { remote: 'mfe-leads' },
  criticality: 'optional',
  deadlineMs: 0,
  hydrate: 'afterFirstView',
  reserve: NO_SPACE,
  // The assistant and the request to notify.
  overlaps: true,
  mayRead: [
    'search.criteria',
    'search.url',
    'search.texts',
    'search.chips',
    'search.pageData',
    'search.listings',
    'search.owners',
    'search.spotlights',
    'search.vehicleHighlight',
    'search.boost',
    'search.alpha',
    'session',
  ],
  wakes: [
    'lead.requested',
    'dialog.requested:wallet',
    'dialog.requested:emailSearch',
    'dialog.requested:certifiedProgram',
    'dialog.requested:dealerDifference',
    'dialog.requested:electricVehicles',
    'dialog.requested:assistant',
    'search.saveRequested',
    'signIn.requested',
    'notification.requested',
    'listing.saveRequested',
    'listing.shareRequested',
    'listing.reportRequested',
  ],
};

/**
 * The slots of the results page in document order. A slot that hangs delays
 * those after it, so each deadline is far below the page's own budget.
 */
export const LAYOUT: readonly Placement[] = [
  {
    slot: 'hero',
    source: 'shell',
    criticality: 'required',
    deadlineMs: 300,
    hydrate: 'idle',
    reserve: { narrow: '48px', wide: '72px' },
    mayRead: ['search.breadcrumbs', 'search.texts', 'search.criteria'],
  },
  {
    slot: 'location-editor',
    source: { remote: 'mfe-filters' },
    criticality: 'optional',
    deadlineMs: 400,
    hydrate: 'idle',
    reserve: { narrow: '48px', wide: '48px' },
    // Places to choose from.
    overlaps: true,
    mayRead: ['search.criteria', 'session'],
    calls: ['zipLookup'],
  },
  {
    slot: 'showcase',
    source: { remote: 'mfe-showcase' },
    criticality: 'optional',
    deadlineMs: 400,
    hydrate: 'afterFirstView',
    reserve: NO_SPACE,
    mayRead: ['session', 'search.alpha', 'search.criteria', 'search.chips'],
  },
  {
    slot: 'toolbar',
    source: { remote: 'mfe-filters' },
    criticality: 'optional',
    deadlineMs: 400,
    hydrate: 'load',
    reserve: { narrow: '172px', wide: '140px' },
    // Suggestions and the button of the filters.
    overlaps: true,
    mayRead: [
      'search.criteria',
      'search.chips',
      'search.filters',
      'search.suggestions',
      'search.requestParams',
      'search.pageData',
      'session',
    ],
  },
  {
    slot: 'map',
    source: { remote: 'mfe-results' },
    criticality: 'optional',
    deadlineMs: 500,
    hydrate: 'load',
    view: 'map',
    reserve: { narrow: '110vw', wide: '720px' },
    mayRead: ['search.criteria', 'session'],
    calls: ['sellerMap'],
  },
  {
    slot: 'results',
    source: { remote: 'mfe-results' },
    criticality: 'required',
    deadlineMs: 800,
    hydrate: 'load',
    reserve: { narrow: '1200px', wide: '1200px' },
    ids: ['listings', 'results-heading'],
    // The drawer of compared vehicles, the ad at the edge, the alert in the corner.
    overlaps: true,
    mayRead: [
      'session',
      'search.boost',
      'search.breadcrumbs',
      'search.chips',
      'search.criteria',
      'search.firstLoadedRecord',
      'search.listings',
      'search.adjustment',
      'search.notice',
      'search.owners',
      'search.pageData',
      'search.pageSizes',
      'search.spotlights',
      'search.suggestions',
      'search.url',
      'search.vehicleHighlight',
    ],
  },
  {
    slot: 'filters',
    source: { remote: 'mfe-filters' },
    criticality: 'optional',
    deadlineMs: 500,
    hydrate: 'load',
    reserve: { narrow: '0', wide: '800px' },
    // The panel covers small screens.
    overlaps: true,
    mayRead: [
      'search.criteria',
      'search.filters',
      'search.chips',
      'search.requestParams',
      'search.pageData',
      'session',
    ],
  },
  {
    slot: 'model-reference',
    source: { remote: 'mfe-model-reference' },
    criticality: 'optional',
    deadlineMs: 800,
    hydrate: 'visible',
    reserve: { narrow: '500px', wide: '500px' },
    ids: ['modelReferenceFeedback'],
    mayRead: ['session', 'search.criteria', 'search.chips', 'search.editorial'],
    calls: MODEL_CALLS,
    wakes: ['dialog.requested:trims'],
  },
  {
    slot: 'related',
    source: 'shell',
    criticality: 'optional',
    deadlineMs: 200,
    hydrate: 'visible',
    reserve: NO_SPACE,
    ids: ['fc-related'],
    mayRead: ['search.crawlPaths'],
  },
  {
    slot: 'lead-widget',
    source: { remote: 'mfe-leads' },
    criticality: 'optional',
    deadlineMs: 300,
    // A form that needs scripts. It reads all listings, 88 kB, for 2 kB of HTML.
    renderedBy: 'browser',
    hydrate: 'visible',
    reserve: { narrow: '686px', wide: '367px' },
    mayRead: ['search.listings', 'search.owners', 'session'],
  },
  {
    slot: 'footer-ad',
    source: { remote: 'mfe-results' },
    criticality: 'optional',
    deadlineMs: 300,
    hydrate: 'visible',
    reserve: { narrow: '124px', wide: '191px' },
    mayRead: ['session', 'search.pageData'],
  },
  {
    // Fills the outlets of this name in toolbar, grid and bottom block.
    slot: 'email-capture',
    source: { remote: 'mfe-leads' },
    criticality: 'optional',
    deadlineMs: 0,
    hydrate: 'onEvent',
    reserve: NO_SPACE,
    mayRead: ['search.url', 'search.texts', 'search.chips', 'search.pageData', 'session'],
  },
  SPIN,
  LEADS,
];

/** Listing, market and account calls may each take seconds; the page waits for its main slot. */
const MAIN_SLOT_DEADLINE_MS = 10_000;

type Permissions = Pick<Placement, 'mayRead' | 'calls' | 'isPersonal'>;

/** The slot that is the page: rendered before the head is sent, and the page fails with it. */
const mainSlot = (slot: PageKind, remote: string, permissions: Permissions): Placement => ({
  slot,
  source: { remote },
  isPage: true,
  overlaps: true,
  criticality: 'required',
  deadlineMs: MAIN_SLOT_DEADLINE_MS,
  hydrate: 'load',
  reserve: NO_SPACE,
  ...permissions,
});

const PLACEMENTS: Readonly<Record<PageKind, readonly Placement[]>> = {
  results: LAYOUT,
  vehicle: [
    mainSlot('vehicle', 'mfe-results', {
      mayRead: ['page', 'session'],
      calls: [
        'certifiedContent',
        'clearBrowsingHistory',
        'count',
        'filterPreview',
        'listing',
        'listingsByVin',
        'similar',
        'slugReference',
        'vehicleModel',
      ],
    }),
    SPIN,
    LEADS,
  ],
  compare: [
    mainSlot('compare', 'mfe-results', { mayRead: ['page', 'session'], calls: ['listing', 'similar'] }),
    LEADS,
  ],
  'saved-searches': [
    mainSlot('saved-searches', 'mfe-leads', {
      mayRead: ['page', 'session'],
      calls: ['bookmarks', 'emailAlerts', 'search'],
      isPersonal: true,
    }),
    LEADS,
  ],
  'saved-vehicles': [
    mainSlot('saved-vehicles', 'mfe-leads', {
      mayRead: ['page', 'session'],
      calls: ['listing', 'savedListings', 'vehicle', 'vehicleModel'],
      isPersonal: true,
    }),
    LEADS,
  ],
  'build-your-price': [
    mainSlot('build-your-price', 'mfe-model-reference', {
      mayRead: ['page', 'session'],
      calls: ['newModelYears', 'referenceVehicles', 'slugReference'],
    }),
  ],
};

/** The slots of each page kind in document order. The main slot has the name of its page kind. */
export const PAGE_LAYOUTS = Object.fromEntries(
  Object.entries(PLACEMENTS).map(([kind, placements]) => [
    kind,
    placements.map((placement) => ({
      ...placement,
      mayRead: [...new Set([...COMMON_READS, ...placement.mayRead])],
    })),
  ]),
) as unknown as Readonly<Record<PageKind, readonly SlotPlacement[]>>;

/** Every placement of every page; a slot on several pages is listed for each. */
export const ALL_PLACEMENTS: readonly SlotPlacement[] = Object.values(PAGE_LAYOUTS).flat();
