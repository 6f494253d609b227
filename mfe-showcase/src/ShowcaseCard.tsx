import { type ReactNode, useState } from 'react';
import { missingCriteria } from '@forecourt/search/missingCriteria';
import type { SearchState } from '@forecourt/search/state';
import { useEmit, usePageState } from '@forecourt/slots';
import { Icon, Skeleton } from '@forecourt/slots/ui';
import { showcaseContext } from './context.ts';
import { InventoryForm } from './InventoryForm.tsx';
import styles from './ShowcaseCard.module.css';
import { OwnerForm } from './OwnerForm.tsx';

/** Skeleton in the showcase's size while a search loads. */
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

/** One sponsor's showcase in the form for its context. */
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
  const form = {
    owner,
    listings: alphaShowcase.listings,
    missing: missing.length > 0 && <MissingCriteria missing={missing} />,
    hideButton,
    isOpen,
    onToggle: () => setOpen(!isOpen),
    onClickListing: trackClick,
  };
  return (
    <section className={styles['card']} aria-label={`Sponsored: ${owner.name}`} aria-busy={isLoading}>
      {isLoading ? (
        <ShowcasePlaceholder withCarousel={context === 'inventory' && isOpen} />
      ) : context === 'inventory' ? (
        <InventoryForm {...form} />
      ) : (
        <OwnerForm {...form} />
      )}
    </section>
  );
}

/** The selected criteria that the showcased vehicle doesn't meet, struck through. */
function MissingCriteria({
  missing,
}: {
  missing: readonly ReturnType<typeof missingCriteria>[number][];
}): ReactNode {
  return (
    <p className={styles['missing']}>
      <span>Missing:</span>
      {missing.map(({ key, label }) => (
        <s key={key}>{label}</s>
      ))}
    </p>
  );
}
