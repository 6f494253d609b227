import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { Icon, buttonClass, type IconName } from '@forecourt/shared-contracts/ui';
import { CompareControl } from '../compare/CompareControl.tsx';
import type { ListingCardProps } from './ListingCard.tsx';
import { sellerActions, type SellerAction } from './sellerAction.ts';
import styles from './CardActions.module.css';

/** Contact, save, compare, share and report. Save lies over the picture, where the eye is. */
export function CardActions(props: ListingCardProps): ReactNode {
  const { listing, owner, hasShareAndReport, compare } = props;
  const emit = useEmit();
  const maySave = usePageState(selectFlag('saveListing'));
  const mayReport = usePageState(selectFlag('reportListing'));
  const { id, title } = listing;
  const { primary, secondary, smallScreenCall } = sellerActions(listing, owner);
  return (
    <>
      <div className={styles['contact']}>
        {primary && <Contact action={primary} look="primary" listingId={id} title={title} />}
        {secondary && <Contact action={secondary} look="secondary" listingId={id} title={title} />}
        {smallScreenCall && (
          <Contact
            action={smallScreenCall}
            look="secondary"
            listingId={id}
            title={title}
            className={styles['smallOnly']}
          />
        )}
      </div>
      <div className={styles['quick']}>
        {compare !== 'off' && (
          <CompareControl
            listing={listing}
            owner={owner}
            className={`${styles['compare']} ${compare === 'large' ? styles['largeOnly'] : ''}`}
          />
        )}
        <span className={styles['spacer']} />
        {hasShareAndReport && (
          <>
            <IconAction
              icon="share"
              label={`Share ${title}`}
              onUse={() => emit('listing.shareRequested', { listingId: id })}
            />
            {mayReport && (
              <IconAction
                icon="flag"
                label={`Report ${title}`}
                onUse={() => emit('listing.reportRequested', { listingId: id })}
              />
            )}
          </>
        )}
      </div>
      {maySave && (
        <IconAction
          icon="heart"
          label={`Save ${title}`}
          className={styles['save']}
          onUse={() => emit('listing.saveRequested', { listingId: id })}
        />
      )}
    </>
  );
}

function Contact(props: {
  action: SellerAction;
  look: 'primary' | 'secondary';
  listingId: string;
  title: string;
  className?: string | undefined;
}): ReactNode {
  const { action, look, listingId, title, className } = props;
  const emit = useEmit();
  const looks = [styles['cta'], look === 'primary' && styles['lead'], className].filter(Boolean).join(' ');
  const label = `${action.label} about ${title}`;
  const track = () => emit('page.tracked', { kind: 'click', name: action.kind, listingId });
  if ('href' in action)
    return (
      <a
        className={buttonClass(look, looks)}
        href={action.href}
        aria-label={label}
        onClick={track}
        {...(action.kind === 'website' && { target: '_blank', rel: 'noopener noreferrer' })}
      >
        {action.kind === 'call' && <Icon name="phone" size={18} />}
        {action.label}
      </a>
    );
  const { kind } = action;
  return (
    <button
      type="button"
      className={buttonClass(look, `${looks} ${styles['scripted']}`)}
      aria-label={label}
      onClick={() => emit('lead.requested', { listingId, kind })}
    >
      {action.label}
    </button>
  );
}

function IconAction(props: {
  icon: IconName;
  label: string;
  className?: string | undefined;
  onUse: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      className={`${styles['icon']} ${props.className ?? ''}`}
      aria-label={props.label}
      title={props.label.split(' ')[0]}
      onClick={props.onUse}
    >
      <Icon name={props.icon} />
    </button>
  );
}
