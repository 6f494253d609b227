import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Button, Dialog, Skeleton } from '@forecourt/shared-contracts/ui';
import { TITLES, type DialogKind } from './dialogKinds.ts';
import type { Opened } from './opened.ts';
import { useDialogs } from './useDialogs.ts';

/** Kinds that are for reading. */
const TEXTS: readonly DialogKind[] = ['certifiedProgram', 'dealerDifference', 'electricVehicles'];

type Contents = ComponentType<{ opened: Opened; onClose: () => void }>;

const loadContents = () => import('./contents.tsx').then(({ DialogContents }) => DialogContents);

const titleOf = (opened: Opened): string => {
  if (opened.kind === 'certifiedProgram') return opened.program.heading;
  if (opened.kind === 'dealerDifference') return `Why ${opened.name}`;
  return TITLES[opened.kind];
};

/**
 * The one dialog of this remote. What stands in it is fetched while the page
 * is idle, so that it is there when it is asked for.
 */
export function DialogHost(): ReactNode {
  const { opened, close } = useDialogs();
  const [Contents, setContents] = useState<{ readonly view: Contents } | 'failed' | undefined>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isWanted = true;
    loadContents().then(
      (view) => isWanted && setContents({ view }),
      () => isWanted && setContents('failed'),
    );
    return () => {
      isWanted = false;
    };
  }, [attempt]);

  const opening = opened?.opening;
  const isThere = typeof Contents === 'object';
  useEffect(() => {
    // Where the content came after its dialog, its first field has missed the focus.
    const first = document.querySelector<HTMLElement>('dialog[open] [data-initial-focus]');
    const isFree = document.activeElement?.closest('[data-initial-focus], form') == null;
    if (isThere && opening !== undefined && first && isFree && window.matchMedia('(pointer: fine)').matches)
      first.focus();
  }, [isThere, opening]);

  const body = () => {
    if (!opened) return null;
    if (Contents === 'failed')
      return (
        <p role="alert">
          This part of the page could not be loaded.{' '}
          <Button
            onClick={() => {
              setContents(undefined);
              setAttempt((count) => count + 1);
            }}
          >
            Try again
          </Button>
        </p>
      );
    if (!Contents) return <Skeleton height="320px" />;
    const View = Contents.view;
    return <View key={opened.opening} opened={opened} onClose={close} />;
  };
  // The make-offer element is a dialog itself; for a vehicle that is gone it is not asked.
  const isOwnDialog = opened?.kind === 'offer' && opened.found !== undefined && isThere;
  return (
    <>
      {isOwnDialog && body()}
      <Dialog
        open={opened !== null && !isOwnDialog}
        title={opened ? titleOf(opened) : ''}
        isText={opened !== null && TEXTS.includes(opened.kind)}
        onClose={close}
      >
        {!isOwnDialog && body()}
      </Dialog>
    </>
  );
}
