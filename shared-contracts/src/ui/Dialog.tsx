import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react';
import { useCloseOnBack } from '../slots/environment.tsx';
import { Icon } from './Icon.tsx';
import styles from './Dialog.later.module.css';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Stays visible below the scrolling content. */
  readonly footer?: ReactNode;
  readonly wide?: boolean;
  /** It is for reading: nothing in it may take the focus, so the text itself does, and keys scroll it. */
  readonly isText?: boolean;
}

/**
 * A modal on the native `dialog`: the browser keeps the focus inside; Escape,
 * the backdrop and, inside a slot, Back close; the opener gets the focus back. A sheet from the
 * bottom on small screens. With a mouse, a control that has the attribute
 * `data-initial-focus` gets the focus instead of Close.
 */
export function Dialog({ open, title, onClose, children, footer, wide, isText }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useCloseOnBack(open, onClose);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return undefined;
    if (!open) {
      if (dialog.open) dialog.close();
      return undefined;
    }
    const opener = document.activeElement;
    if (!dialog.open) dialog.showModal();
    // With touch the keyboard would cover what the dialog is about.
    if (window.matchMedia('(pointer: fine)').matches) {
      dialog.querySelector<HTMLElement>('[data-initial-focus]')?.focus();
    }
    return () => {
      if (dialog.open) dialog.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [open]);
  // Text that is selected with a drag to the outside ends in a click on the backdrop, too.
  const isPressedInside = useRef(false);
  const closeOnBackdrop = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === ref.current && !isPressedInside.current) onClose();
    isPressedInside.current = false;
  };
  return (
    // The keyboard's way to close is Escape, which the native dialog turns into its cancel event.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      className={`${styles['dialog']} ${wide ? styles['wide'] : ''}`}
      aria-labelledby={titleId}
      onPointerDown={(event) => {
        isPressedInside.current = event.target !== ref.current;
      }}
      onClick={closeOnBackdrop}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={() => open && onClose()}
    >
      {open && (
        <div className={styles['frame']}>
          {/* No header or footer: outside of main they would be landmarks of the page. */}
          <div className={styles['header']}>
            <h2 id={titleId} className={styles['title']}>
              {title}
            </h2>
            <button type="button" className={styles['close']} onClick={onClose} aria-label="Close">
              <Icon name="close" />
            </button>
          </div>
          <div
            className={styles['body']}
            {...(isText && { tabIndex: 0, role: 'group', 'aria-labelledby': titleId })}
          >
            {children}
          </div>
          {footer && <div className={styles['footer']}>{footer}</div>}
        </div>
      )}
    </dialog>
  );
}
