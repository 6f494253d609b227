import type { BootRemote, BootSlot } from '../../../both/bootData.ts';

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

/** Name of the extension in boot data. */
export const TESTER = 'tester';

/** The extension's boot data. */
export interface TesterBoot {
  readonly hasDevtools: boolean;
  /** Fault switches and unsigned overrides are for one's own machine. */
  readonly isLocal: boolean;
  readonly chosen: readonly ChosenRelease[];
  /** Overrides that the server does not render: the browser fetches them from the tester's own machine. */
  readonly inBrowser: readonly { readonly remote: string; readonly origin: string }[];
  readonly slots: readonly MeasuredSlot[];
}

/** What a browser boots from when a tester's own build takes the place of a live release. */
export interface LocalBuild {
  readonly remote: BootRemote;
  readonly slots: readonly BootSlot[];
}

/** `?devtools` opens them; the cookie, which the panel itself sets, keeps them open on the next pages. */
export const DEVTOOLS_COOKIE = 'devtools';

const IN_QUERY = /[?&]devtools(?:=[^&]*)?(?=&|$)/;
const IN_COOKIES = /(?:^|;\s*)devtools=1(?:;|$)/;

/** Cheap for those who do not. `url` is path and query, `cookies` the header. */
export const wantsDevtools = (url: string, cookies = ''): boolean =>
  IN_QUERY.test(url) || IN_COOKIES.test(cookies);

/** The address without it: the search knows no such parameter. */
export function withoutDevtools(url: string): string {
  const rest = url.replace(IN_QUERY, (found) => (found.startsWith('?') ? '?' : ''));
  return rest.replace('?&', '?').replace(/\?$/, '');
}

/** Id of the banner's line about a remote, in which the browser reports a local build that it cannot use. */
export const overrideStateId = (remote: string): string => `fc-override-${remote}`;
