import { useId, useRef, useState, type ReactNode } from 'react';
import { signInLink } from '@forecourt/search/url';
import { useSlotEnvironment, usePageState } from '@forecourt/slots';
import { Button } from '@forecourt/slots/ui';
import type { Listing } from '@forecourt/upstream/entities';
import { Field } from '../../form/Field.tsx';
import { FormFrame } from '../../form/FormFrame.tsx';
import { useDraftFields } from '../../form/useFields.ts';
import { useForm } from '../../form/useForm.ts';
import { ListingSummary } from '../../listing/ListingSummary.tsx';
import { outcomeOf, outcomeOfResponse } from '../../outbox/delivery.ts';
import styles from './ShareListing.module.css';
import { currentPage } from '../signIn/currentPage.ts';

/** URL of the vehicle's page, without tracking parameters. */
const sharedUrl = (listingId: string, listing: Listing | undefined): string =>
  new URL(
    listing?.vdpBaseUrl ?? `/cars-for-sale/vehicle/${encodeURIComponent(listingId)}`,
    window.location.origin,
  ).href;

/** Shares a listing: copy its link, open the device's share sheet, or send it by email. */
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
      // The clipboard needs https and permission. Without it, select the link so that it can be copied by hand.
      inputRef.current?.select();
      setMessage('Link selected. Copy it with your keyboard or menu.');
    }
  };
  const share = async () => {
    try {
      await navigator.share({ url, ...(listing && { title: listing.title }) });
    } catch (error) {
      // The shopper closed the share sheet.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      setMessage('Sharing isn’t available on this device. Copy the link instead.');
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
      <EmailListing listingId={listingId} url={url} title={listing?.title} />
    </div>
  );
}

/** An email in the visitor's own program. */
const mailtoUrl = (url: string, title = 'A vehicle for sale'): string =>
  `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`;

/** Emails a link to the listing: from the account's verified address, or else from the visitor's own program. */
function EmailListing(props: { listingId: string; url: string; title: string | undefined }): ReactNode {
  const { listingId, url, title } = props;
  const { signedIn, account, signInPath } = usePageState(({ session }) => session);
  if (signedIn && account?.email) return <EmailForm listingId={listingId} from={account.email} />;
  return (
    <p>
      <a href={mailtoUrl(url, title)}>Open your email app</a>, or{' '}
      <a href={signInLink(signInPath, currentPage())}>sign in</a> to send it from here.
    </p>
  );
}

function EmailForm({ listingId, from }: { listingId: string; from: string }): ReactNode {
  const { call } = useSlotEnvironment();
  const fields = useDraftFields(`share:${listingId}`, ['toEmail']);
  const [sentTo, setSentTo] = useState('');
  const form = useForm({
    form: 'shareListing',
    about: 'Your email',
    isQueued: false,
    fields,
    bodyOf: (typed, idempotencyKey) => ({ ...typed, fromEmail: from, listingId, idempotencyKey }),
    send: (body) => call('shareListing', {}, { body }).then(outcomeOfResponse, outcomeOf),
    onOutcome(outcome) {
      if (outcome !== 'sent') return;
      setSentTo(fields.values.toEmail.trim());
      fields.change('toEmail', '');
    },
  });
  return (
    <FormFrame
      form={form}
      isSticky={false}
      send="Send email"
      note={<span role="status">{form.status === 'sent' && `Sent to ${sentTo}.`}</span>}
    >
      <Field
        {...form.bind('toEmail')}
        label="To"
        hint={`The email names you as ${from}.`}
        required
        input={{ type: 'email', inputMode: 'email', autoComplete: 'off' }}
      />
    </FormFrame>
  );
}
