import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { Listing } from '@forecourt/shared-contracts/entities';
import { REPORT_REASONS } from '@forecourt/shared-contracts/entities/codes';
import { Field } from '../form/Field.tsx';
import { Foot } from '../form/Foot.tsx';
import styles from '../form/form.module.css';
import { Sent } from '../form/Sent.tsx';
import { useForm } from '../form/useForm.ts';
import { useLeads } from '../host/leadsContext.ts';
import { ListingSummary } from '../listing/ListingSummary.tsx';

const NAMES = ['reason', 'comments', 'email'] as const;
type Name = (typeof NAMES)[number];
const REASONS = [['', 'Choose a reason'], ...Object.entries(REPORT_REASONS)] as const;

/** Tells the marketplace what is wrong with a listing (A2-UI-08). */
export function ReportListing(props: {
  listingId: string;
  listing: Listing | undefined;
  onClose: () => void;
}): ReactNode {
  const { listingId, listing, onClose } = props;
  const { delivery, toasts } = useLeads();
  const formRef = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState<Record<Name, string>>({ reason: '', comments: '', email: '' });
  const form = useForm<Name>({
    form: 'reportListing',
    names: NAMES,
    fields,
    formRef,
    bodyOf: (typed, idempotencyKey) => ({ ...typed, listingId, idempotencyKey }),
    send: (body, id) =>
      delivery.send({
        id,
        call: 'reportListing',
        body: body as Record<string, unknown>,
        about: 'Your report',
        listingId,
      }),
    waitingKey: (body) => delivery.waitingKey('reportListing', body),
    onAbandoned: delivery.forget,
    onOutcome: (outcome, isShown) => {
      if (!isShown && outcome === 'sent') toasts.show('Your report was sent. Thank you.');
    },
  });
  if (form.status === 'sent')
    return <Sent onClose={onClose}>Thank you. We look into every report within two days.</Sent>;
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
      {listing && <ListingSummary listing={listing} />}
      <Field {...bind('reason')} label="What is wrong?" required isFirst options={REASONS} />
      <Field {...bind('comments')} label="Tell us more" rows={3} />
      <Field
        {...bind('email')}
        label="Your email"
        hint="Only if you want an answer."
        input={{ type: 'email', autoComplete: 'email', inputMode: 'email' }}
      />
      <Foot
        status={form.status}
        send="Send report"
        failure={
          form.status === 'refused'
            ? 'Your report was not accepted. Nothing you typed is lost.'
            : 'Your report was not sent. Nothing you typed is lost: we keep it in this browser and send it as soon as we can.'
        }
      />
    </form>
  );
}
