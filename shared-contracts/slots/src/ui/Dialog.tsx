import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react';
import { useCloseOnBack } from '../environment.tsx';
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
  /**
   * Text-only content has no focusable element, so the text itself gets the focus and scrolls by keyboard.
   */
  readonly isText?: boolean;
}

/**
 * A modal based on the native `dialog`: the browser traps the focus; Escape, the backdrop and, inside a slot,
 * Back close it; the opener gets the focus back. A bottom sheet on small screens. With a mouse, a control
 * with the attribute `data-initial-focus` gets the focus instead of Close.
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
    dialog.showModal();
    // With touch, the on-screen keyboard would cover the dialog.
    if (window.matchMedia('(pointer: fine)').matches) {
      dialog.querySelector<HTMLElement>('[data-initial-focus]')?.focus();
    }
    return () => {
      if (dialog.open) dialog.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [open]);
  // A text selection that ends outside the dialog also ends in a click on the backdrop.
  const isPressedInside = useRef(false);
  const closeOnBackdrop = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === ref.current && !isPressedInside.current) onClose();
    isPressedInside.current = false;
  };
  return (
    // By keyboard, Escape closes the dialog: the native dialog turns it into its cancel event.
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
