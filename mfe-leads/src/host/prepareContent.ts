import type { Call } from '@forecourt/shared-contracts/slots';
import { selectFlag, type RootState } from '@forecourt/shared-contracts/store';
import { loadCertifiedProgram } from '../certified/loadCertifiedProgram.ts';
import { loadDealerDifference } from '../dealer/loadDealerDifference.ts';
import type { ListingOnPage } from '../listing/findListing.ts';
import { lookUpListing } from '../listing/lookUpListing.ts';
import { searchTitle } from '../savedSearch/bookmark.ts';
import type { NamedDialog } from './dialogKinds.ts';
import type { DialogContent } from './opened.ts';

export interface NamedRequest {
  readonly name: NamedDialog;
  readonly listingId?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly productId?: string | undefined;
}

/** The content of a dialog, once it is there; undefined where none opens. */
export type Prepared = Promise<DialogContent | undefined>;

export interface PreparingParts {
  readonly call: Call;
  readonly getState: () => RootState;
  /** Sends at once where that was agreed to; answers the dialog otherwise. */
  readonly emailSeller: (found: ListingOnPage) => Prepared;
  readonly loadMakeOffer: () => Promise<void>;
  /** Logs why a dialog does not open, tells the shopper, and offers to try again. */
  readonly apologise: (code: string, error: unknown, message: string, again: () => Prepared) => void;
}

/** What each intent opens. Some open only when their content is there. */
export function createPreparations(parts: PreparingParts) {
  const { call, getState, emailSeller, loadMakeOffer, apologise } = parts;
  const find = (listingId: string) => lookUpListing(getState().search, listingId, call);

  const makeOffer = async (listingId: string): Prepared => {
    try {
      const [found] = await Promise.all([find(listingId), loadMakeOffer()]);
      return { kind: 'offer', listingId, found };
    } catch (error) {
      const message = 'Offers cannot be made right now.';
      apologise('MAKE_OFFER_SCRIPT', error, message, () => makeOffer(listingId));
      return undefined;
    }
  };

  const certifiedProgram = async (request: Omit<NamedRequest, 'name'>): Prepared => {
    const { listingId, productId } = request;
    const found = listingId === undefined ? undefined : await find(listingId);
    const wanted = {
      productId: productId ?? found?.listing.certifiedProduct,
      makeCode: found?.listing.makeCode ?? getState().search.criteria.filters.makeCode?.[0],
    };
    try {
      return { kind: 'certifiedProgram', ...(await loadCertifiedProgram(wanted, call)) };
    } catch (error) {
      const message = 'This program cannot be shown right now.';
      apologise('CERTIFIED_PROGRAM', error, message, () => certifiedProgram(request));
      return undefined;
    }
  };

  const dealerDifference = async ({ ownerId, listingId }: Omit<NamedRequest, 'name'>): Prepared => {
    const { owners } = getState().search;
    const owner =
      (ownerId === undefined ? undefined : owners[ownerId]) ??
      (listingId === undefined ? undefined : (await find(listingId))?.owner);
    if (!owner?.dealerDiff) return undefined;
    const dealer = await loadDealerDifference(owner.dealerDiff.contentId, call);
    return dealer && { kind: 'dealerDifference', dealer, name: owner.name };
  };

  return {
    async contact(kind: 'email' | 'offer' | 'call', listingId: string): Prepared {
      if (kind === 'offer') return makeOffer(listingId);
      const found = await find(listingId);
      // A seller who takes no emails is called instead (AMB-122).
      if (kind === 'call' || found?.owner?.hideEmailForm) return { kind: 'call', listingId, found };
      return found ? emailSeller(found) : { kind: 'email', listingId, found };
    },
    async about(kind: 'share' | 'report', listingId: string): Prepared {
      return { kind, listingId, found: await find(listingId) };
    },
    async named(request: NamedRequest): Prepared {
      const { search } = getState();
      switch (request.name) {
        case 'emailSearch':
          return { kind: 'emailSearch', search: { url: search.url, title: searchTitle(search) } };
        case 'wallet':
          // Without the feature nobody should be able to ask; who does gets nothing (B6-FLAG-02, B6-FLAG-12).
          if (!selectFlag('wallet')(getState())) return undefined;
          return { kind: 'wallet', found: request.listingId ? await find(request.listingId) : undefined };
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
