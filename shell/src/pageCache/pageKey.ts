import type { Snapshot } from '../releases/snapshot.ts';
import type { Visitor } from '../session/visitor.ts';

export interface KeyParts {
  /** Canonical links and structured data name it. */
  readonly origin: string;
  /** Path and query in their normal form. */
  readonly url: string;
  readonly visitor: Visitor;
  readonly snapshot: Snapshot;
  readonly channel: string | undefined;
}

/**
 * Everything that an anonymous visitor's page depends on: two requests with the
 * same key get the same page. What is not in here must not be in the page: the
 * session's whole state is, so that a new part of it is never forgotten.
 */
export const pageKey = ({ origin, url, visitor, snapshot, channel }: KeyParts): string =>
  JSON.stringify([
    origin,
    url,
    visitor.session,
    visitor.hidesAlpha,
    channel ?? null,
    [...snapshot.values()].map(({ id }) => id),
  ]);
