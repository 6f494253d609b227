import { createContext, useContext, type Dispatch, type SetStateAction } from 'react';
import type { Drafts } from '../email/drafts.ts';
import type { Delivery } from '../outbox/delivery.ts';
import type { Toasts } from './toasts.ts';

/** What the dialogs share. */
export interface Leads {
  readonly delivery: Delivery;
  readonly drafts: Drafts;
  readonly setDrafts: Dispatch<SetStateAction<Drafts>>;
  readonly toasts: Toasts;
}

export const LeadsContext = createContext<Leads | null>(null);

/** Throws outside of the dialogs' host. */
export function useLeads(): Leads {
  const leads = useContext(LeadsContext);
  if (!leads) throw new Error('useLeads is only for components inside the leads host');
  return leads;
}
