import { useMemo, useState } from 'react';
import type { ToastContent } from '@forecourt/slots/ui';
import { randomKey } from '../form/submission.ts';
import type { Toasts } from '../state/leadsContext.ts';

export function useToasts(): { toasts: Toasts; toast: ToastContent | null; onGone: () => void } {
  const [toast, setToast] = useState<ToastContent | null>(null);
  const toasts = useMemo<Toasts>(
    () => ({ show: (message, action) => setToast({ key: randomKey(), message, ...(action && { action }) }) }),
    [],
  );
  return { toasts, toast, onGone: () => setToast(null) };
}
