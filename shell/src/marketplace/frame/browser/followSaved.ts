import type { RootState } from '@forecourt/search/state';
import type { SlotStore } from '@forecourt/slots/state';
import { savedCount } from '../universal/savedCount.ts';

/** Keeps the number at the header's link to what is saved up to date. */
export function followSaved(store: SlotStore): void {
  const update = () => {
    const count = document.querySelector('.fc-saved b');
    const text = savedCount((store.getState() as RootState).session);
    if (count && count.textContent !== text) count.textContent = text;
  };
  update();
  store.subscribe(update);
}
