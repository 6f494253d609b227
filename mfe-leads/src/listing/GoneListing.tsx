import type { ReactNode } from 'react';
import { detailUrl } from '@forecourt/shared-contracts/url';

/** For a listing that a newer search has taken off the page: its own page still has the ways to its seller. */
export function GoneListing({ listingId }: { listingId: string }): ReactNode {
  return (
    <p>
      This vehicle is no longer among the results on this page.{' '}
      <a href={detailUrl({ id: listingId }, 'listing')}>Go to the vehicle’s own page</a>
    </p>
  );
}
