import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useSlotEnvironment } from '../environment.tsx';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import styles from './Toast.later.module.css';

export interface ToastContent {
  /** A new key is a new toast with its own timeout. */
  readonly key: string;
  readonly message: string;
  readonly action?: { readonly label: string; readonly onUse: () => void };
}

/**
 * A short message above the page's lower edge, with an optional action such as Undo. Render it always, with
 * null for no message, because its live region must exist before the message. It disappears after a timeout
 * unless hovered or focused, on Escape, with its button, or when another slot shows one.
 */
export function Toast({ toast, onGone }: { toast: ToastContent | null; onGone: () => void }): ReactNode {
  const { emit, listen } = useSlotEnvironment();
  const [isPaused, setIsPaused] = useState(false);
  const id = useId();
  const key = toast?.key;
  const onGoneRef = useRef(onGone);
  useEffect(() => {
    onGoneRef.current = onGone;
  });
  useEffect(() => {
    if (key === undefined) return undefined;
    emit('toast.shown', { id });
    return listen('toast.shown', (otherToast) => otherToast.id !== id && onGoneRef.current());
  }, [key, id, emit, listen]);
  useEffect(() => {
    if (key === undefined || isPaused) return undefined;
    const timer = setTimeout(() => onGoneRef.current(), TOAST_MS);
    return () => clearTimeout(timer);
  }, [key, isPaused]);
  const leave = () => {
    setIsPaused(false);
    onGone();
  };
  const use = toast?.action;
  return (
    // Hover and focus only pause the timeout; every action has its own button.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles['place']}
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
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

/** ms until a toast disappears unless hovered or focused. */
export const TOAST_MS = 8_000;
