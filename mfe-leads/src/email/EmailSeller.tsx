import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { Button } from '@forecourt/shared-contracts/ui';
import { phoneOf, sellerName, telHref, type ListingOnPage } from '../findListing.ts';
import { ListingSummary } from '../ListingSummary.tsx';
import { fieldsOf, withFields, withoutMessage, type EmailDrafts, type FieldName } from './drafts.ts';
import styles from './EmailSeller.module.css';
import { Field } from './Field.tsx';
import { useEmailForm } from './useEmailForm.ts';

/** The form that writes to the seller of one listing (A2-UI-04). What is typed survives closing and failing. */
export function EmailSeller(props: {
  kind: 'email' | 'offer';
  found: ListingOnPage;
  drafts: EmailDrafts;
  onDraft: (update: (drafts: EmailDrafts) => EmailDrafts) => void;
  onClose: () => void;
}): ReactNode {
  const { kind, found, drafts, onDraft, onClose } = props;
  const formRef = useRef<HTMLFormElement>(null);
  const fields = fieldsOf(drafts, kind, found);
  const { status, errors, submit, recheck } = useEmailForm({
    found,
    fields,
    formRef,
    onSent: () => onDraft((last) => withoutMessage(last, kind, found)),
  });
  const seller = sellerName(found);
  const phone = phoneOf(found);

  if (status === 'sent') return <Sent seller={seller} onClose={onClose} />;

  const isSending = status === 'sending';
  const bind = (name: FieldName) => ({
    name,
    value: fields[name],
    error: errors[name],
    onChange: (value: string) => {
      const typed = { ...fields, [name]: value };
      // From the latest drafts: autofill changes several fields at once.
      onDraft((last) => withFields(last, kind, found, { ...fieldsOf(last, kind, found), [name]: value }));
      recheck(name, typed);
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <form ref={formRef} className={styles['form']} noValidate onSubmit={onSubmit} aria-busy={isSending}>
      <ListingSummary listing={found.listing} seller={seller} />
      <Field {...bind('comments')} label="Message" rows={4} />
      <div className={styles['pair']}>
        <Field
          {...bind('firstName')}
          label="First name"
          required
          isFirst
          input={{ autoComplete: 'given-name' }}
        />
        <Field {...bind('lastName')} label="Last name" required input={{ autoComplete: 'family-name' }} />
      </div>
      <Field
        {...bind('fromEmailAddress')}
        label="Email"
        required
        input={{ type: 'email', autoComplete: 'email', inputMode: 'email' }}
      />
      <Field
        {...bind('phoneNumber')}
        label="Phone"
        input={{ type: 'tel', autoComplete: 'tel', inputMode: 'tel' }}
      />
      <div className={styles['foot']}>
        {status === 'failed' && (
          <p role="alert" className={styles['failure']}>
            Your message was not sent. Nothing you typed is lost: please try again
            {phone && (
              <>
                , or call <a href={telHref(phone)}>{phone}</a>
              </>
            )}
            .
          </p>
        )}
        <div className={styles['actions']}>
          <p className={styles['note']}>Your details go to {seller}, who will answer you.</p>
          {/* Not disabled while sending, or the focus would be lost; a second press does nothing. */}
          <Button type="submit" look="primary" aria-disabled={isSending}>
            {isSending ? 'Sending…' : status === 'failed' ? 'Try again' : 'Send'}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** The form is gone with its focus: the message takes it, and so is read out. */
function Sent({ seller, onClose }: { seller: string; onClose: () => void }): ReactNode {
  const messageRef = useRef<HTMLParagraphElement>(null);
  useEffect(() => messageRef.current?.focus(), []);
  return (
    <div className={styles['form']}>
      <p ref={messageRef} tabIndex={-1} role="status" className={styles['success']}>
        Your message was sent to {seller}.
      </p>
      <div className={styles['actions']}>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
