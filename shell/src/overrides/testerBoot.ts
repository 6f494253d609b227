/** Why a page got this release of a remote. */
export interface ChosenRelease {
  readonly remote: string;
  readonly version: string;
  readonly why: 'live' | 'canary' | 'override';
  /** The visitor's bucket of 10,000, and the canary that it was compared with. */
  readonly canary?: { readonly version: string; readonly weight: number; readonly bucket: number };
  /** A release that the shell did not take: pages stay with the last good one. */
  readonly refused?: { readonly version: string; readonly reason: string };
  readonly override?: {
    /** ms since 1970. */
    readonly until: number;
    readonly by: string;
    readonly origin?: string | undefined;
    /** The override could not be used. */
    readonly failure?: string | undefined;
  };
}

/** One slot as the server rendered it. */
export interface MeasuredSlot {
  readonly slot: string;
  readonly remote: string | null;
  readonly version: string | null;
  readonly criticality: 'required' | 'optional';
  /** Server time; ms. Absent where nothing was rendered. */
  readonly ms?: number | undefined;
  /** Of its HTML, uncompressed. */
  readonly bytes: number;
  readonly failure?: string | undefined;
}

/** What only the pages of testers carry: nobody else's boot data has it. */
export interface TesterBoot {
  readonly hasDevtools: boolean;
  /** Fault switches and unsigned overrides are for one's own machine. */
  readonly isLocal: boolean;
  readonly chosen: readonly ChosenRelease[];
  /** Overrides that the server does not render: the browser fetches them from the tester's own machine. */
  readonly inBrowser: readonly { readonly remote: string; readonly origin: string }[];
  readonly slots?: readonly MeasuredSlot[];
}
