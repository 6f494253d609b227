import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/slots';
import { iconClass } from '@forecourt/slots/ui';
import { CompareControl } from '../compare/CompareControl.tsx';
import type { ListingCardProps } from './cardState.ts';

interface CardMenuActionsProps extends ListingCardProps {
  readonly itemClass: string;
  readonly largeOnlyClass: string;
}

/** What scripts do with a vehicle: compare, share, report it, and say why to buy from its dealer. */
export function CardMenuActions(props: CardMenuActionsProps): ReactNode {
  const { listing, owner, compare, hasShareAndReport, canReport, itemClass, largeOnlyClass } = props;
  const emit = useEmit();
  const { id, title } = listing;
  return (
    <>
      {compare !== 'off' && (
        <CompareControl
          listing={listing}
          owner={owner}
          className={`${itemClass} ${compare === 'large' ? largeOnlyClass : ''}`}
        />
      )}
      {hasShareAndReport && (
        <Action
          className={itemClass}
          icon="share"
          words="Share"
          label={`Share ${title}`}
          onUse={() => emit('listing.shareRequested', { listingId: id })}
        />
      )}
      {hasShareAndReport && canReport && (
        <Action
          className={itemClass}
          icon="flag"
          words="Report"
          label={`Report ${title}`}
          onUse={() => emit('listing.reportRequested', { listingId: id })}
        />
      )}
      {owner?.dealerDiff && (
        <Action
          className={itemClass}
          icon="info"
          words={owner.dealerDiff.tagline}
          label={`${owner.dealerDiff.tagline}: more about ${owner.name}`}
          onUse={() =>
            emit('dialog.requested', { name: 'dealerDifference', listingId: id, ownerId: owner.id })
          }
        />
      )}
    </>
  );
}

function Action(props: {
  className: string;
  icon: Parameters<typeof iconClass>[0];
  words: string;
  /** Begins with the words. */
  label: string;
  onUse: () => void;
}): ReactNode {
  const { className, icon, words, label, onUse } = props;
  return (
    <button
      type="button"
      className={`${className} ${iconClass(icon, 18)}`}
      aria-label={label}
      onClick={onUse}
    >
      {words}
    </button>
  );
}
