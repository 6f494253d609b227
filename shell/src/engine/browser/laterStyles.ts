// Part of the inline script of every page, so it imports nothing.

const PENDING = 'link[data-later]';

/** Loads the style sheets that the page postpones. The slots after a sheet are shown once it is there, or has failed. */
export function loadLaterStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>(PENDING)) {
    link.onload = link.onerror = () => delete link.dataset['later'];
    link.disabled = false;
  }
  if (document.readyState === 'loading')
    document.addEventListener('readystatechange', loadLaterStyles, { once: true });
}
