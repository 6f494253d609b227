import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { Field } from '../form/Field.tsx';
import { Foot } from '../form/Foot.tsx';
import formStyles from '../form/form.module.css';
import { useForm } from '../form/useForm.ts';
import { sellerName, type ListingOnPage } from '../listing/findListing.ts';
import { useDelivery } from '../outbox/useDelivery.ts';
import styles from './LeadWidget.module.css';
import { nearestDealer } from './nearestDealer.ts';

const NAMES = ['firstName', 'lastName', 'fromEmailAddress', 'phoneNumber', 'zip'] as const;
type Name = (typeof NAMES)[number];
const EMPTY: Record<Name, string> = {
  firstName: '',
  lastName: '',
  fromEmailAddress: '',
  phoneNumber: '',
  zip: '',
};

/** 'Get help from a nearby dealer': a message to the nearest dealer of the page (B2-BOTTOM-08, AMB-120). */
export function LeadWidget(): ReactNode {
  const isOn = usePageState(selectFlag('leadWidget'));
  const listings = usePageState(({ search }) => search.listings);
  const owners = usePageState(({ search }) => search.owners);
  const dealer = nearestDealer({ listings, owners });
  if (!isOn || !dealer) return null;
  return <WidgetForm dealer={dealer} />;
}

function WidgetForm({ dealer }: { dealer: ListingOnPage }): ReactNode {
  const { emit } = useSlotEnvironment();
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  const delivery = useDelivery();
  const headingId = useId();
  const formRef = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState({ ...EMPTY, zip: visitorZip ?? '' });
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { listing } = dealer;
  const seller = sellerName(dealer);

  const form = useForm<Name>({
    form: 'emailOwner',
    names: NAMES,
    fields,
    formRef,
    bodyOf: ({ zip, ...typed }, idempotencyKey) => ({
      ...typed,
      comments: `I am looking for a car${zip && ` near ${zip}`} and would like some help. Please contact me.`,
      listingId: listing.id,
      ownerId: listing.ownerId,
      idempotencyKey,
    }),
    send: (body, id) =>
      delivery.send({
        id,
        call: 'emailOwner',
        body: body as Record<string, unknown>,
        about: `Your message to ${seller}`,
        listingId: listing.id,
      }),
    waitingKey: (body) => delivery.waitingKey('emailOwner', body),
    onAbandoned: delivery.forget,
    onOutcome(outcome) {
      if (outcome !== 'sent') return;
      setSentTo(seller);
      emit('lead.sent', { listingId: listing.id });
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
    <section className={styles['widget']} aria-labelledby={headingId}>
      <div className={styles['intro']}>
        <h2 id={headingId} className={styles['heading']}>
          Get help from a nearby dealer
        </h2>
        <p>
          Tell {seller} how to reach you. They answer questions, hold a car for you and arrange a test drive.
        </p>
      </div>
      {sentTo === null ? (
        <form
          ref={formRef}
          className={formStyles['form']}
          noValidate
          onSubmit={onSubmit}
          aria-busy={form.status === 'sending'}
        >
          <div className={formStyles['pair']}>
            <Field
              {...bind('firstName')}
              label="First name"
              required
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
          <div className={formStyles['pair']}>
            <Field
              {...bind('phoneNumber')}
              label="Phone"
              input={{ type: 'tel', autoComplete: 'tel', inputMode: 'tel' }}
            />
            <Field
              {...bind('zip')}
              label="ZIP Code"
              input={{ autoComplete: 'postal-code', inputMode: 'numeric', maxLength: 5 }}
            />
          </div>
          <Foot
            status={form.status}
            isSticky={false}
            send="Get help"
            note={`Your details go to ${seller}, who will answer you.`}
            failure={
              form.status === 'refused'
                ? 'Your message was not accepted. Nothing you typed is lost.'
                : 'Your message was not sent. Nothing you typed is lost: we keep it in this browser and send it as soon as we can.'
            }
          />
        </form>
      ) : (
        <p role="status" className={formStyles['success']}>
          Your message was sent to {sentTo}.
        </p>
      )}
    </section>
  );
}
