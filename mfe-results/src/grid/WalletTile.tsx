import { type ReactNode, useMemo, type CSSProperties } from 'react';
import { formatDollars, formatPercent } from '@forecourt/search/format';
import {
  affordablePrice,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
  paymentText,
} from '@forecourt/search/payments';
import { detailUrl } from '@forecourt/search/url';
import { useEmit, usePageState } from '@forecourt/slots';
import { Button } from '@forecourt/slots/ui';
import type { Listing } from '@forecourt/upstream/entities';
import { noteActionClass, NoteText, NoteTile } from './NoteTile.tsx';
import { SNAPSHOT_WIDTHS } from '../constants.ts';
import { unbroken, primaryPicture } from '../listing/facts.ts';
import { monthlyBudget, paymentSnapshots, termsOf } from '../listing/price.ts';
import styles from './WalletTile.module.css';

/** Limited, so that the tile doesn't become a second list of results. */
const SNAPSHOTS = 6;

/** Widths of the payment snapshots. */
const WIDTHS = {
  '--snapshot-small': `${SNAPSHOT_WIDTHS.small}%`,
  '--snapshot-otherwise': `${SNAPSHOT_WIDTHS.otherwise}%`,
} as CSSProperties;

/** '10% down, 72 months, 6.99% APR'. */
const EXAMPLE_TERMS = `${formatPercent(PAYMENT_DOWN_SHARE)} down, ${PAYMENT_TERM_MONTHS} months, ${formatPercent(PAYMENT_APR_PERCENT / 100)} APR`;

/** Vehicles that fit the visitor's budget, or an example budget. */
export function WalletTile(): ReactNode {
  const emit = useEmit();
  const wallet = usePageState(({ session }) => session.wallet);
  const listings = usePageState(({ search }) => search.listings);
  const snapshots = useMemo(() => paymentSnapshots(listings, wallet, SNAPSHOTS), [listings, wallet]);
  const budget = monthlyBudget(wallet);
  const open = () => {
    emit('page.tracked', { kind: 'click', name: 'wallet', tile: 'wallet' });
    emit('dialog.requested', { name: 'wallet' });
  };
  return (
    <NoteTile label="Your budget" className={styles['tile']!}>
      <div className={styles['budget']}>
        <NoteText
          kicker="Your budget"
          title={`${formatDollars(budget)} per month`}
          paragraphs={[
            `buys a car up to about ${formatDollars(affordablePrice(budget, termsOf(wallet)))}.`,
            ...(wallet ? [] : [`Example: ${EXAMPLE_TERMS}.`]),
          ]}
        />
      </div>
      {snapshots.length > 0 && (
        <ul className={styles['snapshots']} aria-label="Estimated payments" style={WIDTHS}>
          {snapshots.map(({ listing, monthly }) => (
            <li key={listing.id}>
              <SnapshotPicture listing={listing} />
              <p>
                <strong>{paymentText(monthly)}</strong>
                <a href={detailUrl(listing, 'listing')}>{unbroken(listing.title)}</a>
              </p>
            </li>
          ))}
        </ul>
      )}
      <Button look="primary" className={`${noteActionClass} ${styles['action']}`} onClick={open}>
        {wallet ? 'Change my budget' : 'Set my budget'}
      </Button>
    </NoteTile>
  );
}

/** Decorative: the title is next to it. */
function SnapshotPicture({ listing }: { listing: Listing }): ReactNode {
  const picture = primaryPicture(listing);
  return picture && <img src={picture.src} alt="" width={160} height={120} loading="lazy" />;
}
