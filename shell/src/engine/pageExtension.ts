import type { Request, Response, Router } from 'express';
import type { BootExtension } from './universal/bootData.ts';
import type { LoadedRelease } from './rendering/release.ts';
import type { Snapshot } from './releases/snapshot.ts';
import type { SlotOutcome } from './compose/renderSlots.ts';

/** An extension's changes to one page. Such a page is never shared or cached. */
export interface PageAddition {
  /** Replaces the visitor's own snapshot. */
  readonly snapshot: Snapshot;
  /** Appended to the styles in the head. */
  readonly css: string;
  /** HTML above the site's bar. */
  readonly banner: string;
  /** Boot data for the extension's code in the browser. */
  readonly bootData: (outcomes: readonly SlotOutcome[]) => BootExtension;
  /** Runs after the page's own headers are set. */
  readonly setHeaders: (response: Response) => void;
}

/**
 * Port for optional features around pages. The shell works the same without an
 * extension; `server.ts` attaches it.
 */
export interface PageExtension {
  /** Label in metrics. */
  readonly name: string;
  /** Where `routes` are mounted. */
  readonly path: string;
  readonly routes: Router;
  /** The URL (path and query) without parameters that only the extension reads. */
  readonly cleanUrl: (url: string) => string;
  /** Undefined leaves the page unchanged. `url` is the page's path and query. */
  readonly extendPage: (
    request: Request,
    page: { readonly snapshot: Snapshot; readonly url: string },
  ) => Promise<PageAddition | undefined>;
  /** A release that only the extension loaded, to serve its files. */
  readonly findRelease: (name: string, version: string) => LoadedRelease | undefined;
}
