import { useId, useRef, useState, type ReactNode } from 'react';
import type { Listing } from '@forecourt/shared-contracts/entities';
import { Button } from '@forecourt/shared-contracts/ui';
import { ListingSummary } from '../listing/ListingSummary.tsx';
import { EmailListing } from './EmailListing.tsx';
import styles from './ShareListing.module.css';

/** The vehicle's own address, without a trace of where it was found. */
const sharedUrl = (listingId: string, listing: Listing | undefined): string =>
  new URL(
    listing?.vdpBaseUrl ?? `/cars-for-sale/vehicle/${encodeURIComponent(listingId)}`,
    window.location.origin,
  ).href;

/** Passes a listing on: copy its link, hand it to the device's own share sheet, or mail it (A2-UI-07). */
export function ShareListing(props: { listingId: string; listing: Listing | undefined }): ReactNode {
  const { listingId, listing } = props;
  const url = sharedUrl(listingId, listing);
  const inputId = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const [message, setMessage] = useState('');
  const canShare = typeof navigator.share === 'function';

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setMessage('Link copied');
    } catch {
      // No clipboard without https or permission: the link is selected, copying is one key press away.
      inputRef.current?.select();
      setMessage('The link is selected: copy it with your keyboard or menu');
    }
  };
  const share = async () => {
    try {
      await navigator.share({ url, ...(listing && { title: listing.title }) });
    } catch (error) {
      // Closing the share sheet is a choice, not a failure.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      setMessage('Sharing did not work on this device: copy the link instead');
    }
  };
  return (
    <div className={styles['share']}>
      {listing && <ListingSummary listing={listing} />}
      <div>
        <label htmlFor={inputId} className={styles['label']}>
          Link
        </label>
        <input
          ref={inputRef}
          id={inputId}
          className={styles['link']}
          readOnly
          value={url}
          onFocus={(event) => event.target.select()}
        />
      </div>
      <div className={styles['actions']}>
        <Button look="primary" onClick={() => void copy()}>
          Copy link
        </Button>
        {canShare && <Button onClick={() => void share()}>Share…</Button>}
        <p role="status" className={styles['message']}>
          {message}
        </p>
      </div>
      <h3 className={styles['heading']}>Or send it by email</h3>
      <EmailListing listingId={listingId} />
    </div>
  );
}
