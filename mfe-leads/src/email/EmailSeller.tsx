import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { LeadProfile } from '@forecourt/shared-contracts/entities';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Field } from '../form/Field.tsx';
import { Foot } from '../form/Foot.tsx';
import styles from '../form/form.module.css';
import { Sent } from '../form/Sent.tsx';
import { useForm } from '../form/useForm.ts';
import { useLeads } from '../host/leadsContext.ts';
import { phoneOf, sellerName, telHref, type ListingOnPage } from '../listing/findListing.ts';
import { ListingSummary } from '../listing/ListingSummary.tsx';
import { fieldsOf, FIELD_NAMES, withField, withoutWords, type EmailFields } from './drafts.ts';

type Name = (typeof FIELD_NAMES)[number];

/**
 * The form that writes to the seller of one listing (A2-UI-05, A2-UI-06). What
 * is typed survives closing, failing and reloading; what could not be sent is
 * sent later.
 */
export function EmailSeller(props: {
  kind: 'email' | 'editEmail';
  found: ListingOnPage;
  profile: LeadProfile | undefined;
  onClose: () => void;
}): ReactNode {
  const { kind, found, profile, onClose } = props;
  const { listing } = found;
  const { call, emit } = useSlotEnvironment();
  const { delivery, drafts, setDrafts, toasts } = useLeads();
  const formRef = useRef<HTMLFormElement>(null);
  const [isRemembered, setIsRemembered] = useState(profile?.isOneClickOptedIn ?? false);
  const fields = fieldsOf(drafts, kind, found, profile);
  const seller = sellerName(found);
  const phone = phoneOf(found);
  const about = `Your message to ${seller}`;

  const [initialKey] = useState(() => delivery.waitingFor('emailOwner', listing.id));

  const remember = async () => {
    const { firstName, lastName, fromEmailAddress, phoneNumber } = fields;
    const body = {
      firstName: firstName.trim(),
      lastName: lastName.trim(),
      email: fromEmailAddress.trim(),
      phone: phoneNumber.trim(),
      isOneClickOptedIn: isRemembered,
    };
    try {
      await call('saveLeadProfile', {}, { body });
    } catch (error) {
      // The message itself was sent: the next one asks for the details again.
      emit('problem.reported', { code: 'LEAD_PROFILE', message: String(error) });
    }
  };

  const form = useForm<Name>({
    form: 'emailOwner',
    names: FIELD_NAMES,
    fields: { ...fields },
    formRef,
    bodyOf: (typed, idempotencyKey) => ({
      ...typed,
      listingId: listing.id,
      ownerId: listing.ownerId,
      idempotencyKey,
    }),
    send: (body, id) =>
      delivery.send({
        id,
        call: 'emailOwner',
        body: body as Record<string, unknown>,
        about,
        listingId: listing.id,
      }),
    initialKey,
    waitingKey: (body) => delivery.waitingKey('emailOwner', body),
    onAbandoned: delivery.forget,
    onOutcome(outcome, isShown) {
      if (outcome === 'sent') {
        setDrafts((last) => withoutWords(last, kind, found));
        emit('lead.sent', { listingId: listing.id });
        if (isRemembered !== (profile?.isOneClickOptedIn ?? false) || kind === 'editEmail') void remember();
      }
      // A shopper who closed the dialog meanwhile hears it from the page.
      if (!isShown)
        toasts.show(
          outcome === 'sent'
            ? `${about} was sent.`
            : outcome === 'unreachable'
              ? `${about} could not be sent yet. We keep trying.`
              : `${about} was not accepted.`,
        );
    },
  });
  const { settle } = form;
  const settleRef = useRef(settle);
  useEffect(() => {
    settleRef.current = settle;
  });
  useEffect(() => delivery.onLateOutcome(({ id }, outcome) => settleRef.current(id, outcome)), [delivery]);

  if (form.status === 'sent') return <Sent onClose={onClose}>Your message was sent to {seller}.</Sent>;

  const bind = (name: Name) => ({
    name,
    value: fields[name],
    error: form.errors[name],
    onChange(value: string) {
      // From the latest drafts: autofill changes several fields at once.
      setDrafts((last) => withField(last, kind, found, name, value));
      form.recheck(name, { ...fields, [name]: value } satisfies EmailFields);
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit();
  };
  const orCall = phone && (
    <>
      {' '}
      You can also call <a href={telHref(phone)}>{phone}</a>.
    </>
  );
  return (
    <form
      ref={formRef}
      className={styles['form']}
      noValidate
      onSubmit={onSubmit}
      aria-busy={form.status === 'sending'}
    >
      <ListingSummary listing={listing} seller={seller} />
      {kind === 'editEmail' && (
        <p>Some of your details are missing. Complete them, and your next email takes one click.</p>
      )}
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
      <label className={styles['choice']}>
        <input
          type="checkbox"
          name="isOneClickOptedIn"
          checked={isRemembered}
          onChange={(event) => setIsRemembered(event.target.checked)}
        />
        Remember my details and email sellers with one click
      </label>
      <Foot
        status={form.status}
        note={`Your details go to ${seller}, who will answer you.`}
        failure={
          form.status === 'refused' ? (
            <>
              {about} was not accepted: the vehicle may be gone. Nothing you typed is lost.{orCall}
            </>
          ) : (
            <>
              {about} was not sent. Nothing you typed is lost: we keep it in this browser and send it as soon
              as we can.{orCall}
            </>
          )
        }
      />
    </form>
  );
}
