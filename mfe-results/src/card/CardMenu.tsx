import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useEmit } from '@forecourt/slots';
import { iconClass } from '@forecourt/slots/ui';
import { CompareControl } from '../compare/CompareControl.tsx';
import type { SellerAction } from '../listing/sellerActions.ts';
import type { ListingCardProps } from './cardState.ts';
import { Contact } from './Contact.tsx';
import styles from './CardMenu.module.css';
import itemStyles from './CardMenu.later.module.css';

interface CardMenuProps extends ListingCardProps {
  readonly more: readonly SellerAction[];
}

/**
 * Whether the menu is open, also if it was opened before hydration; a press or the focus elsewhere closes it. Without a
 * `name` that would group menus: it would reach into other slots.
 */
function useMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(menu.current?.open ?? false), []);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = ({ target }: Event) => {
      if (!menu.current || !(target instanceof Element)) return;
      // A dialog that it opened returns the focus to it.
      if (!menu.current.contains(target) && !target.closest('dialog')) menu.current.open = false;
    };
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, closeOutside);
    return () => {
      for (const type of ['pointerdown', 'focusin']) document.removeEventListener(type, closeOutside);
    };
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  };
  return { menu, isOpen, setIsOpen, onKeyDown };
}

/**
 * What else a shopper can do with a vehicle. A native disclosure: its links to the seller work without scripts; the
 * actions that need them are rendered when it opens, because a page has dozens of cards.
 */
export function CardMenu(props: CardMenuProps): ReactNode {
  const { listing, isContacted, more, compare, hasShareAndReport, owner } = props;
  const { id, title } = listing;
  const { menu, isOpen, setIsOpen, onKeyDown } = useMenu();
  if (more.length === 0 && !hasShareAndReport && compare === 'off' && !owner?.dealerDiff) return null;
  return (
    // The summary and the actions are the controls.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details
      ref={menu}
      className={styles['menu']}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      onKeyDown={onKeyDown}
    >
      <summary aria-label={`More about ${title}`} title="More" />
      {(isOpen || more.length > 0) && (
        <div className={itemStyles['items']}>
          {more.map((action) => (
            <Contact
              key={action.kind}
              action={action}
              listingId={id}
              title={title}
              isContacted={isContacted}
              className={`${itemStyles['item']}`}
            />
          ))}
          {isOpen && <MenuActions {...props} />}
        </div>
      )}
    </details>
  );
}

function MenuActions({ listing, owner, compare, hasShareAndReport, canReport }: CardMenuProps): ReactNode {
  const emit = useEmit();
  const { id, title } = listing;
  return (
    <>
      {compare !== 'off' && (
        <CompareControl
          listing={listing}
          owner={owner}
          className={`${itemStyles['item']} ${compare === 'large' ? itemStyles['largeOnly'] : ''}`}
        />
      )}
      {hasShareAndReport && (
        <Action
          icon="share"
          words="Share"
          label={`Share ${title}`}
          onUse={() => emit('listing.shareRequested', { listingId: id })}
        />
      )}
      {hasShareAndReport && canReport && (
        <Action
          icon="flag"
          words="Report"
          label={`Report ${title}`}
          onUse={() => emit('listing.reportRequested', { listingId: id })}
        />
      )}
      {owner?.dealerDiff && (
        <Action
          icon="info"
          words={owner.dealerDiff.tagline}
          label={`${owner.dealerDiff.tagline}: more about ${owner.name}`}
          onUse={() =>
            emit('dialog.requested', { name: 'dealerDifference', listingId: id, ownerId: owner.id })
          }
        />
      )}
    </>
  );
}

function Action(props: {
  icon: Parameters<typeof iconClass>[0];
  words: string;
  /** Begins with the words. */
  label: string;
  onUse: () => void;
}): ReactNode {
  const { icon, words, label, onUse } = props;
  return (
    <button
      type="button"
      className={`${itemStyles['item']} ${iconClass(icon, 18)}`}
      aria-label={label}
      onClick={onUse}
    >
      {words}
    </button>
  );
}
