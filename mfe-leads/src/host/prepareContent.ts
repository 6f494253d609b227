import { type RootState, selectFlag } from '@forecourt/search/state';
import type { Call } from '@forecourt/slots';
import { loadCertifiedProgram, loadDealerDifference } from '../dialogs/content/loadContent.ts';
import { lookUpListing, type ListingWithOwner } from '../listing/findListing.ts';
import { searchTitle } from '../savedSearch/savedSearch.ts';
import type { DialogContent, NamedDialog } from './dialogContent.ts';

interface NamedRequest {
  readonly name: NamedDialog;
  readonly listingId?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly productId?: string | undefined;
}

type ContentRequest = Omit<NamedRequest, 'name'>;

/** Resolves to the dialog's content, or undefined when no dialog opens. */
export type PreparedContent = Promise<DialogContent | undefined>;

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
export function createContentPreparers(options: PrepareOptions) {
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
      // Sellers who accept no email are called instead.
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
