import { useEffect, useRef, type FC, type ReactNode, type Ref, type RefObject } from 'react';
import { useCloseOnBack, useSlotEnvironment } from '@forecourt/slots';
import type { LeadProfile } from '@forecourt/upstream/entities';
import { createIdempotencyKeys, outcomeMessage, VEHICLE_MAY_BE_GONE } from '../../form/submission.ts';
import { UNSENT_KEY } from '../../form/useForm.ts';
import { sellerName, type ListingWithOwner } from '../../listing/findListing.ts';
import { useLeads, type Leads } from '../../state/leadsContext.ts';
import { MAKE_OFFER_ELEMENT } from '../../trustedScripts.ts';
import { loadCheck } from '../../form/useCheckedFields.ts';
import {
  draftFields,
  withField,
  withoutMessage,
  type EmailFields,
  type FieldName,
} from '../../state/drafts.ts';

/** Custom element of the make-offer script; the script documents its members. */
interface MakeOfferElement extends HTMLElement {
  readonly values: EmailFields;
  open(vehicle: { title: string; price: number | undefined }): void;
  close(): void;
  fill(fields: Partial<EmailFields>): void;
  showErrors(errors: Readonly<Record<string, string | undefined>>): void;
  settle(outcome: 'sent' | 'failed', text: string): void;
}
const OfferElement = MAKE_OFFER_ELEMENT as unknown as FC<{ ref: Ref<MakeOfferElement> }>;
type Offer = Omit<EmailFields, 'offerAmount'> & { readonly offerAmount: number };

interface MakeOfferProps {
  readonly vehicle: ListingWithOwner;
  readonly profile: LeadProfile | undefined;
  readonly onClose: () => void;
}

/**
 * Opens the make-offer element, validates and sends the offer.
 * Text is saved per listing, a double click sends once, and an undelivered
 * offer is queued.
 */
export function MakeOffer(props: MakeOfferProps): ReactNode {
  const ref = useRef<MakeOfferElement>(null);
  useOffer(ref, props);
  useCloseOnBack(true, () => ref.current?.close());
  return <OfferElement ref={ref} />;
}

/** Returns the function that sends an offer once; `showErrors` gets validation errors. */
function createOfferSender({
  delivery,
  vehicle: { listing },
  about,
  showErrors,
}: Pick<Leads, 'delivery'> & {
  readonly vehicle: ListingWithOwner;
  readonly about: string;
  readonly showErrors: MakeOfferElement['showErrors'];
}) {
  const keys = createIdempotencyKeys({
    initialKey: delivery.findPendingKey('makeOffer', listing.id),
    findDuplicateKey: (body) => delivery.findDuplicateKey('makeOffer', body),
    onAbandoned: delivery.discard,
  });
  return async (offer: Offer) => {
    const unkeyed = { ...offer, listingId: listing.id, ownerId: listing.ownerId };
    const errors = (await loadCheck())('makeOffer', { ...unkeyed, idempotencyKey: UNSENT_KEY });
    if (Object.keys(errors).length > 0) {
      showErrors(errors);
      return undefined;
    }
    const id = keys.keyOf(unkeyed);
    const body = { ...unkeyed, idempotencyKey: id };
    return delivery.send({ id, call: 'makeOffer', body, about, listingId: listing.id });
  };
}

function useOffer(ref: RefObject<MakeOfferElement | null>, props: MakeOfferProps): void {
  const { emit } = useSlotEnvironment();
  const { delivery, drafts, setDrafts, toasts } = useLeads();
  const latest = useRef({ ...props, drafts });
  useEffect(() => {
    latest.current = { ...props, drafts };
  });

  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const { vehicle, profile } = latest.current;
    const { listing } = vehicle;
    const about = vehicle.owner?.privateSeller
      ? 'Your offer to the seller'
      : `Your offer to ${sellerName(vehicle)}`;
    let isMounted = true;
    const send = createOfferSender({
      delivery,
      vehicle,
      about,
      showErrors: (errors) => element.showErrors(errors),
    });
    const submit = async (event: Event) => {
      const outcome = await send((event as CustomEvent<Offer>).detail);
      if (!outcome) return;
      const message = outcomeMessage({ about, refusalReason: VEHICLE_MAY_BE_GONE, isQueued: true }, outcome);
      if (outcome === 'sent') {
        setDrafts((last) => withoutMessage(last, 'offer', vehicle));
        emit('lead.sent', { listingId: listing.id });
      }
      if (isMounted) element.settle(outcome === 'sent' ? 'sent' : 'failed', message);
      else toasts.show(message);
    };
    const onSubmit = (event: Event) => void submit(event);
    const saveDraft = () => {
      for (const [name, value] of Object.entries(element.values) as [FieldName, string][])
        setDrafts((last) => withField(last, 'offer', vehicle, name, value));
    };
    const close = () => latest.current.onClose();
    element.addEventListener('offer-submit', onSubmit);
    element.addEventListener('input', saveDraft);
    element.addEventListener('offer-close', close);
    element.fill(draftFields(latest.current.drafts, 'offer', vehicle, profile));
    element.open({ title: listing.title, price: listing.pricingDetail.derivedPrice });
    return () => {
      isMounted = false;
      element.removeEventListener('offer-submit', onSubmit);
      element.removeEventListener('input', saveDraft);
      element.removeEventListener('offer-close', close);
      element.close();
    };
  }, [ref, delivery, setDrafts, emit, toasts]);
}
