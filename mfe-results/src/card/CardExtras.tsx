import type { ReactNode } from 'react';
import { formatCount, formatDollars } from '@forecourt/search/format';
import { useEmit } from '@forecourt/slots';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { serviceText, tileText } from '../listing/facts.ts';
import styles from './CardExtras.module.css';
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

/** Short remarks between price and facts, most important first. */
export function remarks(listing: Listing): readonly string[] {
  return [
    urgencyText(listing),
    listing.isHot ? 'In demand' : undefined,
    listing.hasSpecialOffer ? 'Special offer' : undefined,
  ].filter((remark): remark is string => remark !== undefined);
}

type ProductTile = Listing['productTiles'][number];

/** A card's product tiles, at most two of them CERTIFIED. */
function shownTiles(tiles: readonly ProductTile[]): readonly ProductTile[] {
  let certified = 0;
  return tiles.filter(({ tileType }) => tileType !== 'CERTIFIED' || ++certified <= MAX_CERTIFIED_TILES);
}

/**
 * Optional details: remarks, certified and history tiles, services, and the dealer's tagline. They fill the
 * room between facts and seller, so that a card never moves its neighbors.
 */
export function CardExtras({ listing, owner }: { listing: Listing; owner: Owner | undefined }): ReactNode {
  const emit = useEmit();
  const { id, certifiedProduct, title } = listing;
  const notes = remarks(listing);
  const tiles = shownTiles(listing.productTiles);
  const services = serviceText(owner, tiles.map(tileText));
  const openProgram = () =>
    emit('dialog.requested', {
      name: 'certifiedProgram',
      listingId: id,
      ...(certifiedProduct && { productId: certifiedProduct }),
    });
  return (
    <div className={styles['extras']}>
      {notes.length > 0 && <p className={styles['remarks']}>{notes.join(' · ')}</p>}
      {tiles.length > 0 && (
        <ul className={styles['tiles']} aria-label="Highlights">
          {tiles.map((tile) => {
            const key = `${tile.tileType} ${tile.tileSubType}`;
            return tile.tileType === 'CERTIFIED' ? (
              <li key={key}>
                <button
                  type="button"
                  className={styles['program']}
                  aria-label={`${tileText(tile)} of ${title}`}
                  onClick={openProgram}
                >
                  <ProgramTile tile={tile} />
                </button>
              </li>
            ) : (
              <li key={key} className={styles['pill']}>
                {tileText(tile)}
              </li>
            );
          })}
        </ul>
      )}
      {services && <p className={styles['services']}>{services}</p>}
      {owner?.dealerDiff && (
        <button
          type="button"
          className={styles['difference']}
          aria-label={`${owner.dealerDiff.tagline}: more about ${owner.name}`}
          onClick={() =>
            emit('dialog.requested', { name: 'dealerDifference', listingId: id, ownerId: owner.id })
          }
        >
          {owner.dealerDiff.tagline}
        </button>
      )}
    </div>
  );
}

/** A certified program's picture, or its label without one. */
const ProgramTile = ({ tile }: { tile: ProductTile }): ReactNode =>
  tile.image ? (
    <img
      className={styles['tile']}
      src={tile.image}
      alt={tileText(tile)}
      width={110}
      height={22}
      loading="lazy"
      decoding="async"
    />
  ) : (
    <span className={styles['pill']}>{tileText(tile)}</span>
  );
