import { createContext, useContext, type Dispatch, type SetStateAction } from 'react';
import type { Delivery } from '../outbox/delivery.ts';
import type { Drafts } from './drafts.ts';

/** Shows a short message at the edge of the page, with at most one action. */
export interface Toasts {
  readonly show: (message: string, action?: { readonly label: string; readonly onUse: () => void }) => void;
}

/** State that the dialogs share. */
export interface Leads {
  readonly delivery: Delivery;
  readonly drafts: Drafts;
  readonly setDrafts: Dispatch<SetStateAction<Drafts>>;
  readonly toasts: Toasts;
}

export const LeadsContext = createContext<Leads | null>(null);

/** Throws outside of `LeadsHost`. */
export function useLeads(): Leads {
  const leads = useContext(LeadsContext);
  if (!leads) throw new Error('useLeads must be used inside LeadsHost');
  return leads;
}
