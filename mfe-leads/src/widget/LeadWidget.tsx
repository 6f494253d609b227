import { typedZipError, ZIP_LENGTH } from '@forecourt/search/criteria';
import { selectFlag } from '@forecourt/search/state';
import { useSlotEnvironment, usePageState } from '@forecourt/slots';
import { useId, useState, type ReactNode } from 'react';
import { Field } from '../form/Field.tsx';
import { FormFrame } from '../form/FormFrame.tsx';
import { useFields } from '../form/useFields.ts';
import { sellerName, type ListingWithOwner, nearestDealer } from '../listing/findListing.ts';
import { useDelivery } from '../outbox/delivery.ts';
import styles from './LeadWidget.module.css';
import { CONTACT_FIELDS, ContactFields } from '../form/ContactFields.tsx';
import { useLeadForm } from '../form/useLeadForm.ts';

/** Lead form for the nearest dealer on the page. */
export function LeadWidget(): ReactNode {
  const isEnabled = usePageState(selectFlag('leadWidget'));
  const listings = usePageState(({ search }) => search.listings);
  const owners = usePageState(({ search }) => search.owners);
  const dealer = nearestDealer({ listings, owners });
  const headingId = useId();
  if (!isEnabled || !dealer) return null;
  return (
    <section className={styles['widget']} aria-labelledby={headingId}>
      <div className={styles['intro']}>
        <h2 id={headingId} className={styles['heading']}>
          Get help from a nearby dealer
        </h2>
        <p>{reasonFor(dealer)} They can answer questions, hold a car and arrange a test drive.</p>
      </div>
      <LeadWidgetForm dealer={dealer} />
    </section>
  );
}

/** Why this dealer, whose name may be that of another make. */
function reasonFor(dealer: ListingWithOwner): string {
  const { listing, owner } = dealer;
  const { make, model } = listing;
  const name = sellerName(dealer);
  const which =
    owner?.distanceFromSearch === undefined ? name : `${name}, the closest dealer in these results,`;
  return `${which} has a ${make.name} ${model.name}.`;
}

function LeadWidgetForm({ dealer }: { dealer: ListingWithOwner }): ReactNode {
  const { emit } = useSlotEnvironment();
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  // A new search may change the dealer while the confirmation is shown.
  const [sentTo, setSentTo] = useState('');
  const { listing } = dealer;
  const seller = sellerName(dealer);
  const form = useLeadForm({
    delivery: useDelivery(),
    call: 'emailOwner',
    about: `Your message to ${seller}`,
    listingId: listing.id,
    fields: useFields([...CONTACT_FIELDS, 'zip'], { zip: visitorZip ?? '' }),
    rules: { zip: (typed) => (typed === '' ? undefined : typedZipError(typed)) },
    bodyOf: ({ zip, ...typed }, idempotencyKey) => ({
      ...typed,
      comments: `I am looking for a car${zip && ` near ${zip}`} and would like some help. Please contact me.`,
      listingId: listing.id,
      ownerId: listing.ownerId,
      idempotencyKey,
    }),
    onSent() {
      setSentTo(seller);
      emit('lead.sent', { listingId: listing.id });
    },
  });
  return (
    <FormFrame
      form={form}
      isSticky={false}
      send="Get help"
      note={`We’ll share your details with ${seller} so they can reply.`}
      confirmation={`Your message was sent to ${sentTo}.`}
    >
      <ContactFields
        form={form}
        besidePhone={
          <Field
            {...form.bind('zip')}
            label="ZIP Code"
            input={{ autoComplete: 'postal-code', inputMode: 'numeric', maxLength: ZIP_LENGTH }}
          />
        }
      />
    </FormFrame>
  );
}
