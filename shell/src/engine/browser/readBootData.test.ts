/** @jest-environment jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { librarySite } from '../testing/librarySite.ts';
import type { BrowserSite } from './browserSite.ts';
import { readBootData } from './readBootData.ts';

const SLOTS = [
  { slot: 'shelf', rendered: 'release' },
  { slot: 'reviews', rendered: 'none' },
];
const show = (content: unknown) => {
  const boot = { state: { page: { kind: 'shelf' } }, slots: SLOTS, remotes: [], content };
  document.body.innerHTML = `<script type="application/json" id="fc-boot">${JSON.stringify(boot)}</script>`;
};
const CONTENT = { shelf: { count: 7 }, data: { shelf: { grid: 1 } } };

const fetches = jest.fn<(url: string) => Promise<Response>>();
const answer = (body: unknown, status = 200) =>
  ({ ok: status < 400, status, json: () => Promise.resolve(body) }) as Response;
const read = (site: Partial<BrowserSite> = {}) => readBootData({ ...librarySite, ...site });

describe('boot data of a page', () => {
  beforeEach(() => {
    fetches.mockReset();
    Object.assign(window, { fetch: fetches });
    Object.assign(performance, { getEntriesByType: () => [] });
  });

  it('joins the page and its content', async () => {
    show('/content/1');
    fetches.mockResolvedValueOnce(answer(CONTENT));
    expect(await read()).toMatchObject({
      state: { page: { kind: 'shelf' }, shelf: CONTENT.shelf },
      slots: [{ ...SLOTS[0], data: { grid: 1 } }, SLOTS[1]],
    });
    expect(fetches.mock.calls.map(([url]) => url)).toEqual(['/content/1']);
  });

  it('needs no request if the page contains its content', async () => {
    show(CONTENT);
    expect((await read())?.state).toEqual({ page: { kind: 'shelf' }, shelf: CONTENT.shelf });
    expect(fetches).not.toHaveBeenCalled();
  });

  it('loads the content of the current URL and renders the slots if the server no longer has the content', async () => {
    show('/content/1');
    fetches.mockResolvedValueOnce(answer({ error: 'NOT_FOUND' }, 404));
    const loadContent = (() => Promise.resolve({ shelf: { count: 8 } })) as unknown;
    const boot = await read({ loadContent: loadContent as BrowserSite['loadContent'] });
    expect(boot?.state).toEqual({ page: { kind: 'shelf' }, shelf: { count: 8 } });
    expect(boot?.slots.map(({ rendered }) => rendered)).toEqual(['fallback', 'none']);
  });

  it('tries again when the network is back', async () => {
    show('/content/1');
    fetches.mockRejectedValueOnce(new TypeError('offline'));
    fetches.mockResolvedValueOnce(answer(CONTENT));
    const boot = read();
    await new Promise((resolve) => setTimeout(resolve));
    window.dispatchEvent(new Event('online'));
    expect((await boot)?.state).toMatchObject({ shelf: CONTENT.shelf });
  });

  it('leaves navigation to the inline script until the content is there, and starts with the page of the last one', async () => {
    show('/content/1');
    const { promise, resolve } = Promise.withResolvers<Response>();
    fetches.mockReturnValueOnce(promise);
    fetches.mockResolvedValueOnce(answer({ ...CONTENT, shelf: { count: 9 } }));
    const handOver = jest.fn(() => {
      show('/content/2');
      return Promise.resolve();
    });
    const boot = read({ earlyNavigation: () => ({ handOver }) });
    await new Promise((done) => setTimeout(done));
    expect(handOver).not.toHaveBeenCalled();
    resolve(answer(CONTENT));
    expect((await boot)?.state).toMatchObject({ shelf: { count: 9 } });
    expect(fetches.mock.calls.map(([url]) => url)).toEqual(['/content/1', '/content/2']);
  });

  it('is undefined on a page without slots', async () => {
    document.body.innerHTML = '';
    expect(await read()).toBeUndefined();
  });
});
