import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { sameOriginPath } from '@forecourt/shared-contracts/url';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import type { RootState } from '@forecourt/shared-contracts/store';
import { createMakeOfferLoader } from '../offer/loadMakeOffer.ts';
import { useEmailSeller } from '../email/useEmailSeller.ts';
import { isNamedDialog } from './dialogKinds.ts';
import { useLeads } from './leadsContext.ts';
import type { DialogContent, Opened } from './opened.ts';
import { createPreparations, type Prepared } from './prepareContent.ts';

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
    const open = async (prepare: () => Prepared | DialogContent) => {
      const opening = (openings.current += 1);
      const content = await prepare();
      if (content && openings.current === opening) setOpened({ ...content, opening });
    };
    const prepare = createPreparations({
      call,
      getState: () => store.getState(),
      emailSeller: (found) => latest.current.emailSeller(found),
      loadMakeOffer,
      apologise(code, error, message, again) {
        emit('problem.reported', { code, message: error instanceof Error ? error.message : String(error) });
        latest.current.toasts.show(message, { label: 'Try again', onUse: () => void open(again) });
      },
    });

    const stops = [
      listen('lead.requested', ({ kind, listingId }) => void open(() => prepare.contact(kind, listingId))),
      listen('listing.shareRequested', ({ listingId }) => void open(() => prepare.about('share', listingId))),
      listen(
        'listing.reportRequested',
        ({ listingId }) => void open(() => prepare.about('report', listingId)),
      ),
      listen('signIn.requested', (request) => void open(() => ({ kind: 'signIn', request }))),
      listen('dialog.requested', (request) => {
        const { name } = request;
        if (isNamedDialog(name)) void open(() => prepare.named({ ...request, name }));
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
