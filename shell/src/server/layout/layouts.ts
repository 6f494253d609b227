import type { PageKind } from '@forecourt/shared-contracts/store';

/** Who provides a slot: a release of a remote, or a module of the shell. */
export type SlotSource = { readonly remote: string } | 'shell';

export interface SlotPlacement {
  readonly slot: string;
  readonly source: SlotSource;
  /** `required` has a plain fallback in the shell or fails the page, `optional` collapses into its reserved space. */
  readonly criticality: 'required' | 'optional';
  /** ms from the start of the render to the last byte of HTML; 0 = rendered in the browser only. */
  readonly deadlineMs: number;
  /**
   * When it becomes interactive. `need`: when one of `wakes` is emitted.
   * `late`: then, or when the loaded page is idle, whichever comes first.
   */
  readonly hydrate: 'load' | 'idle' | 'visible' | 'late' | 'need';
  /** CSS block-size reserved while the slot is empty, in the narrow and the wide layout. */
  readonly reserve: { readonly narrow: string; readonly wide: string };
  /** Intents that load the slot at once; `dialog.requested:NAME` for one dialog. */
  readonly wakes?: readonly string[];
}

const NO_SPACE = { narrow: '0', wide: '0' } as const;

/** The 360° view. */
const SPIN: SlotPlacement = {
  slot: 'spin',
  source: { remote: 'mfe-results' },
  criticality: 'optional',
  deadlineMs: 0,
  hydrate: 'need',
  reserve: NO_SPACE,
  wakes: ['listing.spinRequested'],
};

/** The dialogs that contact, save, share, report and sign up. */
const LEADS: SlotPlacement = {
  slot: 'leads',
  source: { remote: 'mfe-leads' },
  criticality: 'optional',
  deadlineMs: 0,
  hydrate: 'late',
  reserve: NO_SPACE,
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
export const LAYOUT: readonly SlotPlacement[] = [
  {
    slot: 'hero',
    source: 'shell',
    criticality: 'required',
    deadlineMs: 300,
    hydrate: 'idle',
    reserve: { narrow: '84px', wide: '84px' },
  },
  {
    slot: 'location-editor',
    source: { remote: 'mfe-filters' },
    criticality: 'optional',
    deadlineMs: 400,
    hydrate: 'idle',
    reserve: { narrow: '48px', wide: '48px' },
  },
  {
    slot: 'showcase',
    source: { remote: 'mfe-showcase' },
    criticality: 'optional',
    deadlineMs: 400,
    hydrate: 'idle',
    reserve: NO_SPACE,
  },
  {
    slot: 'toolbar',
    source: { remote: 'mfe-filters' },
    criticality: 'optional',
    deadlineMs: 400,
    hydrate: 'load',
    reserve: { narrow: '145px', wide: '157px' },
  },
  {
    slot: 'results',
    source: { remote: 'mfe-results' },
    criticality: 'required',
    deadlineMs: 800,
    hydrate: 'load',
    reserve: { narrow: '1200px', wide: '1200px' },
  },
  {
    slot: 'filters',
    source: { remote: 'mfe-filters' },
    criticality: 'optional',
    deadlineMs: 500,
    hydrate: 'load',
    reserve: { narrow: '0', wide: '800px' },
  },
  {
    slot: 'model-reference',
    source: { remote: 'mfe-model-reference' },
    criticality: 'optional',
    deadlineMs: 800,
    hydrate: 'visible',
    reserve: { narrow: '500px', wide: '500px' },
    wakes: ['dialog.requested:trims'],
  },
  {
    slot: 'related',
    source: 'shell',
    criticality: 'optional',
    deadlineMs: 200,
    hydrate: 'visible',
    reserve: NO_SPACE,
  },
  {
    slot: 'lead-widget',
    source: { remote: 'mfe-leads' },
    criticality: 'optional',
    deadlineMs: 300,
    hydrate: 'visible',
    reserve: NO_SPACE,
  },
  {
    slot: 'footer-ad',
    source: { remote: 'mfe-results' },
    criticality: 'optional',
    deadlineMs: 300,
    hydrate: 'visible',
    reserve: { narrow: '124px', wide: '191px' },
  },
  {
    // Fills the outlets of this name: toolbar, grid and bottom block.
    slot: 'email-capture',
    source: { remote: 'mfe-leads' },
    criticality: 'optional',
    deadlineMs: 0,
    hydrate: 'need',
    reserve: NO_SPACE,
  },
  SPIN,
  LEADS,
];

/** Listing, market and account calls may each take seconds; the page waits for its main slot. */
const MAIN_SLOT_DEADLINE_MS = 10_000;

/** The slot that is the page: rendered before the head is sent, and the page fails with it. */
const mainSlot = (slot: PageKind, remote: string): SlotPlacement => ({
  slot,
  source: { remote },
  criticality: 'required',
  deadlineMs: MAIN_SLOT_DEADLINE_MS,
  hydrate: 'load',
  reserve: NO_SPACE,
});

/** The slots of each page kind in document order. The main slot has the name of its page kind. */
export const PAGE_LAYOUTS: Readonly<Record<PageKind, readonly SlotPlacement[]>> = {
  results: LAYOUT,
  vehicle: [mainSlot('vehicle', 'mfe-results'), SPIN, LEADS],
  compare: [mainSlot('compare', 'mfe-results')],
  'saved-searches': [mainSlot('saved-searches', 'mfe-leads'), LEADS],
  'saved-vehicles': [mainSlot('saved-vehicles', 'mfe-leads'), LEADS],
  'build-your-price': [mainSlot('build-your-price', 'mfe-model-reference')],
};

/** Every placement of every page; a slot on several pages is listed for each. */
export const ALL_PLACEMENTS: readonly SlotPlacement[] = Object.values(PAGE_LAYOUTS).flat();

/** Page kinds whose layout has the slot. */
export const pageKindsOf = (slot: string): readonly PageKind[] =>
  (Object.keys(PAGE_LAYOUTS) as PageKind[]).filter((kind) =>
    PAGE_LAYOUTS[kind].some((placement) => placement.slot === slot),
  );
