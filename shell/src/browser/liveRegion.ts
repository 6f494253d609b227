import styles from './liveRegion.module.css';

/** Several changes in a row are said once, by their last result. */
const ANNOUNCE_AFTER_MS = 500;

/** Adds the page's polite live region; the answer announces a message in it. */
export function createLiveRegion(): (message: string) => void {
  const region = document.createElement('div');
  region.setAttribute('role', 'status');
  region.className = styles['region'] ?? '';
  document.body.append(region);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (message) => {
    clearTimeout(timer);
    // Emptied first, or a message that equals the last one would not be said.
    region.textContent = '';
    timer = setTimeout(() => (region.textContent = message), ANNOUNCE_AFTER_MS);
  };
}
