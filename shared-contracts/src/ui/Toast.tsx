import { useEffect, useId, useRef, useState, type ReactNode } from 'react';

import { useSlotEnvironment } from '../slots/environment.tsx';
import { Button } from './primitives.tsx';
import { Icon } from './Icon.tsx';
import styles from './Toast.later.module.css';

export interface ToastContent {
  /** A new key is a new toast, with its own time. */
  readonly key: string;
  readonly message: string;
  readonly action?: { readonly label: string; readonly onUse: () => void };
}

/**
 * A short message over the page's lower edge, with one action such as Undo.
 * Render it always, with null while there is none: its live region must be
 * there before the message is. It goes after a while, but not under a pointer
 * or the focus, by Escape, by its button, or when another slot shows one.
 */
export function Toast({ toast, onGone }: { toast: ToastContent | null; onGone: () => void }): ReactNode {
  const { emit, listen } = useSlotEnvironment();
  const [isHeld, setIsHeld] = useState(false);
  const id = useId();
  const key = toast?.key;
  const gone = useRef(onGone);
  useEffect(() => {
    gone.current = onGone;
  });
  useEffect(() => {
    if (key === undefined) return undefined;
    emit('toast.shown', { id });
    return listen('toast.shown', (shown) => shown.id !== id && gone.current());
  }, [key, id, emit, listen]);
  useEffect(() => {
    if (key === undefined || isHeld) return undefined;
    const timer = setTimeout(() => gone.current(), TOAST_MS);
    return () => clearTimeout(timer);
  }, [key, isHeld]);
  const leave = () => {
    setIsHeld(false);
    onGone();
  };
  const use = toast?.action;
  return (
    // Pointer and focus only keep it from going; every action has its own button.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles['place']}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      onKeyDown={(event) => event.key === 'Escape' && toast && leave()}
    >
      <div role="status">{toast && <p className={styles['message']}>{toast.message}</p>}</div>
      {toast && (
        <>
          {use && (
            <Button
              look="quiet"
              className={styles['action']}
              onClick={() => {
                use.onUse();
                leave();
              }}
            >
              {use.label}
            </Button>
          )}
          <button type="button" className={styles['close']} aria-label="Dismiss" onClick={leave}>
            <Icon name="close" />
          </button>
        </>
      )}
    </div>
  );
}

/** ms for which a toast stays that nobody points at. */
export const TOAST_MS = 8_000;
