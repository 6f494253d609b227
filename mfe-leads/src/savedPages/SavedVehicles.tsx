import { formatDollars } from '@forecourt/search/format';
import { formatPrice } from '@forecourt/search/payments';
import { useEmit } from '@forecourt/slots';
import { Button, VisuallyHidden } from '@forecourt/slots/ui';
import { SavedPage } from './SavedPage.tsx';
import type { ReactNode } from 'react';
import styles from './SavedVehicles.module.css';
import { EmptyState } from './EmptyState.tsx';
import { Unavailable } from './Unavailable.tsx';

export const SAVED_VEHICLES_PATH = '/account/saved-vehicles';

export const SAVED_VEHICLES_TITLE = 'Saved vehicles';

/** What a card shows of a listing. */
export interface VehicleCard {
  readonly title: string;
  readonly href: string;
  readonly imageUrl: string | null;
  /** USD; null means 'Call for price'. */
  readonly price: number | null;
  /** '31,250 mi · Chicago, IL'. */
  readonly facts: string;
}

interface SavedVehicle {
  readonly listingId: string;
  /** USD at the time it was saved; null when unknown. */
  readonly savedPrice: number | null;
  /** Null when the vehicle is no longer for sale. */
  readonly card: VehicleCard | null;
}

export interface SavedVehiclesData {
  readonly vehicles: readonly SavedVehicle[];
  /** Number of older saved vehicles that the page does not show. */
  readonly hiddenCount: number;
}

/** How the price changed since it was saved; undefined when it is unchanged or unknown. */
export function priceChange(savedPrice: number | null, price: number | null): string | undefined {
  if (savedPrice === null || price === null || savedPrice === price) return undefined;
  const difference = formatDollars(Math.abs(savedPrice - price));
  return `${difference} ${price < savedPrice ? 'less' : 'more'} than when you saved it`;
}

/** A plain HTML form, so that the page works without JavaScript. */
const RemoveForm = ({ listingId, title }: { listingId: string; title: string }): ReactNode => (
  <form method="post" action={SAVED_VEHICLES_PATH}>
    <input type="hidden" name="id" value={listingId} />
    <Button type="submit">
      Remove<VisuallyHidden> {title}</VisuallyHidden>
    </Button>
  </form>
);

function Card({ vehicle: { listingId, savedPrice, card } }: { vehicle: SavedVehicle }): ReactNode {
  if (!card)
    return (
      <li className={styles['card']}>
        <span className={styles['blank']} aria-hidden="true" />
        <h2>No longer for sale</h2>
        <p className={styles['small']}>It was sold or its listing was removed.</p>
        <RemoveForm listingId={listingId} title="the vehicle that is no longer for sale" />
      </li>
    );
  const { title, href, imageUrl, price, facts } = card;
  const change = priceChange(savedPrice, price);
  const isLower = savedPrice !== null && price !== null && price < savedPrice;
  return (
    <li className={styles['card']}>
      {imageUrl === null ? (
        <span className={styles['blank']} aria-hidden="true" />
      ) : (
        <img src={imageUrl} alt="" width={320} height={240} loading="lazy" decoding="async" />
      )}
      <h2>
        <a href={href}>{title}</a>
      </h2>
      <p className={styles['price']}>{formatPrice(price ?? undefined)}</p>
      <p className={styles['small']}>{facts}</p>
      {change && (
        <p className={styles['change']} data-lower={isLower || undefined}>
          {change}
        </p>
      )}
      <RemoveForm listingId={listingId} title={title} />
    </li>
  );
}

/** Opens the way to turn notifications on or off; needs JavaScript, as they do. */
function NotificationButton(): ReactNode {
  const emit = useEmit();
  return (
    <p className={styles['notifications']}>
      <Button onClick={() => emit('notification.requested', {})}>Notify me of price drops</Button>
    </p>
  );
}

/** Saved vehicles of an account, with the price then and now. */
export function SavedVehicles({ data }: { data: SavedVehiclesData | null | undefined }): ReactNode {
  if (!data) return <Unavailable title={SAVED_VEHICLES_TITLE} path={SAVED_VEHICLES_PATH} />;
  const { vehicles, hiddenCount } = data;
  return (
    <SavedPage title={SAVED_VEHICLES_TITLE}>
      <NotificationButton />
      {vehicles.length === 0 ? (
        <EmptyState>You haven’t saved a vehicle yet. Select the heart on a vehicle to save it.</EmptyState>
      ) : (
        <ul className={styles['cards']}>
          {vehicles.map((vehicle) => (
            <Card key={vehicle.listingId} vehicle={vehicle} />
          ))}
        </ul>
      )}
      {hiddenCount > 0 && (
        <p className={styles['small']}>
          {hiddenCount} more not shown. Remove some of these to see older ones.
        </p>
      )}
    </SavedPage>
  );
}
