/** @jest-environment jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readBootData } from './readBootData.ts';

const SLOTS = [
  { slot: 'results', rendered: 'release' },
  { slot: 'leads', rendered: 'none' },
];
const show = (content: unknown) => {
  const boot = { state: { page: { kind: 'results' } }, slots: SLOTS, remotes: [], content };
  document.body.innerHTML = `<script type="application/json" id="fc-boot">${JSON.stringify(boot)}</script>`;
};
const CONTENT = { search: { totalResultCount: 7 }, data: { results: { grid: 1 } } };

const fetches = jest.fn<(url: string) => Promise<Response>>();
const answer = (body: unknown, status = 200) =>
  ({ ok: status < 400, status, json: () => Promise.resolve(body) }) as Response;

describe('boot data of a page', () => {
  beforeEach(() => {
    history.replaceState(null, '', '/cars-for-sale/used?zip=60601');
    fetches.mockReset();
    Object.assign(window, { fetch: fetches, fcEarlySearch: undefined });
    Object.assign(performance, { getEntriesByType: () => [] });
  });

  it('joins the page and its content', async () => {
    show('/content/1');
    fetches.mockResolvedValueOnce(answer(CONTENT));
    expect(await readBootData()).toMatchObject({
      state: { page: { kind: 'results' }, search: CONTENT.search },
      slots: [{ ...SLOTS[0], data: { grid: 1 } }, SLOTS[1]],
    });
    expect(fetches.mock.calls.map(([url]) => url)).toEqual(['/content/1']);
  });

  it('needs no request if the page contains its content', async () => {
    show(CONTENT);
    expect((await readBootData())?.state.search).toEqual(CONTENT.search);
    expect(fetches).not.toHaveBeenCalled();
  });

  it('requests the search of the current URL and renders the slots if the server no longer has the content', async () => {
    show('/content/1');
    fetches.mockResolvedValueOnce(answer({ error: 'NOT_FOUND' }, 404));
    fetches.mockResolvedValueOnce(answer({ kind: 'page', page: { totalResultCount: 8 } }));
    const boot = await readBootData();
    expect(fetches.mock.calls[1]?.[0]).toBe(
      `/cars-for-sale/api/search?url=${encodeURIComponent('/cars-for-sale/used?zip=60601')}`,
    );
    expect(boot?.state.search).toMatchObject({ totalResultCount: 8, status: 'ready' });
    expect(boot?.slots.map(({ rendered }) => rendered)).toEqual(['fallback', 'none']);
  });

  it('tries again when the network is back', async () => {
    show('/content/1');
    fetches.mockRejectedValueOnce(new TypeError('offline'));
    fetches.mockResolvedValueOnce(answer(CONTENT));
    const boot = readBootData();
    await new Promise((resolve) => setTimeout(resolve));
    window.dispatchEvent(new Event('online'));
    expect((await boot)?.state.search).toEqual(CONTENT.search);
  });

  it('leaves searches to the inline script until the content is there, and starts with the page of the last one', async () => {
    show('/content/1');
    const { promise, resolve } = Promise.withResolvers<Response>();
    fetches.mockReturnValueOnce(promise);
    fetches.mockResolvedValueOnce(answer({ ...CONTENT, search: { totalResultCount: 9 } }));
    let shown: string | undefined;
    const handOver = jest.fn(() => {
      shown ??= JSON.stringify({ state: {}, slots: [], remotes: [], content: '/content/2' });
      return Promise.resolve();
    });
    Object.assign(window, { fcEarlySearch: { boot: () => shown, handOver } });
    const boot = readBootData();
    await new Promise((done) => setTimeout(done));
    expect(handOver).not.toHaveBeenCalled();
    resolve(answer(CONTENT));
    expect((await boot)?.state.search).toEqual({ totalResultCount: 9 });
    expect(fetches.mock.calls.map(([url]) => url)).toEqual(['/content/1', '/content/2']);
  });

  it('is undefined on a page without slots', async () => {
    document.body.innerHTML = '';
    expect(await readBootData()).toBeUndefined();
  });
});
