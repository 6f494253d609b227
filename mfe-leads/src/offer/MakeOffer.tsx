import { useEffect, useRef, type FC, type ReactNode, type Ref, type RefObject } from 'react';
import type { LeadProfile } from '@forecourt/shared-contracts/entities';
import { useCloseOnBack, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { fieldsOf, withField, withoutWords, type EmailFields, type FieldName } from '../email/drafts.ts';
import { loadCheck } from '../form/forms.ts';
import { outcomeText, VEHICLE_MAY_BE_GONE } from '../form/outcomeText.ts';
import { createSendingKeys } from '../form/sendingKeys.ts';
import { useLeads } from '../host/leadsContext.ts';
import { sellerName, type ListingOnPage } from '../listing/findListing.ts';
import { MAKE_OFFER_ELEMENT } from './loadMakeOffer.ts';

/** The element that the make-offer script defines; the script says what each part does. */
interface MakeOfferElement extends HTMLElement {
  readonly values: EmailFields;
  open(vehicle: { title: string; price: number | undefined }): void;
  close(): void;
  fill(fields: Partial<EmailFields>): void;
  showErrors(errors: Readonly<Record<string, string | undefined>>): void;
  settle(outcome: 'sent' | 'failed', text: string): void;
}
/** The custom element as JSX takes it. */
const OfferElement = MAKE_OFFER_ELEMENT as unknown as FC<{ ref: Ref<MakeOfferElement> }>;
type Offer = Omit<EmailFields, 'offerAmount'> & { readonly offerAmount: number };

/**
 * Lets the make-offer element ask for an offer, and checks and sends it
 * (A4-FLOW-09): typed text is kept by listing, a double click sends once, and
 * what cannot be sent now is sent later.
 */
export function MakeOffer(props: {
  found: ListingOnPage;
  profile: LeadProfile | undefined;
  onClose: () => void;
}): ReactNode {
  const ref = useRef<MakeOfferElement>(null);
  useOffer(ref, props);
  useCloseOnBack(true, () => ref.current?.close());
  return <OfferElement ref={ref} />;
}

function useOffer(ref: RefObject<MakeOfferElement | null>, props: Parameters<typeof MakeOffer>[0]): void {
  const { emit } = useSlotEnvironment();
  const { delivery, drafts, setDrafts, toasts } = useLeads();
  const latest = useRef({ ...props, drafts, toasts });
  useEffect(() => {
    latest.current = { ...props, drafts, toasts };
  });

  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const { found, profile } = latest.current;
    const { listing } = found;
    const seller = sellerName(found);
    const about = `Your offer to ${seller}`;
    let isShown = true;
    const keys = createSendingKeys({
      initialKey: delivery.waitingFor('makeOffer', listing.id),
      waitingKey: (body) => delivery.waitingKey('makeOffer', body),
      onAbandoned: delivery.forget,
    });
    const send = async (offer: Offer) => {
      const words = { ...offer, listingId: listing.id, ownerId: listing.ownerId };
      const errors = (await loadCheck())('makeOffer', { ...words, idempotencyKey: 'not sent yet' });
      if (Object.keys(errors).length > 0) return element.showErrors(errors);
      const id = keys.keyOf(words);
      const body = { ...words, idempotencyKey: id };
      const outcome = await delivery.send({ id, call: 'makeOffer', body, about, listingId: listing.id });
      const text = outcomeText({ about, refusedBecause: VEHICLE_MAY_BE_GONE, isKept: true }, outcome);
      if (outcome === 'sent') {
        setDrafts((last) => withoutWords(last, 'offer', found));
        emit('lead.sent', { listingId: listing.id });
      }
      // A shopper who closed the dialog meanwhile hears it from the page.
      if (isShown) element.settle(outcome === 'sent' ? 'sent' : 'failed', text);
      else latest.current.toasts.show(text);
    };
    const submit = (event: Event) => void send((event as CustomEvent<Offer>).detail);
    const keep = () => {
      for (const [name, value] of Object.entries(element.values) as [FieldName, string][])
        setDrafts((last) => withField(last, 'offer', found, name, value));
    };
    const close = () => latest.current.onClose();
    element.addEventListener('offer-submit', submit);
    element.addEventListener('input', keep);
    element.addEventListener('offer-close', close);
    element.fill(fieldsOf(latest.current.drafts, 'offer', found, profile));
    element.open({ title: listing.title, price: listing.pricingDetail.derivedPrice });
    return () => {
      isShown = false;
      element.removeEventListener('offer-submit', submit);
      element.removeEventListener('input', keep);
      element.removeEventListener('offer-close', close);
      element.close();
    };
  }, [ref, delivery, setDrafts, emit]);
}
