import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Loaded } from '../browser/lazyLoading.tsx';
import type { SellerAction } from '../listing/sellerActions.ts';
import type { ListingCardProps } from './cardState.ts';
import { Contact } from './Contact.tsx';
import styles from './CardMenu.module.css';

const loadActions = () => import('./CardMenuActions.tsx').then(({ CardMenuActions }) => CardMenuActions);

interface CardMenuProps extends ListingCardProps {
  readonly secondary: SellerAction | undefined;
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
 * What else a shopper can do with a vehicle. A native disclosure: its link to the seller works without scripts; the
 * actions that need them are loaded when it opens.
 */
export function CardMenu(props: CardMenuProps): ReactNode {
  const { listing, isContacted, secondary, compare, hasShareAndReport, owner } = props;
  const { id, title } = listing;
  const { menu, isOpen, setIsOpen, onKeyDown } = useMenu();
  if (!secondary && !hasShareAndReport && compare === 'off' && !owner?.dealerDiff) return null;
  return (
    // The summary and the actions are the controls.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details
      ref={menu}
      className={styles['menu']}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      onKeyDown={onKeyDown}
    >
      <summary className={styles['opener']} aria-label={`More about ${title}`} title="More" />
      <div className={styles['items']}>
        {secondary && (
          <Contact
            action={secondary}
            listingId={id}
            title={title}
            isContacted={isContacted}
            className={`${styles['item']}`}
          />
        )}
        <Loaded
          load={loadActions}
          isLoadRequested={isOpen}
          props={{ ...props, itemClass: `${styles['item']}`, largeOnlyClass: `${styles['largeOnly']}` }}
        />
      </div>
    </details>
  );
}
