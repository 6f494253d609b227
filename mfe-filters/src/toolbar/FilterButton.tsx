import { useRef, type ReactNode, useEffect, useState, type RefObject } from 'react';
import { filterCount } from '@forecourt/search/catalog';
import { useEmit, usePageState } from '@forecourt/slots';
import { Button, Icon } from '@forecourt/slots/ui';
import { useCriteria } from '../search/searchEdits.tsx';
import { currentChips } from './Chips.tsx';
import styles from './FilterButton.later.module.css';

/** Opens the filters on small screens; floats once the toolbar is out of sight. */
export function FilterButton({ className }: { className: string | undefined }): ReactNode {
  const emit = useEmit();
  const button = useRef<HTMLButtonElement>(null);
  const open = () => emit('dialog.requested', { name: 'filters' });
  return (
    <>
      <Button ref={button} className={className} aria-haspopup="dialog" onClick={open}>
        <FilterLabel />
      </Button>
      <FloatingFilterButton anchor={button} opensDialog onUse={open} />
    </>
  );
}

/** 'Filter (3)', or 'Filter' without filters; location chips don't count. */
function FilterLabel(): ReactNode {
  const criteria = useCriteria();
  const chips = usePageState(({ search }) => search.chips);
  const count = filterCount(currentChips(chips, criteria));
  return (
    <>
      <Icon name="filter" />
      {count === 0 ? 'Filter' : `Filter (${count})`}
    </>
  );
}

/** True if the element has been scrolled out above the viewport; false if it has no layout. */
function useIsAbove(element: RefObject<Element | null>): boolean {
  const [isAbove, setIsAbove] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      if (last) setIsAbove(!last.isIntersecting && last.boundingClientRect.bottom < 0);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isAbove;
}

/** Button back to the filters, shown after scrolling past `anchor`: it floats, or stays beside the results. */
export function FloatingFilterButton(props: {
  /** The button shows while this element is above the viewport. */
  anchor: RefObject<Element | null>;
  /** The filters are a dialog, not a panel beside the results. */
  opensDialog?: boolean;
  onUse: () => void;
}): ReactNode {
  const { anchor, opensDialog = false, onUse } = props;
  const isAbove = useIsAbove(anchor);
  if (!isAbove) return null;
  return (
    <Button
      className={opensDialog ? styles['again'] : styles['beside']}
      data-again={opensDialog ? '' : undefined}
      aria-haspopup={opensDialog ? 'dialog' : undefined}
      onClick={onUse}
    >
      <FilterLabel />
    </Button>
  );
}
