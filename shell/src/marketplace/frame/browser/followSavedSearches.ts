import type { RootState } from '@forecourt/search/state';
import type { SlotStore } from '@forecourt/slots/state';
import { savedText } from '../universal/savedText.ts';

/** Keeps the number of saved searches in the header up to date. */
export function followSavedSearches(store: SlotStore): void {
  const update = () => {
    const link = document.querySelector('.fc-saved');
    const text = savedText((store.getState() as RootState).session);
    if (link && link.textContent !== text) link.textContent = text;
  };
  update();
  store.subscribe(update);
}
