/** Debounces announcements. */
const ANNOUNCE_AFTER_MS = 500;
/** The polite live region in the page's frame. */
const REGION_ID = 'fc-announcer';

/** Announces messages to screen readers in the page's polite live region. */
export function createLiveRegion(): (message: string) => void {
  const region = document.getElementById(REGION_ID);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (message) => {
    if (!region) return;
    clearTimeout(timer);
    // Emptied first, or a repeated message would not be announced.
    region.textContent = '';
    timer = setTimeout(() => (region.textContent = message), ANNOUNCE_AFTER_MS);
  };
}
