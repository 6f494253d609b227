import { useState, type ReactNode } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Field } from '../form/Field.tsx';
import styles from '../form/form.module.css';
import { FormFrame } from '../form/FormFrame.tsx';
import { useKeptFields } from '../form/useKeptFields.ts';
import { useForm } from '../form/useForm.ts';
import { outcomeOf, outcomeOfAnswer } from '../outbox/delivery.ts';

const EMAIL = { type: 'email', inputMode: 'email' } as const;

/** Sends a listing's link to somebody by email (AMB-195). */
export function EmailListing({ listingId }: { listingId: string }): ReactNode {
  const { call } = useSlotEnvironment();
  const fields = useKeptFields(`share:${listingId}`, ['toEmail', 'fromEmail', 'message']);
  const [sentTo, setSentTo] = useState('');
  const form = useForm({
    form: 'shareListing',
    about: 'Your email',
    isKept: false,
    fields,
    bodyOf: (typed, idempotencyKey) => ({ ...typed, listingId, idempotencyKey }),
    send: (body) => call('shareListing', {}, { body }).then(outcomeOfAnswer, outcomeOf),
    onOutcome(outcome) {
      if (outcome !== 'sent') return;
      setSentTo(fields.values.toEmail.trim());
      // The next friend gets the same words, at another address.
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
      <div className={`${styles['pair']} ${styles['long']}`}>
        <Field {...form.bind('toEmail')} label="To" required input={{ ...EMAIL, autoComplete: 'off' }} />
        <Field
          {...form.bind('fromEmail')}
          label="From"
          required
          input={{ ...EMAIL, autoComplete: 'email' }}
        />
      </div>
      <Field {...form.bind('message')} label="Message" rows={2} />
    </FormFrame>
  );
}
