import type { Snapshot } from '../releases/snapshot.ts';

export interface PageKeyParts {
  /** Part of canonical links and structured data. */
  readonly origin: string;
  /** Normalized path and query. */
  readonly url: string;
  /** What is sent of the page; default: all of it. */
  readonly part?: string | undefined;
  /** The releases that render the page. */
  readonly snapshot: Snapshot;
  /** Everything of the visitor that the page depends on, as the site says. */
  readonly visitor: readonly unknown[];
}

/** Cache key of a page that visitors share: it names everything that the page depends on. */
export const pageKey = ({ origin, url, part, visitor, snapshot }: PageKeyParts): string =>
  JSON.stringify([origin, url, part, ...visitor, [...snapshot.values()].map(({ id }) => id)]);
