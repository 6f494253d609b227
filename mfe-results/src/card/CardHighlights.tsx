import type { ReactNode } from 'react';
import { formatCount, formatDollars } from '@forecourt/search/format';
import { useEmit } from '@forecourt/slots';
import type { Listing } from '@forecourt/upstream/entities';
import { tileText } from '../listing/facts.ts';
import { dealText } from '../listing/price.ts';
import styles from './CardHighlights.module.css';
import { MAX_CERTIFIED_TILES } from '../constants.ts';

/** Why a highlighted listing is urgent; undefined for unknown reasons. */
export function urgencyText({ vehicleHighlight }: Listing): string | undefined {
  const value = vehicleHighlight?.urgencyDriverValue;
  if (!vehicleHighlight?.isVehicleHighlight || value === undefined) return undefined;
  switch (vehicleHighlight.urgencyDriverType) {
    case 'PRICE_DROP':
      return `Price dropped ${formatDollars(value)}`;
    case 'HIGH_INTEREST':
      return `${formatCount(value, 'view')} this week`;
    case 'NEW_LISTING':
      return value === 0 ? 'New today' : `Listed ${formatCount(value, 'day')} ago`;
    default:
      return undefined;
  }
}

/** Short remarks below the price, most important first. */
export function remarks(listing: Listing): readonly string[] {
  return [
    urgencyText(listing),
    listing.isHot ? 'In demand' : undefined,
    listing.hasSpecialOffer ? 'Special offer' : undefined,
  ].filter((remark): remark is string => remark !== undefined);
}

type ProductTile = Listing['productTiles'][number];

/** The certified programs of a listing, as its card shows them. */
export const programsOf = ({ productTiles }: Pick<Listing, 'productTiles'>): readonly ProductTile[] =>
  productTiles.filter(({ tileType }) => tileType === 'CERTIFIED').slice(0, MAX_CERTIFIED_TILES);

/** Whether the condition on the picture names the first program, which opens from there. */
export const isNamedByCondition = ({ listingType }: Pick<Listing, 'listingType'>): boolean =>
  listingType === 'CERTIFIED' || listingType === '3P_CERT';

/** Opens a certified program of the listing. */
export function ProgramButton(props: {
  listing: Listing;
  className: string | undefined;
  children: string;
}): ReactNode {
  const { listing, className, children } = props;
  const { id, certifiedProduct, title } = listing;
  const emit = useEmit();
  return (
    <button
      type="button"
      className={`${className} ${styles['program']}`}
      aria-label={`${children} program of ${title}`}
      onClick={() =>
        emit('dialog.requested', {
          name: 'certifiedProgram',
          listingId: id,
          ...(certifiedProduct && { productId: certifiedProduct }),
        })
      }
    >
      {children}
    </button>
  );
}

/** What speaks for the vehicle, in one line: the deal, why it is urgent, its history. */
export function CardHighlights({ listing }: { listing: Listing }): ReactNode {
  const deal = dealText(listing);
  const tiles = listing.productTiles.filter(({ tileType }) => tileType !== 'CERTIFIED');
  const notes = [...remarks(listing), ...tiles.map(tileText)].join(' · ');
  const programs = programsOf(listing).slice(isNamedByCondition(listing) ? 1 : 0);
  return (
    <p className={styles['highlights']}>
      {deal && (
        <span className={notes ? `${styles['deal']} ${styles['apart']}` : styles['deal']}>{deal}</span>
      )}
      {notes}
      {programs.map(({ tileSubType }) => (
        <ProgramButton key={tileSubType} listing={listing} className={styles['also']}>
          Certified
        </ProgramButton>
      ))}
    </p>
  );
}
