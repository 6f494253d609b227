import { useState, type ReactNode } from 'react';
import type { LeadProfile } from '@forecourt/shared-contracts/entities';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { ContactFields } from '../form/ContactFields.tsx';
import { Field } from '../form/Field.tsx';
import styles from '../form/form.module.css';
import { FormFrame } from '../form/FormFrame.tsx';
import { VEHICLE_MAY_BE_GONE } from '../form/outcomeText.ts';
import { useLeadForm } from '../form/useLeadForm.ts';
import { useLeads } from '../host/leadsContext.ts';
import { phoneOf, sellerName, telHref, type ListingOnPage } from '../listing/findListing.ts';
import { ListingSummary } from '../listing/ListingSummary.tsx';
import { fieldsOf, FIELD_NAMES, withField, withoutWords } from './drafts.ts';

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
  const wasRemembered = profile?.isOneClickOptedIn ?? false;
  const [isRemembered, setIsRemembered] = useState(wasRemembered);
  const values = fieldsOf(drafts, kind, found, profile);
  const seller = sellerName(found);
  const phone = phoneOf(found);

  const remember = async () => {
    const body = {
      firstName: values.firstName.trim(),
      lastName: values.lastName.trim(),
      email: values.fromEmailAddress.trim(),
      phone: values.phoneNumber.trim(),
      isOneClickOptedIn: isRemembered,
    };
    try {
      await call('saveLeadProfile', {}, { body });
    } catch (error) {
      // The message itself was sent: the next one asks for the details again.
      emit('problem.reported', { code: 'LEAD_PROFILE', message: String(error) });
    }
  };
  const form = useLeadForm({
    delivery,
    toasts,
    call: 'emailOwner',
    about: `Your message to ${seller}`,
    refusedBecause: VEHICLE_MAY_BE_GONE,
    listingId: listing.id,
    showsWaiting: true,
    fields: {
      names: FIELD_NAMES,
      values,
      // From the latest drafts: autofill changes several fields at once.
      change: (name, value) => setDrafts((last) => withField(last, kind, found, name, value)),
    },
    bodyOf: (typed, idempotencyKey) => ({
      ...typed,
      listingId: listing.id,
      ownerId: listing.ownerId,
      idempotencyKey,
    }),
    onSent() {
      setDrafts((last) => withoutWords(last, kind, found));
      emit('lead.sent', { listingId: listing.id });
      if (isRemembered !== wasRemembered || kind === 'editEmail') void remember();
    },
  });
  return (
    <FormFrame
      form={form}
      note={`Your details go to ${seller}, who will answer you.`}
      otherWay={
        phone && (
          <>
            {' '}
            You can also call <a href={telHref(phone)}>{phone}</a>.
          </>
        )
      }
      sent={`Your message was sent to ${seller}.`}
      onClose={onClose}
    >
      <ListingSummary listing={listing} seller={seller} />
      {kind === 'editEmail' && (
        <p>Some of your details are missing. Complete them, and your next email takes one click.</p>
      )}
      <Field {...form.bind('comments')} label="Message" rows={4} />
      <ContactFields form={form} isFirst />
      <label className={styles['choice']}>
        <input
          type="checkbox"
          name="isOneClickOptedIn"
          checked={isRemembered}
          onChange={(event) => setIsRemembered(event.target.checked)}
        />
        Remember my details and email sellers with one click
      </label>
    </FormFrame>
  );
}
