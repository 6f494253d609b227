import type { ReactNode } from 'react';
import { filterCount } from '@forecourt/search/catalog';
import { useEmit, usePageState } from '@forecourt/slots';
import { Button, iconClass } from '@forecourt/slots/ui';
import { useCriteria } from '../search/searchEdits.tsx';
import { currentChips } from './Chips.tsx';

/** Opens the filters on small screens. */
export function FilterButton({ className }: { className: string | undefined }): ReactNode {
  const emit = useEmit();
  return (
    <Button
      className={`${iconClass('filter', 18)} ${className}`}
      aria-haspopup="dialog"
      onClick={() => emit('dialog.requested', { name: 'filters' })}
    >
      <FilterLabel />
    </Button>
  );
}

/** 'Filter (3)', or 'Filter' without filters; location chips don't count. */
function FilterLabel(): ReactNode {
  const criteria = useCriteria();
  const chips = usePageState(({ search }) => search.chips);
  const count = filterCount(currentChips(chips, criteria));
  const text = count === 0 ? 'Filter' : `Filter (${count})`;
  // The key replaces a number that a translator changed.
  return <span key={text}>{text}</span>;
}
