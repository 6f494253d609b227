import { type MouseEvent, type ReactNode, useState } from 'react';
import { ALPHA_OWNER_VEHICLES, formatNumber, missingCriteria } from '@forecourt/shared-contracts/rules';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { type SearchState, usePageState } from '@forecourt/shared-contracts/store';
import { Icon, Skeleton, buttonClass } from '@forecourt/shared-contracts/ui';
import { isSponsorPage, searchHref, showcaseContext, sponsorCriteria } from './context.ts';
import { type FormProps, InventoryForm } from './InventoryForm.tsx';
import styles from './ShowcaseCard.module.css';
import { distanceText, joinFacts, placeText, VehicleTile } from './VehicleTile.tsx';
import ownerStyles from './OwnerForm.module.css';

/** Skeleton in the showcase's size while a search loads (B4-ALPHA-01). */
function ShowcasePlaceholder({ withCarousel }: { withCarousel: boolean }): ReactNode {
  return (
    <>
      <div className={styles['line']}>
        <Skeleton height="100%" />
      </div>
      {withCarousel && (
        <div className={styles['carousel']}>
          <Skeleton height="100%" />
        </div>
      )}
    </>
  );
}

/** One sponsor's showcase in the form for its context (B2-ALPHA-02, B2-ALPHA-03). */
export function ShowcaseCard(props: {
  alpha: NonNullable<SearchState['alpha']>;
  isLoading: boolean;
  onHide: () => void;
}): ReactNode {
  const { alpha, isLoading, onHide } = props;
  const { ownerBean: owner, alphaShowcase } = alpha;
  const chips = usePageState(({ search }) => search.chips);
  const exactMatchFlag = usePageState(({ session }) => session.flags['alphaExactMatch'] === true);
  const emit = useEmit();
  const [isOpen, setOpen] = useState(false);

  const [listing] = alphaShowcase.listings;
  const missing = listing ? missingCriteria(listing, chips, owner) : [];
  const context = showcaseContext({
    exactMatchFlag,
    isAlpha: alphaShowcase.isAlpha,
    matchesExactly: missing.length === 0,
  });
  const hasStrip = !isLoading && missing.length > 0;
  const trackClick = (listingId?: string) =>
    emit('page.tracked', {
      kind: 'click',
      name: 'alpha',
      tile: owner.id,
      ...(listingId === undefined ? {} : { listingId }),
    });

  const hideButton = (
    <button
      type="button"
      data-hide
      className={styles['hide']}
      onClick={onHide}
      aria-label="Hide sponsored showcase"
    >
      <Icon name="close" size={18} />
    </button>
  );
  const form = { owner, listings: alphaShowcase.listings, hideButton, onClickListing: trackClick };
  return (
    <section className={styles['card']} aria-label={`Sponsored: ${owner.name}`} aria-busy={isLoading}>
      <div className={styles['body']}>
        <div className={hasStrip ? undefined : styles['whole']}>
          {isLoading ? (
            <ShowcasePlaceholder withCarousel={context === 'inventory' && isOpen} />
          ) : context === 'inventory' ? (
            <InventoryForm {...form} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
          ) : (
            <OwnerForm {...form} />
          )}
        </div>
        {hasStrip && <MissingStrip missing={missing} />}
      </div>
    </section>
  );
}

/** The selected criteria that the showcased vehicle doesn't meet, struck through (B5-MISS-07). */
function MissingStrip({
  missing,
}: {
  missing: readonly ReturnType<typeof missingCriteria>[number][];
}): ReactNode {
  if (missing.length === 0) return null;
  return (
    <p className={styles['strip']}>
      <span className={styles['lead']}>Missing:</span>
      {missing.map(({ key, label }) => (
        <s key={key} className={styles['criterion']}>
          {label}
        </s>
      ))}
    </p>
  );
}

/** False for clicks that open a new tab or window or start a download. */
const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** The dealer with two vehicles and a link to all of them (B2-ALPHA-03, B2-ALPHA-04, B9-ALPHA-02). */
function OwnerForm({ owner, listings, hideButton, onClickListing }: FormProps): ReactNode {
  const criteria = usePageState(({ search }) => search.criteria);
  const emit = useEmit();
  const narrowed = sponsorCriteria(criteria, owner.id);
  const narrow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onClickListing();
    emit('search.changeRequested', { criteria: narrowed, cause: 'showcase:viewAll' });
  };
  const { rating } = owner;
  const hasViewAll = !isSponsorPage(criteria, owner.id);
  return (
    <div className={`${ownerStyles['form']} ${hasViewAll ? ownerStyles['hasViewAll'] : ''}`}>
      <div className={ownerStyles['dealer']}>
        <p className={ownerStyles['label']}>Sponsored</p>
        <h2 className={ownerStyles['name']}>{owner.name}</h2>
        <p className={ownerStyles['facts']}>{joinFacts(placeText(owner), distanceText(owner))}</p>
        {rating && (
          <p className={ownerStyles['facts']}>
            {`Rated ${rating.value.toFixed(1)} of 5 (${formatNumber(rating.count)} reviews)`}
          </p>
        )}
      </div>
      <ul className={ownerStyles['vehicles']}>
        {listings.slice(0, ALPHA_OWNER_VEHICLES).map((listing) => (
          <li key={listing.id}>
            <VehicleTile listing={listing} onClick={() => onClickListing(listing.id)} row />
          </li>
        ))}
      </ul>
      {hasViewAll && (
        <a
          className={buttonClass('secondary', ownerStyles['all'])}
          href={searchHref(narrowed)}
          onClick={narrow}
        >
          View All Cars
        </a>
      )}
      {hideButton}
    </div>
  );
}
