import { useMemo, useState } from 'react';
import type { ToastContent } from '@forecourt/shared-contracts/ui';
import { newKey } from '../form/newKey.ts';
import type { Toasts } from './toasts.ts';

/** The toast of the dialogs: what is on show, and the way to show another one. */
export function useToasts(): { toasts: Toasts; shown: ToastContent | null; onGone: () => void } {
  const [shown, setShown] = useState<ToastContent | null>(null);
  const toasts = useMemo<Toasts>(
    () => ({ show: (message, action) => setShown({ key: newKey(), message, ...(action && { action }) }) }),
    [],
  );
  return { toasts, shown, onGone: () => setShown(null) };
}
