import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Button, Dialog, Skeleton } from '@forecourt/slots/ui';
import { useDialogs } from './useDialogs.ts';
import { type OpenDialog, TEXT_DIALOGS, titleOf } from './dialogContent.ts';

type DialogView = ComponentType<{ dialog: OpenDialog; onClose: () => void }>;

/** Loads the dialogs' code once the page is idle; `retry` tries again after a failure. */
function useDialogView() {
  const [view, setView] = useState<{ readonly View: DialogView } | 'failed' | undefined>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isMounted = true;
    import('./DialogContents.tsx').then(
      ({ DialogContents }) => isMounted && setView({ View: DialogContents }),
      () => isMounted && setView('failed'),
    );
    return () => {
      isMounted = false;
    };
  }, [attempt]);
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
  const { view, retry } = useDialogView();
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
