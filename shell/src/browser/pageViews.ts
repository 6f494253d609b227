import type { EventBus } from '@forecourt/shared-contracts/events';

/**
 * One page event for each time that the page is shown, and one for each search
 * that fills it anew (B7-OTHER-03). They name no listing: the upstream would
 * count a view of that vehicle, and its own page has told of that already.
 */
export function trackPageViews(bus: EventBus): void {
  const track = (name: 'page' | 'search') => bus.emit('page.tracked', { kind: 'view', name }, 'shell');

  // A tab opened in the background is shown when it is looked at.
  const trackOnceVisible = () => {
    if (document.visibilityState === 'hidden') return;
    document.removeEventListener('visibilitychange', trackOnceVisible);
    track('page');
  };
  document.addEventListener('visibilitychange', trackOnceVisible);
  trackOnceVisible();
  // Out of the back/forward cache, where no script starts again.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) track('page');
  });
  bus.on('search.completed').subscribe(() => track('search'));
}
