import type { MouseEvent, ReactNode } from 'react';
import { Icon } from '@forecourt/shared-contracts/ui';
import { focusNextRemoval } from './removalFocus.ts';

/** Takes a vehicle out of the comparison; the focus goes on at the next one that can be taken out. */
export function RemoveControl(props: {
  title: string;
  className: string | undefined;
  onRemove: () => void;
  /** There is no other one beside it. */
  onLast?: () => void;
}): ReactNode {
  const { title, className, onRemove, onLast } = props;
  const remove = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    if (!focusNextRemoval(currentTarget)) onLast?.();
    onRemove();
  };
  return (
    <button type="button" className={className} aria-label={`Remove ${title}`} onClick={remove} data-removal>
      <Icon name="close" size={16} />
    </button>
  );
}
