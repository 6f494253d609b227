import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { Button } from '@forecourt/shared-contracts/ui';
import styles from './FilterAgain.later.module.css';
import { FilterLabel } from './FilterLabel.tsx';

/** Has an element been scrolled out above the screen? What is not laid out has not. */
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

/** The way back to the filters for whoever has scrolled past them: hundreds of vehicles may lie between. */
export function FilterAgain(props: {
  /** What must be out of sight for it to show. */
  above: RefObject<Element | null>;
  opensDialog?: boolean;
  onUse: () => void;
}): ReactNode {
  const { above, opensDialog = false, onUse } = props;
  const isAbove = useIsAbove(above);
  if (!isAbove) return null;
  return (
    <Button className={styles['again']} aria-haspopup={opensDialog ? 'dialog' : undefined} onClick={onUse}>
      <FilterLabel />
    </Button>
  );
}
