import type { EventBus } from '@forecourt/slots/events';

/**
 * Tracks a view each time the page is shown and for each search in it. Without a listing id: vehicle pages track their own
 * views.
 */
export function trackPageViews(bus: EventBus): void {
  const track = (name: 'page' | 'search') => bus.emit('page.tracked', { kind: 'view', name }, 'shell');

  // A tab opened in the background counts when it becomes visible.
  const trackOnceVisible = () => {
    if (document.visibilityState === 'hidden') return;
    document.removeEventListener('visibilitychange', trackOnceVisible);
    track('page');
  };
  document.addEventListener('visibilitychange', trackOnceVisible);
  trackOnceVisible();
  // Restored from the back/forward cache.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) track('page');
  });
  bus.on('search.completed').subscribe(() => track('search'));
}
