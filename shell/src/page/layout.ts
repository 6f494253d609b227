/** Who provides a slot: a release of a remote, or a module of the shell. */
export type SlotSource = { readonly remote: string } | 'shell';

export interface SlotPlacement {
  readonly slot: string;
  readonly source: SlotSource;
  /** `required` has a plain fallback in the shell, `optional` collapses into its reserved space. */
  readonly criticality: 'required' | 'optional';
  /** From the start of its run to the last byte of its HTML. 0 = browser only. */
  readonly deadlineMs: number;
  /**
   * When it becomes interactive; `need` = when one of `wakes` is asked for;
   * `late` = then, or when the loaded page has been idle, whichever is first.
   */
  readonly hydrate: 'load' | 'idle' | 'visible' | 'late' | 'need';
  /** Space kept while it is empty: block-size in CSS, by the smallest and the docked layout. */
  readonly reserve: { readonly narrow: string; readonly wide: string };
  /** Intents that load the slot at once, whatever its time; `dialog.requested:NAME` for one dialog alone. */
  readonly wakes?: readonly string[];
}

/**
 * The slots of the results page in document order: what is seen first comes
 * first. A hanging slot holds those behind it, so every deadline lies well below
 * the page's.
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
    reserve: { narrow: '0', wide: '0' },
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
    reserve: { narrow: '0', wide: '0' },
  },
  {
    slot: 'lead-widget',
    source: { remote: 'mfe-leads' },
    criticality: 'optional',
    deadlineMs: 300,
    hydrate: 'visible',
    reserve: { narrow: '0', wide: '0' },
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
    reserve: { narrow: '0', wide: '0' },
  },
  {
    slot: 'spin',
    source: { remote: 'mfe-results' },
    criticality: 'optional',
    deadlineMs: 0,
    hydrate: 'need',
    reserve: { narrow: '0', wide: '0' },
    wakes: ['listing.spinRequested'],
  },
  {
    slot: 'leads',
    source: { remote: 'mfe-leads' },
    criticality: 'optional',
    deadlineMs: 0,
    hydrate: 'late',
    reserve: { narrow: '0', wide: '0' },
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
  },
];

export type SlotName = string;
