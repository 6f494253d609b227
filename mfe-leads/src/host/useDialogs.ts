import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { sameOriginPath } from '@forecourt/shared-contracts/search';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { selectFlag, type RootState } from '@forecourt/shared-contracts/store';
import { loadCertifiedProgram } from '../certified/loadCertifiedProgram.ts';
import { loadDealerDifference } from '../dealer/loadDealerDifference.ts';
import { lookUpListing } from '../listing/lookUpListing.ts';
import { createMakeOfferLoader } from '../offer/loadMakeOffer.ts';
import { searchTitle } from '../savedSearch/bookmark.ts';
import { useEmailSeller } from '../email/useEmailSeller.ts';
import { isNamedDialog, type NamedDialog } from './dialogKinds.ts';
import { useLeads } from './leadsContext.ts';
import type { DialogContent, Opened } from './opened.ts';

interface NamedRequest {
  readonly name: NamedDialog;
  readonly listingId?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly productId?: string | undefined;
}

/**
 * What is open, by the intents on the bus: one dialog at a time, the newest
 * wins. Some open only when their content is there; until then another intent
 * may overtake them.
 */
export function useDialogs(): { opened: Opened | null; close: () => void } {
  const { call, emit, listen } = useSlotEnvironment();
  const { toasts } = useLeads();
  const store = useStore<RootState>();
  const emailSeller = useEmailSeller();
  const [opened, setOpened] = useState<Opened | null>(null);
  const openings = useRef(0);
  const [loadMakeOffer] = useState(createMakeOfferLoader);
  const latest = useRef({ toasts, emailSeller });
  useEffect(() => {
    latest.current = { toasts, emailSeller };
  });

  useEffect(() => {
    /** Opens what `prepare` answers, unless something else was asked for meanwhile; nothing for undefined. */
    const open = async (prepare: () => Promise<DialogContent | undefined> | DialogContent) => {
      const opening = (openings.current += 1);
      const content = await prepare();
      if (content && openings.current === opening) setOpened({ ...content, opening });
    };
    const find = (listingId: string) => lookUpListing(store.getState().search, listingId, call);
    const problem = (code: string, error: unknown) =>
      emit('problem.reported', { code, message: error instanceof Error ? error.message : String(error) });

    const makeOffer = async (listingId: string): Promise<DialogContent | undefined> => {
      try {
        const [found] = await Promise.all([find(listingId), loadMakeOffer()]);
        return { kind: 'offer', listingId, found };
      } catch (error) {
        problem('MAKE_OFFER_SCRIPT', error);
        latest.current.toasts.show('Offers cannot be made right now.', {
          label: 'Try again',
          onUse: () => void open(() => makeOffer(listingId)),
        });
        return undefined;
      }
    };
    const contact = async (kind: 'email' | 'offer' | 'call', listingId: string) => {
      if (kind === 'offer') return makeOffer(listingId);
      const found = await find(listingId);
      // A seller who takes no emails is called instead (AMB-122).
      if (kind === 'call' || found?.owner?.hideEmailForm) return { kind: 'call', listingId, found } as const;
      return found ? latest.current.emailSeller(found) : ({ kind: 'email', listingId, found } as const);
    };
    const certified = async ({
      listingId,
      productId,
    }: Pick<NamedRequest, 'listingId' | 'productId'>): Promise<DialogContent | undefined> => {
      const found = listingId === undefined ? undefined : await find(listingId);
      const wanted = {
        productId: productId ?? found?.listing.certifiedProduct,
        makeCode: found?.listing.makeCode ?? store.getState().search.criteria.filters.makeCode?.[0],
      };
      try {
        return { kind: 'certifiedProgram', ...(await loadCertifiedProgram(wanted, call)) } as const;
      } catch (error) {
        problem('CERTIFIED_PROGRAM', error);
        latest.current.toasts.show('This program cannot be shown right now.', {
          label: 'Try again',
          onUse: () => void open(() => certified({ listingId, productId })),
        });
        return undefined;
      }
    };
    const dealerDifference = async ({ ownerId, listingId }: NamedRequest) => {
      const { owners } = store.getState().search;
      const owner =
        (ownerId === undefined ? undefined : owners[ownerId]) ??
        (listingId === undefined ? undefined : (await find(listingId))?.owner);
      if (!owner?.dealerDiff) return undefined;
      const dealer = await loadDealerDifference(owner.dealerDiff.contentId, call);
      return dealer && ({ kind: 'dealerDifference', dealer, name: owner.name } as const);
    };
    const named = async (request: NamedRequest): Promise<DialogContent | undefined> => {
      const { search } = store.getState();
      switch (request.name) {
        case 'emailSearch':
          return { kind: 'emailSearch', search: { url: search.url, title: searchTitle(search) } };
        case 'wallet':
          // Without the feature nobody should be able to ask; who does gets nothing (B6-FLAG-02, B6-FLAG-12).
          if (!selectFlag('wallet')(store.getState())) return undefined;
          return { kind: 'wallet', found: request.listingId ? await find(request.listingId) : undefined };
        case 'certifiedProgram':
          return certified(request);
        case 'dealerDifference':
          return dealerDifference(request);
        default:
          return { kind: 'electricVehicles' };
      }
    };

    const about = (kind: 'share' | 'report') => (request: { listingId: string }) =>
      void open(async () => ({ kind, ...request, found: await find(request.listingId) }));
    const stops = [
      listen('lead.requested', ({ kind, listingId }) => void open(async () => contact(kind, listingId))),
      listen('listing.shareRequested', about('share')),
      listen('listing.reportRequested', about('report')),
      listen('signIn.requested', (request) => void open(() => ({ kind: 'signIn', request }))),
      listen('dialog.requested', (request) => {
        if (isNamedDialog(request.name))
          void open(() => named({ ...request, name: request.name as NamedDialog }));
      }),
    ];
    // A link may ask for the sign-up, and say where to go afterwards (A2-QP-35, A2-QP-36, AMB-054).
    const { defaultScreen, refUrl } = store.getState().search.criteria;
    if (defaultScreen && !store.getState().session.signedIn) {
      const returnTo = refUrl === undefined ? undefined : sameOriginPath(refUrl);
      void open(() => ({ kind: 'signIn', request: { reason: 'account', screen: 'signUp', returnTo } }));
    }
    return () => stops.forEach((stop) => stop());
  }, [call, emit, listen, store, loadMakeOffer]);

  const close = useCallback(() => {
    if (!opened) return;
    openings.current += 1;
    setOpened(null);
    if (isNamedDialog(opened.kind)) emit('dialog.closed', { name: opened.kind });
    if (opened.kind === 'signIn') {
      const { reason, listingId } = opened.request;
      emit('signIn.dismissed', { reason, ...(listingId !== undefined && { listingId }) });
    }
  }, [opened, emit]);
  return { opened, close };
}
