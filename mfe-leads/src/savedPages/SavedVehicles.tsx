import { type ReactNode, useRef, useState } from 'react';
import { formatCount, formatDollars } from '@forecourt/search/format';
import { formatPrice } from '@forecourt/search/payments';
import { signInLink } from '@forecourt/search/url';
import { useEmit, usePageState } from '@forecourt/slots';
import { Button, buttonClass, VisuallyHidden } from '@forecourt/slots/ui';
import { useIsHydrated } from '../form/useIsHydrated.ts';
import { QUICK_SAVE_LIMIT, SAVED_VEHICLES_PATH } from '../savedListings/savedListings.ts';
import { isStorageBlocked } from '../storage/webStorage.ts';
import { EmptyState } from './EmptyState.tsx';
import { SavedPage } from './SavedPage.tsx';
import styles from './SavedVehicles.module.css';
import { Unavailable } from './Unavailable.tsx';
import { useVehicleCards } from './useVehicleCards.ts';
import type { VehicleCard } from './vehicleCard.ts';

export const SAVED_VEHICLES_TITLE = 'Saved vehicles';

interface SavedVehicle {
  readonly listingId: string;
  /** USD at the time it was saved; null when unknown. */
  readonly savedPrice: number | null;
  /** Null when nothing is known of a vehicle that is no longer for sale. */
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

interface CardProps {
  readonly card: VehicleCard | null;
  readonly savedPrice?: number | null;
  /** Shown instead of a vehicle of which nothing is known. */
  readonly unknown: ReactNode;
  /** The control that removes the vehicle of this name. */
  readonly remove: (title: string) => ReactNode;
}

function Card({ card, savedPrice = null, unknown, remove }: CardProps): ReactNode {
  if (!card)
    return (
      <li className={styles['card']}>
        <span className={styles['blank']} aria-hidden="true" />
        {unknown}
        {remove('this vehicle')}
      </li>
    );
  const { title, href, imageUrl, price, facts, seller, isSold } = card;
  const change = isSold ? undefined : priceChange(savedPrice, price);
  const isLower = savedPrice !== null && price !== null && price < savedPrice;
  return (
    <li className={styles['card']} data-sold={isSold || undefined}>
      {imageUrl === null ? (
        <span className={styles['blank']} aria-hidden="true" />
      ) : (
        <img src={imageUrl} alt="" width={320} height={240} loading="lazy" decoding="async" />
      )}
      {isSold && <p className={styles['sold']}>No longer for sale</p>}
      <h2>
        <a href={href}>
          {title}
          {isSold && <VisuallyHidden>, no longer for sale: see similar vehicles</VisuallyHidden>}
        </a>
      </h2>
      {isSold ? (
        price !== null && <p>Last listed for {formatDollars(price)}</p>
      ) : (
        <p className={styles['price']}>{formatPrice(price ?? undefined)}</p>
      )}
      <p className={styles['small']}>{facts}</p>
      {seller && <p className={styles['small']}>{seller}</p>}
      {isSold && (
        <p className={styles['similar']} aria-hidden="true">
          See similar vehicles
        </p>
      )}
      {change && (
        <p className={styles['change']} data-lower={isLower || undefined}>
          {change}
        </p>
      )}
      {remove(title)}
    </li>
  );
}

const Gone = (
  <>
    <h2>No longer for sale</h2>
    <p className={styles['small']}>It was sold or removed by its seller.</p>
  </>
);

/** The newest of the session that the page does not show: sign-in has moved them into the account since. */
function idsBefore(vehicles: readonly SavedVehicle[], savedIds: readonly string[]): readonly string[] {
  const known = savedIds.findIndex((id) => vehicles.some(({ listingId }) => listingId === id));
  return known < 0 ? savedIds : savedIds.slice(0, known);
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

function AccountVehicles({ data: { vehicles, hiddenCount } }: { data: SavedVehiclesData }): ReactNode {
  const savedIds = usePageState(({ session }) => session.savedListingIds);
  const movedIds = idsBefore(vehicles, savedIds);
  const cards = useVehicleCards(movedIds);
  const all = [
    ...movedIds.map((listingId) => ({ listingId, savedPrice: null, card: cards[listingId] })),
    ...vehicles,
  ];
  return (
    <SavedPage title={SAVED_VEHICLES_TITLE}>
      <NotificationButton />
      {all.length === 0 ? (
        <EmptyState>You haven’t saved a vehicle yet. Select the heart on a vehicle to save it.</EmptyState>
      ) : (
        <ul className={styles['cards']}>
          {all.map(({ listingId, savedPrice, card }) =>
            card === undefined ? (
              <Placeholder key={listingId} />
            ) : (
              <Card
                key={listingId}
                card={card}
                savedPrice={savedPrice}
                unknown={Gone}
                remove={(title) => <RemoveForm listingId={listingId} title={title} />}
              />
            ),
          )}
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

const Placeholder = (): ReactNode => (
  <li className={styles['card']} aria-hidden="true">
    <span className={styles['blank']} />
  </li>
);

const NotLoaded = ({ listingId }: { listingId: string }): ReactNode => (
  <>
    <h2>
      <a href={`/cars-for-sale/vehicle/${encodeURIComponent(listingId)}`}>See this vehicle</a>
    </h2>
    <p className={styles['small']}>We couldn’t load its details.</p>
  </>
);

/** Vehicles saved in this browser, which alone knows them. */
function BrowserVehicles(): ReactNode {
  const ids = usePageState(({ session }) => session.savedListingIds);
  const emit = useEmit();
  const isHydrated = useIsHydrated();
  const cards = useVehicleCards(ids);
  const summary = useRef<HTMLParagraphElement>(null);
  const remove = (listingId: string) => {
    emit('listing.saveRequested', { listingId });
    // Its button goes with the vehicle.
    summary.current?.focus();
  };
  return (
    <SavedPage title={SAVED_VEHICLES_TITLE}>
      <p ref={summary} className={styles['summary']} tabIndex={-1}>
        {isHydrated ? summaryOf(ids.length) : 'Looking for vehicles saved in this browser…'}
      </p>
      <p className={styles['scriptless']}>
        Without JavaScript, this page can’t see what was saved in this browser. Turn on JavaScript, or sign in
        to see the vehicles of your account.
      </p>
      {ids.length > 0 && (
        <ul className={styles['cards']}>
          {ids.map((listingId) => {
            const card = cards[listingId];
            if (card === undefined) return <Placeholder key={listingId} />;
            return (
              <Card
                key={listingId}
                card={card}
                unknown={<NotLoaded listingId={listingId} />}
                remove={(title) => (
                  <div className={styles['remove']}>
                    <Button onClick={() => remove(listingId)}>
                      Remove<VisuallyHidden> {title}</VisuallyHidden>
                    </Button>
                  </div>
                )}
              />
            );
          })}
        </ul>
      )}
      {isHydrated && ids.length === 0 && <NothingInBrowser />}
      <SignInOffer />
    </SavedPage>
  );
}

const summaryOf = (count: number): string =>
  count === 0
    ? 'No vehicles are saved in this browser.'
    : `${formatCount(count, 'vehicle')} saved in this browser. Without an account, you can save up to ${QUICK_SAVE_LIMIT}.`;

function NothingInBrowser(): ReactNode {
  const [isBlocked] = useState(isStorageBlocked);
  return (
    <EmptyState>
      {isBlocked
        ? 'Your browser blocks storage for this site, so it can’t save vehicles without an account.'
        : 'Select the heart on a vehicle to save it.'}
    </EmptyState>
  );
}

function SignInOffer(): ReactNode {
  const signInPath = usePageState(({ session }) => session.signInPath);
  return (
    <section className={styles['offer']} aria-labelledby="saved-offer">
      <h2 id="saved-offer">Keep them in a free account</h2>
      <p>See your saved vehicles on every device, and be told when a price drops.</p>
      <p className={styles['offerActions']}>
        <a className={buttonClass('primary')} href={signInLink(signInPath, SAVED_VEHICLES_PATH, 'signup')}>
          Create a free account
        </a>
        <a className={buttonClass('secondary')} href={signInLink(signInPath, SAVED_VEHICLES_PATH)}>
          Sign in
        </a>
      </p>
    </section>
  );
}

/** Saved vehicles of the account, with the price then and now; without one, those of this browser. */
export function SavedVehicles({ data }: { data: SavedVehiclesData | null | undefined }): ReactNode {
  const signedIn = usePageState(({ session }) => session.signedIn);
  if (!data) return <Unavailable title={SAVED_VEHICLES_TITLE} path={SAVED_VEHICLES_PATH} />;
  return signedIn ? <AccountVehicles data={data} /> : <BrowserVehicles />;
}
