import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import type { RootState } from '@forecourt/search/state';
import { sameOriginPath } from '@forecourt/search/url';
import { useSlotEnvironment, type SlotEnvironment } from '@forecourt/slots';
import { useEmailSeller } from '../dialogs/email/useEmailSeller.ts';
import { createMakeOfferLoader } from '../trustedScripts.ts';
import { useLeads } from '../state/leadsContext.ts';
import { type DialogContent, type OpenDialog, isNamedDialog } from './dialogContent.ts';
import { type PreparedContent, createContentPreparers } from './prepareContent.ts';

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
    // A link may open the sign-up and name the page to return to.
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
