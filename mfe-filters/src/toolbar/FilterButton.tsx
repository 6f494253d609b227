import { useRef, type ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { Button } from '@forecourt/shared-contracts/ui';
import { FilterAgain } from './FilterAgain.tsx';
import { FilterLabel } from './FilterLabel.tsx';

/** Opens the filters on small screens: in the toolbar, and at the screen's edge once that is out of sight. */
export function FilterButton({ className }: { className: string | undefined }): ReactNode {
  const emit = useEmit();
  const button = useRef<HTMLButtonElement>(null);
  const open = () => emit('dialog.requested', { name: 'filters' });
  return (
    <>
      <Button ref={button} className={className} aria-haspopup="dialog" onClick={open}>
        <FilterLabel />
      </Button>
      <FilterAgain above={button} opensDialog onUse={open} />
    </>
  );
}
