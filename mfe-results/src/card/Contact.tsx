import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/slots';
import type { SellerAction } from '../listing/sellerActions.ts';
import styles from './Contact.module.css';

/** Labels for sellers that the shopper has contacted. */
const SENT_LABELS = { email: 'Email Sent', offer: 'Offer Sent' } as const;

/** One way to the seller: a link, or a button that opens a dialog. */
export function Contact(props: {
  action: SellerAction;
  listingId: string;
  title: string;
  isContacted: boolean;
  className: string;
}): ReactNode {
  const { action, listingId, title, isContacted, className } = props;
  const emit = useEmit();
  if ('href' in action)
    return (
      <a
        className={className}
        href={action.href}
        aria-label={`${action.label} about ${title}`}
        onClick={() => emit('page.tracked', { kind: 'click', name: action.kind, listingId })}
        {...(action.kind === 'website' && { target: '_blank', rel: 'noopener noreferrer' })}
      >
        {action.label}
      </a>
    );
  const { kind } = action;
  const label = isContacted ? SENT_LABELS[kind] : action.label;
  const open = () => {
    emit('page.tracked', { kind: 'click', name: kind, listingId });
    emit('lead.requested', { listingId, kind });
  };
  return (
    <button
      type="button"
      className={`${className} ${styles['scripted']}`}
      aria-label={`${label} about ${title}`}
      onClick={open}
    >
      {label}
    </button>
  );
}
