/** @jest-environment jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createPageScripts, preloadList } from '../compose/shellAssets.ts';
import { laterStyleLinks } from '../compose/slotMarkup.ts';
import { startScriptsAfterLoad } from './startScripts.ts';

const ENTRY = { url: '/assets/1/shell.js', integrity: 'sha384-a' };
const REMOTE = { url: '/remotes/mfe-x/1.0.0/web/slots.js', integrity: 'sha384-b' };
/** Runs the inline script of a page. */
const runInline = () => {
  const script = document.createElement('script');
  script.textContent = createPageScripts(ENTRY, '', {}).early.html.replace(/<\/?script>/g, '');
  document.body.append(script);
};
const requested = () =>
  [...document.head.querySelectorAll<HTMLLinkElement & HTMLScriptElement>('link, script')].map((one) =>
    one.localName === 'link' ? `${one.rel} ${one.as} ${one.getAttribute('href')}` : one.getAttribute('src'),
  );
const state = jest.spyOn(document, 'readyState', 'get');

describe('the scripts of a page', () => {
  beforeEach(() => {
    document.head.innerHTML = '';
    document.body.innerHTML = `${preloadList([REMOTE])}<script type="application/json" id="fc-boot">{"content":"/content/1"}</script>`;
  });

  it('are fetched once when they are started, and run once the page is parsed', () => {
    state.mockReturnValue('loading');
    runInline();
    expect(requested()).toEqual([]);
    window.fcStart?.();
    window.fcStart?.();
    const scripts = [`preload script ${ENTRY.url}`, `preload script ${REMOTE.url}`];
    expect(requested()).toEqual(scripts);
    state.mockReturnValue('interactive');
    document.dispatchEvent(new Event('DOMContentLoaded', { bubbles: true }));
    expect(requested()).toEqual([...scripts, 'preload fetch /content/1', ENTRY.url]);
    expect(document.head.querySelector('script')?.integrity).toBe(ENTRY.integrity);
  });

  it('start at once on a page that is parsed', () => {
    state.mockReturnValue('complete');
    runInline();
    window.fcStart?.();
    expect(requested().at(-1)).toBe(ENTRY.url);
  });

  it('start when the first view has loaded and no search is in flight, and the later styles with them', async () => {
    document.body.insertAdjacentHTML('beforeend', laterStyleLinks([{ url: '/later.css', integrity: '' }]));
    const link = document.querySelector('link')!;
    link.disabled = true;
    const start = jest.fn();
    window.fcStart = start;
    const { promise, resolve } = Promise.withResolvers<void>();
    startScriptsAfterLoad(() => promise);
    window.dispatchEvent(new Event('load'));
    await Promise.resolve();
    expect(start).not.toHaveBeenCalled();
    expect(link.disabled).toBe(true);
    resolve();
    await promise;
    await Promise.resolve();
    expect(start).toHaveBeenCalledTimes(1);
    expect(link.disabled).toBe(false);
  });

  it('start after four seconds on a page that still loads', async () => {
    jest.useFakeTimers();
    // jsdom's own load event may come at any time.
    jest.spyOn(window, 'addEventListener').mockImplementation(() => {});
    const start = jest.fn();
    window.fcStart = start;
    startScriptsAfterLoad();
    await jest.advanceTimersByTimeAsync(3999);
    expect(start).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(start).toHaveBeenCalledTimes(1);
    jest.useRealTimers();
  });
});
