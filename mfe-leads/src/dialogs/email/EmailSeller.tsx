import { useState, type ReactNode } from 'react';
import { useSlotEnvironment } from '@forecourt/slots';
import type { LeadProfile } from '@forecourt/upstream/entities';
import styles from './EmailSeller.module.css';
import { Field } from '../../form/Field.tsx';
import { FormFrame } from '../../form/FormFrame.tsx';
import { VEHICLE_MAY_BE_GONE } from '../../form/submission.ts';
import { useLeads } from '../../state/leadsContext.ts';
import { phoneOf, sellerName, telHref, type ListingWithOwner } from '../../listing/findListing.ts';
import { ListingSummary } from '../../listing/ListingSummary.tsx';
import { ContactFields } from '../../form/ContactFields.tsx';
import { useLeadForm } from '../../form/useLeadForm.ts';
import { emailActionFor } from './useEmailSeller.ts';
import { draftFields, EMAIL_FIELD_NAMES, withField, withoutMessage } from '../../state/drafts.ts';

/** State and submission of the email form. */
function useEmailForm(props: EmailSellerProps) {
  const { kind, vehicle, profile } = props;
  const { listing } = vehicle;
  const { call, emit } = useSlotEnvironment();
  const { delivery, drafts, setDrafts, toasts } = useLeads();
  const wasOptedIn = profile?.isOneClickOptedIn ?? false;
  const [isOptedIn, setIsOptedIn] = useState(wasOptedIn);
  const values = draftFields(drafts, kind, vehicle, profile);

  const saveProfile = async () => {
    const body = {
      firstName: values.firstName.trim(),
      lastName: values.lastName.trim(),
      email: values.fromEmailAddress.trim(),
      phone: values.phoneNumber.trim(),
      isOneClickOptedIn: isOptedIn,
    };
    try {
      await call('saveLeadProfile', {}, { body });
      emit('lead.oneClickChanged', { isOn: emailActionFor(body) === 'sendNow' });
    } catch (error) {
      // The message was sent; the next one asks for the details again.
      emit('problem.reported', { code: 'LEAD_PROFILE', message: String(error) });
    }
  };
  const form = useLeadForm({
    delivery,
    toasts,
    call: 'emailOwner',
    about: `Your message to ${sellerName(vehicle)}`,
    refusalReason: VEHICLE_MAY_BE_GONE,
    listingId: listing.id,
    showsPending: true,
    fields: {
      names: EMAIL_FIELD_NAMES,
      values,
      // Functional update: autofill changes several fields at once.
      change: (name, value) => setDrafts((last) => withField(last, kind, vehicle, name, value)),
    },
    bodyOf: (typed, idempotencyKey) => ({
      ...typed,
      listingId: listing.id,
      ownerId: listing.ownerId,
      idempotencyKey,
    }),
    onSent() {
      setDrafts((last) => withoutMessage(last, kind, vehicle));
      emit('lead.sent', { listingId: listing.id });
      if (isOptedIn !== wasOptedIn || kind === 'editEmail') void saveProfile();
    },
  });
  return { form, isOptedIn, setIsOptedIn };
}

interface EmailSellerProps {
  kind: 'email' | 'editEmail';
  vehicle: ListingWithOwner;
  profile: LeadProfile | undefined;
  onClose: () => void;
}

/**
 * Form that emails the seller of a listing. The text
 * survives closing, failures and reloads; an undelivered message is queued.
 */
export function EmailSeller(props: EmailSellerProps): ReactNode {
  const { kind, vehicle, onClose } = props;
  const { form, isOptedIn, setIsOptedIn } = useEmailForm(props);
  const seller = sellerName(vehicle);
  const phone = phoneOf(vehicle);
  return (
    <FormFrame
      form={form}
      note={`We’ll share your details with ${seller} so they can reply.`}
      alternative={
        phone && (
          <>
            {' '}
            You can also call <a href={telHref(phone)}>{phone}</a>.
          </>
        )
      }
      confirmation={`Your message was sent to ${seller}.`}
      onClose={onClose}
    >
      <ListingSummary listing={vehicle.listing} seller={seller} />
      {kind === 'editEmail' && (
        <p>Some of your details are missing. Add them to email sellers with one click next time.</p>
      )}
      <Field {...form.bind('comments')} label="Message" rows={4} />
      <ContactFields form={form} isFirst />
      <label className={styles['choice']}>
        <input
          type="checkbox"
          name="isOneClickOptedIn"
          checked={isOptedIn}
          onChange={(event) => setIsOptedIn(event.target.checked)}
        />
        Remember my details and email sellers with one click
      </label>
    </FormFrame>
  );
}
