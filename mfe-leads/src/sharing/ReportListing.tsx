import type { ReactNode } from 'react';
import type { Listing } from '@forecourt/shared-contracts/entities';
import { REPORT_REASONS } from '@forecourt/shared-contracts/entities/codes';
import { Field } from '../form/Field.tsx';
import { FormFrame } from '../form/FormFrame.tsx';
import { useKeptFields } from '../form/useKeptFields.ts';
import { useLeadForm } from '../form/useLeadForm.ts';
import { useLeads } from '../host/leadsContext.ts';
import { ListingSummary } from '../listing/ListingSummary.tsx';
import { reportForm } from './reportForm.ts';

const REASONS = [['', 'Choose a reason'], ...Object.entries(REPORT_REASONS)] as const;

/** Tells the marketplace what is wrong with a listing (A2-UI-08). */
export function ReportListing(props: {
  listingId: string;
  listing: Listing | undefined;
  onClose: () => void;
}): ReactNode {
  const { listingId, listing, onClose } = props;
  const { delivery, toasts } = useLeads();
  const fields = useKeptFields(reportForm(listingId), ['reason', 'comments', 'email']);
  const form = useLeadForm({
    delivery,
    toasts,
    call: 'reportListing',
    about: 'Your report',
    listingId,
    showsWaiting: true,
    fields,
    bodyOf: (typed, idempotencyKey) => ({ ...typed, listingId, idempotencyKey }),
    onSent: fields.forget,
  });
  return (
    <FormFrame
      form={form}
      send="Send report"
      sent="Thank you. We look into every report within two days."
      onClose={onClose}
    >
      {listing && <ListingSummary listing={listing} />}
      <Field {...form.bind('reason')} label="What is wrong?" required isFirst options={REASONS} />
      <Field {...form.bind('comments')} label="Tell us more" rows={3} />
      <Field
        {...form.bind('email')}
        label="Your email"
        hint="Only if you want an answer."
        input={{ type: 'email', autoComplete: 'email', inputMode: 'email' }}
      />
    </FormFrame>
  );
}
