import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { sameOriginPath } from '@forecourt/shared-contracts/url';
import { type RootState, selectFlag } from '@forecourt/shared-contracts/store';
import { useSlotEnvironment, type SlotEnvironment, type Call } from '@forecourt/shared-contracts/slots';
import { useEmailSeller } from '../dialogs/email/useEmailSeller.ts';
import { createMakeOfferLoader } from '../trustedScripts.ts';
import { useLeads } from '../state/leadsContext.ts';
import {
  loadCertifiedProgram,
  loadDealerDifference,
  type CertifiedProgram,
  type DealerDifference,
} from '../dialogs/content/loadContent.ts';
import { lookUpListing, type ListingWithOwner } from '../listing/findListing.ts';
import { searchTitle } from '../savedSearch/savedSearch.ts';
import type { LeadProfile } from '@forecourt/shared-contracts/entities';
import type { EventInput } from '@forecourt/shared-contracts/events';
import type { SignInRequest } from '../dialogs/signIn/SignInPrompt.tsx';

/** Content of a dialog, as of the request: a new search does not change it. */
type DialogContent =
  | {
      readonly kind: 'email' | 'editEmail' | 'offer' | 'call' | 'share' | 'report';
      readonly listingId: string;
      readonly vehicle: ListingWithOwner | undefined;
      readonly profile?: LeadProfile | undefined;
    }
  | { readonly kind: 'wallet'; readonly vehicle: ListingWithOwner | undefined }
  | { readonly kind: 'emailSearch'; readonly search: { readonly url: string; readonly title: string } }
  | { readonly kind: 'signIn'; readonly request: SignInRequest }
  | ({ readonly kind: 'certifiedProgram' } & CertifiedProgram)
  | { readonly kind: 'dealerDifference'; readonly dealer: DealerDifference; readonly name: string }
  | { readonly kind: 'electricVehicles' };

/** `id` is unique per opening, so that each opening starts with a fresh form. */
export type OpenDialog = DialogContent & { readonly id: number };

type DialogKind = DialogContent['kind'];

/** Dialogs that other remotes open by name. */
const NAMED_DIALOGS = [
  'wallet',
  'emailSearch',
  'certifiedProgram',
  'dealerDifference',
  'electricVehicles',
] as const satisfies readonly (EventInput<'dialog.requested'>['name'] & DialogKind)[];
type NamedDialog = (typeof NAMED_DIALOGS)[number];

const isNamedDialog = (name: string): name is NamedDialog => NAMED_DIALOGS.some((dialog) => dialog === name);

/** Text-only dialogs, which the shared dialog renders in a readable width. */
export const TEXT_DIALOGS: readonly DialogKind[] = [
  'certifiedProgram',
  'dealerDifference',
  'electricVehicles',
];

const TITLES: Readonly<Record<Exclude<DialogKind, 'certifiedProgram' | 'dealerDifference'>, string>> = {
  email: 'Email the seller',
  editEmail: 'Complete your details',
  offer: 'Make an offer',
  call: 'Call the seller',
  share: 'Share this vehicle',
  report: 'Report this vehicle',
  signIn: 'Sign in',
  emailSearch: 'Get emails for this search',
  wallet: 'My wallet',
  electricVehicles: 'Electric vehicle types',
};

export function titleOf(content: DialogContent): string {
  if (content.kind === 'certifiedProgram') return content.program.heading;
  if (content.kind === 'dealerDifference') return `Why ${content.name}`;
  return TITLES[content.kind];
}

interface NamedRequest {
  readonly name: NamedDialog;
  readonly listingId?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly productId?: string | undefined;
}
type ContentRequest = Omit<NamedRequest, 'name'>;

/** Resolves to the dialog's content, or undefined when no dialog opens. */
type PreparedContent = Promise<DialogContent | undefined>;

interface PrepareOptions {
  readonly call: Call;
  readonly getState: () => RootState;
  /** Sends a one-click email, or resolves to the form to open. */
  readonly emailSeller: (vehicle: ListingWithOwner) => PreparedContent;
  readonly loadMakeOffer: () => Promise<void>;
  /** Logs why a dialog did not open and offers the shopper a retry. */
  readonly reportFailure: (
    code: string,
    error: unknown,
    message: string,
    retry: () => PreparedContent,
  ) => void;
}

/** Content of each dialog, by the intent that opens it. Some dialogs open only once their content has loaded. */
function createContentPreparers(options: PrepareOptions) {
  const { call, getState, emailSeller, loadMakeOffer, reportFailure } = options;
  const find = (listingId: string) => lookUpListing(getState().search, listingId, call);

  const makeOffer = async (listingId: string): PreparedContent => {
    try {
      const [vehicle] = await Promise.all([find(listingId), loadMakeOffer()]);
      return { kind: 'offer', listingId, vehicle };
    } catch (error) {
      const message = 'We can’t load the offer form right now.';
      reportFailure('MAKE_OFFER_SCRIPT', error, message, () => makeOffer(listingId));
      return undefined;
    }
  };

  const certifiedProgram = async (request: ContentRequest): PreparedContent => {
    const { listingId, productId } = request;
    const vehicle = listingId === undefined ? undefined : await find(listingId);
    const query = {
      productId: productId ?? vehicle?.listing.certifiedProduct,
      makeCode: vehicle?.listing.makeCode ?? getState().search.criteria.filters.makeCode?.[0],
    };
    try {
      return { kind: 'certifiedProgram', ...(await loadCertifiedProgram(query, call)) };
    } catch (error) {
      const message = 'We can’t show this program right now.';
      reportFailure('CERTIFIED_PROGRAM', error, message, () => certifiedProgram(request));
      return undefined;
    }
  };

  const dealerDifference = async ({ ownerId, listingId }: ContentRequest): PreparedContent => {
    const { owners } = getState().search;
    const owner =
      (ownerId === undefined ? undefined : owners[ownerId]) ??
      (listingId === undefined ? undefined : (await find(listingId))?.owner);
    if (!owner?.dealerDiff) return undefined;
    const dealer = await loadDealerDifference(owner.dealerDiff.contentId, call);
    return dealer && { kind: 'dealerDifference', dealer, name: owner.name };
  };

  return {
    async contact(kind: 'email' | 'offer' | 'call', listingId: string): PreparedContent {
      if (kind === 'offer') return makeOffer(listingId);
      const vehicle = await find(listingId);
      // Sellers who accept no email are called instead (AMB-122).
      if (kind === 'call' || vehicle?.owner?.hideEmailForm) return { kind: 'call', listingId, vehicle };
      return vehicle ? emailSeller(vehicle) : { kind: 'email', listingId, vehicle };
    },
    async aboutListing(kind: 'share' | 'report', listingId: string): PreparedContent {
      return { kind, listingId, vehicle: await find(listingId) };
    },
    async named(request: NamedRequest): PreparedContent {
      const { search } = getState();
      switch (request.name) {
        case 'emailSearch':
          return { kind: 'emailSearch', search: { url: search.url, title: searchTitle(search) } };
        case 'wallet':
          if (!selectFlag('wallet')(getState())) return undefined;
          return { kind: 'wallet', vehicle: request.listingId ? await find(request.listingId) : undefined };
        case 'certifiedProgram':
          return certifiedProgram(request);
        case 'dealerDifference':
          return dealerDifference(request);
        default:
          return { kind: 'electricVehicles' };
      }
    },
  };
}

type OpenWhenReady = (prepare: () => PreparedContent | DialogContent) => Promise<void>;

/** Opens dialogs on intents from the bus; returns the unsubscribe function. */
function listenForDialogs(
  listen: SlotEnvironment['listen'],
  open: OpenWhenReady,
  prepare: ReturnType<typeof createContentPreparers>,
): () => void {
  const stopListening = [
    listen('lead.requested', ({ kind, listingId }) => void open(() => prepare.contact(kind, listingId))),
    listen(
      'listing.shareRequested',
      ({ listingId }) => void open(() => prepare.aboutListing('share', listingId)),
    ),
    listen(
      'listing.reportRequested',
      ({ listingId }) => void open(() => prepare.aboutListing('report', listingId)),
    ),
    listen('signIn.requested', (request) => void open(() => ({ kind: 'signIn', request }))),
    listen('dialog.requested', (request) => {
      const { name } = request;
      if (isNamedDialog(name)) void open(() => prepare.named({ ...request, name }));
    }),
  ];
  return () => stopListening.forEach((stop) => stop());
}

/**
 * The open dialog: one at a time, the latest request wins. While a dialog's
 * content loads, another request may replace it.
 */
export function useDialogs(): { dialog: OpenDialog | null; close: () => void } {
  const { call, emit, listen } = useSlotEnvironment();
  const { toasts } = useLeads();
  const store = useStore<RootState>();
  const emailSeller = useEmailSeller();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const lastId = useRef(0);
  const [loadMakeOffer] = useState(createMakeOfferLoader);

  useEffect(() => {
    const open: OpenWhenReady = async (prepare) => {
      const id = (lastId.current += 1);
      const content = await prepare();
      if (content && lastId.current === id) setDialog({ ...content, id });
    };
    const prepare = createContentPreparers({
      call,
      getState: () => store.getState(),
      emailSeller,
      loadMakeOffer,
      reportFailure(code, error, message, retry) {
        emit('problem.reported', { code, message: error instanceof Error ? error.message : String(error) });
        toasts.show(message, { label: 'Try again', onUse: () => void open(retry) });
      },
    });
    const stopListening = listenForDialogs(listen, open, prepare);
    // A link may open the sign-up and name the page to return to (A2-QP-35, A2-QP-36, AMB-054).
    const { defaultScreen, refUrl } = store.getState().search.criteria;
    if (defaultScreen && !store.getState().session.signedIn) {
      const returnTo = refUrl === undefined ? undefined : sameOriginPath(refUrl);
      void open(() => ({ kind: 'signIn', request: { reason: 'account', screen: 'signUp', returnTo } }));
    }
    return stopListening;
  }, [call, emit, listen, store, loadMakeOffer, emailSeller, toasts]);

  const close = useCallback(() => {
    if (!dialog) return;
    lastId.current += 1;
    setDialog(null);
    if (isNamedDialog(dialog.kind)) emit('dialog.closed', { name: dialog.kind });
    if (dialog.kind === 'signIn') {
      const { reason, listingId } = dialog.request;
      emit('signIn.dismissed', { reason, ...(listingId !== undefined && { listingId }) });
    }
  }, [dialog, emit]);
  return { dialog, close };
}
