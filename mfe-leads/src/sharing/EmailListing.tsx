import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Field } from '../form/Field.tsx';
import { Foot } from '../form/Foot.tsx';
import styles from '../form/form.module.css';
import { useForm } from '../form/useForm.ts';
import { outcomeOf, outcomeOfAnswer } from '../outbox/delivery.ts';

const NAMES = ['toEmail', 'fromEmail', 'message'] as const;
type Name = (typeof NAMES)[number];
const EMAIL = { type: 'email', inputMode: 'email' } as const;

/** Sends a listing's link to somebody by email (AMB-195). */
export function EmailListing({ listingId }: { listingId: string }): ReactNode {
  const { call } = useSlotEnvironment();
  const formRef = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState<Record<Name, string>>({ toEmail: '', fromEmail: '', message: '' });
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<Name>({
    form: 'shareListing',
    names: NAMES,
    fields,
    formRef,
    bodyOf: (typed, idempotencyKey) => ({ ...typed, listingId, idempotencyKey }),
    send: (body) => call('shareListing', {}, { body }).then(outcomeOfAnswer, outcomeOf),
    onOutcome(outcome) {
      if (outcome !== 'sent') return;
      setSentTo(fields.toEmail.trim());
      // The next friend gets the same words, at another address.
      setFields((last) => ({ ...last, toEmail: '' }));
    },
  });
  const bind = (name: Name) => ({
    name,
    value: fields[name],
    error: form.errors[name],
    onChange(value: string) {
      const typed = { ...fields, [name]: value };
      setFields((last) => ({ ...last, [name]: value }));
      form.recheck(name, typed);
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <form
      ref={formRef}
      className={styles['form']}
      noValidate
      onSubmit={onSubmit}
      aria-busy={form.status === 'sending'}
    >
      <div className={styles['pair']}>
        <Field {...bind('toEmail')} label="To" required input={{ ...EMAIL, autoComplete: 'off' }} />
        <Field {...bind('fromEmail')} label="From" required input={{ ...EMAIL, autoComplete: 'email' }} />
      </div>
      <Field {...bind('message')} label="Message" rows={2} />
      <Foot
        status={form.status}
        isSticky={false}
        send="Send email"
        note={<span role="status">{form.status === 'sent' && sentTo !== null && `Sent to ${sentTo}.`}</span>}
        failure={
          form.status === 'refused'
            ? 'Your email was not accepted. Nothing you typed is lost.'
            : 'Your email was not sent. Nothing you typed is lost.'
        }
      />
    </form>
  );
}
