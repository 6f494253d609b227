import type { BootRemote, BootSlot } from '../../universal/bootData.ts';

/** Why a page got this release of a remote. */
export interface ChosenRelease {
  readonly remote: string;
  readonly version: string;
  readonly why: 'live' | 'canary' | 'override';
  /** The remote's canary and the visitor's bucket of 10,000. */
  readonly canary?: { readonly version: string; readonly weight: number; readonly bucket: number };
  /** A release that the shell refused; pages use the last good one. */
  readonly refused?: { readonly version: string; readonly reason: string };
  readonly override?: {
    /** ms since 1970. */
    readonly until: number;
    readonly by: string;
    readonly origin?: string | undefined;
    /** Why the override could not be used. */
    readonly failure?: string | undefined;
  };
}

/** One slot as the server rendered it. */
export interface MeasuredSlot {
  readonly slot: string;
  readonly remote: string | null;
  readonly version: string | null;
  readonly criticality: 'required' | 'optional';
  /** Server time in ms; undefined if nothing was rendered. */
  readonly ms?: number | undefined;
  /** Size of the uncompressed HTML. */
  readonly bytes: number;
  readonly failure?: string | undefined;
  /** Events that the layout lets it emit and hear. */
  readonly emits: readonly string[];
  readonly hears: readonly string[];
}

/** Name of the extension in boot data. */
export const TESTER = 'tester';

/** The extension's boot data. */
export interface TesterBoot {
  readonly hasDevtools: boolean;
  /** Whether slots of new releases replace those of the open page (`npm run dev`). */
  readonly followsBuilds: boolean;
  /** The process that wrote the page, if it follows builds: its scripts may reach the next one first. */
  readonly shellProcess?: string | undefined;
  /** Local mode: allows fault switches and unsigned overrides. */
  readonly isLocal: boolean;
  /** Address of the control room. */
  readonly room?: string | undefined;
  readonly chosen: readonly ChosenRelease[];
  /** Overrides that the server does not render: the browser fetches them from the tester's machine. */
  readonly inBrowser: readonly { readonly remote: string; readonly origin: string }[];
  readonly slots: readonly MeasuredSlot[];
}

/** Boot data of a build that replaces another release of its remote in the browser. */
export interface LocalBuild {
  readonly remote: BootRemote;
  readonly slots: readonly BootSlot[];
}

/** `?devtools` opens the devtools; the panel's cookie opens them on the next pages. */
export const DEVTOOLS_COOKIE = 'devtools';

const IN_QUERY = /[?&]devtools(?:=[^&]*)?(?=&|$)/;
const IN_COOKIES = /(?:^|;\s*)devtools=1(?:;|$)/;

/** `url` is path and query, `cookies` the header. */
export const wantsDevtools = (url: string, cookies = ''): boolean =>
  IN_QUERY.test(url) || IN_COOKIES.test(cookies);

/** The URL without the parameter, which is not part of the search. */
export function withoutDevtools(url: string): string {
  const rest = url.replace(IN_QUERY, (found) => (found.startsWith('?') ? '?' : ''));
  return rest.replace('?&', '?').replace(/\?$/, '');
}

/** Id of the banner's text about a remote, where the browser reports a local build that failed. */
export const overrideStateId = (remote: string): string => `fc-override-${remote}`;
