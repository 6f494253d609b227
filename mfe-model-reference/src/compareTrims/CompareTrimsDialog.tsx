import { type ReactNode, useEffect, useState } from 'react';
import { useEmit, useSlotEnvironment } from '@forecourt/slots';
import { Dialog } from '@forecourt/slots/ui';
import type { Trim } from '@forecourt/upstream/entities';
import { CompareTrims } from './CompareTrims.tsx';

/** The comparison as a dialog, opened by `dialog.requested`. */
export function CompareTrimsDialog({ trims, name }: { trims: readonly Trim[]; name: string }): ReactNode {
  const { listen } = useSlotEnvironment();
  const emit = useEmit();
  const [isOpen, setOpen] = useState(false);
  useEffect(
    () => listen('dialog.requested', (request) => request.name === 'trims' && setOpen(true)),
    [listen],
  );
  const close = () => {
    setOpen(false);
    emit('dialog.closed', { name: 'trims' });
  };
  return (
    <Dialog open={isOpen} title={`Compare ${name} Trims`} onClose={close} wide>
      <CompareTrims trims={trims} name={name} />
    </Dialog>
  );
}
