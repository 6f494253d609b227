import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Button, Dialog, Skeleton } from '@forecourt/slots/ui';
import { useDialogs } from './useDialogs.ts';
import { type OpenDialog, TEXT_DIALOGS, titleOf } from './dialogContent.ts';

type DialogView = ComponentType<{ dialog: OpenDialog; onClose: () => void }>;

/** Events of pointers, keys and scrolling: they come before any request for a dialog. */
const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll'] as const;

/** True from the shopper's first input, or from the first dialog: a page that is only looked at needs none. */
function useIsLoadRequested(isOpen: boolean): boolean {
  const [isRequested, setRequested] = useState(false);
  if (isOpen && !isRequested) setRequested(true);
  useEffect(() => {
    if (isRequested) return undefined;
    const options = { capture: true, passive: true };
    const request = () => setRequested(true);
    for (const type of INPUTS) window.addEventListener(type, request, options);
    return () => {
      for (const type of INPUTS) window.removeEventListener(type, request, options);
    };
  }, [isRequested]);
  return isRequested;
}

/** Loads the dialogs' code on the first input, or with a dialog; `retry` tries again after a failure. */
function useDialogView(isOpen: boolean) {
  const [view, setView] = useState<{ readonly View: DialogView } | 'failed' | undefined>();
  const [attempt, setAttempt] = useState(0);
  const isLoadRequested = useIsLoadRequested(isOpen);
  useEffect(() => {
    if (!isLoadRequested) return undefined;
    let isMounted = true;
    import('./DialogContents.tsx').then(
      ({ DialogContents }) => isMounted && setView({ View: DialogContents }),
      () => isMounted && setView('failed'),
    );
    return () => {
      isMounted = false;
    };
  }, [attempt, isLoadRequested]);
  const retry = () => {
    setView(undefined);
    setAttempt((count) => count + 1);
  };
  return { view, retry };
}

/** Focuses the first field when the content loads after its dialog has opened. */
function useInitialFocus(isLoaded: boolean, dialogId: number | undefined): void {
  useEffect(() => {
    const first = document.querySelector<HTMLElement>('dialog[open] [data-initial-focus]');
    const isFree = document.activeElement?.closest('[data-initial-focus], form') == null;
    if (isLoaded && dialogId !== undefined && first && isFree && window.matchMedia('(pointer: fine)').matches)
      first.focus();
  }, [isLoaded, dialogId]);
}

/** The one dialog of this remote. */
export function DialogHost(): ReactNode {
  const { dialog, close } = useDialogs();
  const { view, retry } = useDialogView(dialog !== null);
  const isLoaded = typeof view === 'object';
  useInitialFocus(isLoaded, dialog?.id);

  const content = () => {
    if (!dialog) return null;
    if (view === 'failed')
      return (
        <p role="alert">
          This part of the page could not be loaded. <Button onClick={retry}>Try again</Button>
        </p>
      );
    if (!view) return <Skeleton height="320px" />;
    return <view.View key={dialog.id} dialog={dialog} onClose={close} />;
  };
  // The make-offer element renders its own dialog.
  const hasOwnDialog = dialog?.kind === 'offer' && dialog.vehicle !== undefined && isLoaded;
  return (
    <>
      {hasOwnDialog && content()}
      <Dialog
        open={dialog !== null && !hasOwnDialog}
        title={dialog ? titleOf(dialog) : ''}
        isText={dialog !== null && TEXT_DIALOGS.includes(dialog.kind)}
        onClose={close}
      >
        {!hasOwnDialog && content()}
      </Dialog>
    </>
  );
}
