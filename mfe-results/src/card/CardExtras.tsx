import type { ReactNode } from 'react';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { shownTiles, tileText, remarks, serviceText } from '../listing/highlights.ts';
import styles from './CardExtras.module.css';

/**
 * What only some vehicles have: reasons to hurry, certified and history tiles,
 * services, and why to buy from this dealer. It fills the room between facts
 * and seller, so that no card moves what stands beside it.
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
          {tiles.map((tile) => (
            <li key={`${tile.tileType} ${tile.tileSubType}`}>
              {tile.tileType === 'CERTIFIED' ? (
                <button
                  type="button"
                  className={styles['program']}
                  aria-label={`${tileText(tile)} of ${title}`}
                  onClick={openProgram}
                >
                  <ProgramTile tile={tile} />
                </button>
              ) : (
                <span className={styles['pill']}>{tileText(tile)}</span>
              )}
            </li>
          ))}
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

/** A program has a picture of its own; its words serve where it has none. */
const ProgramTile = ({ tile }: { tile: Listing['productTiles'][number] }): ReactNode =>
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
