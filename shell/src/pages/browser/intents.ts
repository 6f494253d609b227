import type { EventBus, EventInput, EventType } from '@forecourt/shared-contracts/events';
import type { AppStore } from '@forecourt/shared-contracts/store';

/** Lets the page's own buttons put intents on the bus: `data-intent` names the event, `data-payload` is its JSON. The bus checks both. */
export function listenToIntents(bus: EventBus, root: ParentNode & EventTarget = document): void {
  root.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-intent]') : null;
    const { intent, payload } = button?.dataset ?? {};
    if (intent === undefined || payload === undefined) return;
    bus.emit(intent as EventType, JSON.parse(payload) as EventInput<EventType>, 'shell');
  });
}

/** Keeps every button `data-saves` as the visitor's saved listings are. */
export function followSaved(store: AppStore, root: ParentNode = document): void {
  const repaint = () => {
    const { savedListingIds } = store.getState().session;
    for (const button of root.querySelectorAll<HTMLElement>('[data-saves]')) {
      const isSaved = savedListingIds.includes(button.dataset['saves'] ?? '');
      button.setAttribute('aria-pressed', String(isSaved));
      const label = button.querySelector('span');
      if (label) label.textContent = isSaved ? 'Saved' : 'Save';
    }
  };
  repaint();
  store.subscribe(repaint);
}
