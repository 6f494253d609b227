import type { MouseEvent } from 'react';

/** Does a click on a link ask for this page? With a modifier the browser opens a tab, a window or a download. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
