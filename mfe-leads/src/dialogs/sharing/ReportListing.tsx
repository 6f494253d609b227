import type { ReactNode } from 'react';
import { REPORT_REASONS } from '@forecourt/upstream/codes';
import type { Listing } from '@forecourt/upstream/entities';
import { Field } from '../../form/Field.tsx';
import { FormFrame } from '../../form/FormFrame.tsx';
import { useDraftFields } from '../../form/useFields.ts';
import { ListingSummary } from '../../listing/ListingSummary.tsx';
import { useLeads } from '../../state/leadsContext.ts';
import { useLeadForm } from '../../form/useLeadForm.ts';
import { reportFormName } from '../../state/drafts.ts';

const REASONS = [['', 'Choose a reason'], ...Object.entries(REPORT_REASONS)] as const;

/** Reports a problem with a listing to the marketplace. */
export function ReportListing(props: {
  listingId: string;
  listing: Listing | undefined;
  onClose: () => void;
}): ReactNode {
  const { listingId, listing, onClose } = props;
  const { delivery, toasts } = useLeads();
  const fields = useDraftFields(reportFormName(listingId), ['reason', 'comments', 'email']);
  const form = useLeadForm({
    delivery,
    toasts,
    call: 'reportListing',
    about: 'Your report',
    listingId,
    showsPending: true,
    fields,
    bodyOf: (typed, idempotencyKey) => ({ ...typed, listingId, idempotencyKey }),
    onSent: fields.clear,
  });
  return (
    <FormFrame
      form={form}
      send="Send report"
      confirmation="Thanks. We review every report within two days."
      onClose={onClose}
    >
      {listing && <ListingSummary listing={listing} />}
      <Field
        {...form.bind('reason')}
        label="What’s wrong with this listing?"
        required
        isFirst
        options={REASONS}
      />
      <Field {...form.bind('comments')} label="Tell us more" rows={3} />
      <Field
        {...form.bind('email')}
        label="Your email"
        hint="Only if you’d like a reply."
        input={{ type: 'email', autoComplete: 'email', inputMode: 'email' }}
      />
    </FormFrame>
  );
}
