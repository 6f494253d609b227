import type { ReactNode } from 'react';
import { BRANDS } from '@forecourt/search/brands';
import { selectSession } from '@forecourt/search/state';
import { useEmit, usePageState } from '@forecourt/slots';
import { Icon } from '@forecourt/slots/ui';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { CompareControl, compareScreens } from '../compare/CompareControl.tsx';
import { useCompared } from '../compare/compareStore.ts';
import { compareUrl } from '../compare/comparedVehicle.ts';
import { COMPARE_MINIMUM } from '../constants.ts';
import styles from './QuickActions.module.css';

/** Save, compare, share and report, as far as brand and flags offer them. */
export function QuickActions({ listing, owner }: { listing: Listing; owner: Owner }): ReactNode {
  const { id } = listing;
  const emit = useEmit();
  const { brand, flags, savedListingIds } = usePageState(selectSession);
  const { hasShareAndReport } = BRANDS[brand];
  const isSaved = savedListingIds.includes(id);
  const compare = compareScreens(flags);
  const compareClass = `${styles['quickAction']} ${compare === 'large' ? styles['largeOnly'] : ''}`;
  return (
    <div className={styles['quick']}>
      {flags['saveListing'] && (
        <button
          type="button"
          className={`${styles['quickAction']} ${styles['scripted']}`}
          aria-pressed={isSaved}
          data-saves={id}
          onClick={() => emit('listing.saveRequested', { listingId: id })}
        >
          <Icon name={isSaved ? 'heartFilled' : 'heart'} /> <span>{isSaved ? 'Saved' : 'Save'}</span>
        </button>
      )}
      {compare !== 'off' && (
        <>
          <CompareControl
            listing={listing}
            owner={owner}
            className={`${compareClass} ${styles['scripted']}`}
          />
          <ComparisonLink className={compareClass} />
        </>
      )}
      {hasShareAndReport && (
        <QuickAction
          icon="share"
          label="Share"
          onUse={() => emit('listing.shareRequested', { listingId: id })}
        />
      )}
      {hasShareAndReport && flags['reportListing'] && (
        <QuickAction
          icon="flag"
          label="Report"
          onUse={() => emit('listing.reportRequested', { listingId: id })}
        />
      )}
    </div>
  );
}

/** Leads to the comparison once it has enough vehicles. */
function ComparisonLink({ className }: { className: string }): ReactNode {
  const vehicles = useCompared();
  if (vehicles.length < COMPARE_MINIMUM) return null;
  return (
    <a className={className} href={compareUrl(vehicles.map(({ id }) => id))}>
      {`Compare ${vehicles.length} vehicles`}
    </a>
  );
}

function QuickAction({
  icon,
  label,
  onUse,
}: {
  icon: Parameters<typeof Icon>[0]['name'];
  label: string;
  onUse: () => void;
}): ReactNode {
  return (
    <button type="button" className={`${styles['quickAction']} ${styles['scripted']}`} onClick={onUse}>
      <Icon name={icon} /> {label}
    </button>
  );
}
