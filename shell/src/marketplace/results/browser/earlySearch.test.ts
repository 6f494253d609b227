/** @jest-environment jsdom */
import { TextDecoderStream, TransformStream } from 'node:stream/web';
import { TextEncoder } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { laterStyleLinks } from '../../../engine/compose/slotMarkup.ts';
import { MAIN_END } from '../../../engine/universal/slotsResponse.ts';
import { startEarlySearch } from './earlySearch.ts';
import { readBootData as readBootDataOf } from '../../../engine/browser/readBootData.ts';

const readBootData = () =>
  readBootDataOf({
    earlyNavigation: () => window.fcEarlySearch,
    loadContent: () => Promise.reject(new Error('unused')),
  });
const boot = (count: number, version = '1.0.0') =>
  `<script type="application/json" id="fc-boot">${JSON.stringify({ count, remotes: [{ name: 'mfe-results', version }], slots: [], content: { search: {}, data: {} } })}</script>`;

const filters = (used: boolean) => `
  <div id="slot-filters" data-slot="filters">
    <form method="get" action="/cars-for-sale/all-cars">
      <input type="hidden" name="keywords" value="">
      <details><summary>Condition</summary>
        <input type="checkbox" name="listingType" value="USED"${used ? ' checked' : ''}>
        <input type="checkbox" id="unnamed">
      </details>
      <input name="zip" value="60601">
      <select name="searchRadius"><option value="50" selected>50</option></select>
    </form>
    <noscript><button>Apply</button></noscript>
  </div>`;
const results = (count: number) => `
  <div id="slot-results" data-slot="results">
    <input type="hidden" name="listingType" value="USED">
    <h2 id="results-heading" tabindex="-1">${count} Matches</h2>
    <a id="next" href="/cars-for-sale/all-cars?firstRecord=25">More</a>
    <a id="vehicle" href="/cars-for-sale/vehicle/1">Ford</a>
    <noscript><button>Sort</button></noscript>
  </div>`;

const page = (count: number) => `
  <html><head><title>${count} cars</title><style nonce="n">.fc{}</style></head><body>
  ${filters(false)}${results(count)}<div id="fc-announcer"></div>${boot(count)}</body></html>`;

/** The slots of another page, as the shell sends them: those of the first view, and the rest. */
function slots(count: number, { used = false, version = '1.0.0', more = '' } = {}) {
  const first = `<!doctype html><title>${count} cars</title><meta name="releases" content="mfe-results@${version}">${results(count)}${MAIN_END}`;
  const rest = more + filters(used) + boot(count, version);
  return { first, rest, html: first + rest };
}

const find = <T extends HTMLElement>(selector: string) => document.querySelector(selector) as T;
const text = () => find('#results-heading').textContent;

let early: ReturnType<typeof startEarlySearch>;

/** Requests in order, each answered by hand. */
const requests: {
  url: string;
  signal: AbortSignal;
  /** Answers with a part of the response; the last one ends it. */
  answer: (
    html: string,
    options?: { readonly url?: string | null; readonly isLast?: boolean },
  ) => Promise<void>;
}[] = [];
const fetchPage = jest.fn((url: string, { signal }: { signal: AbortSignal }) => {
  const [path, requested = ''] = url.split('?url=').map(decodeURIComponent);
  expect(path).toBe('/cars-for-sale/api/slots');
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  signal.addEventListener('abort', () => reject(new Error('aborted')));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const answer: (typeof requests)[number]['answer'] = async (
    html,
    { url: arrived = requested, isLast = true } = {},
  ) => {
    const headers = new Headers(arrived === null ? {} : { 'content-location': arrived });
    resolve({ ok: true, headers, body: readable });
    void writer.write(new TextEncoder().encode(html));
    if (isLast) void writer.close();
    await (isLast ? early.settled() : settle());
  };
  requests.push({ url: requested, signal, answer });
  return promise;
});
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** As a visitor: only events of the browser itself are trusted, and jsdom has none. */
function act(type: 'click' | 'change' | 'input' | 'submit', target: Element): { isPrevented: boolean } {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true });
  const trusted = new Proxy(event, {
    get: (_, key) => {
      if (key === 'isTrusted') return true;
      if (key === 'target') return target;
      const value = Reflect.get(event, key) as unknown;
      return typeof value === 'function' ? (value.bind(event) as unknown) : value;
    },
  });
  (window[`on${type}`] as ((event: Event) => void) | null)?.(trusted);
  return { isPrevented: event.defaultPrevented };
}
const choose = (selector: string) => {
  const box = find<HTMLInputElement>(selector);
  box.checked = true;
  box.focus();
  return act('change', box);
};

const leave = jest.fn<(url: string) => void>();
/** Of the document's navigation; jsdom has none. */
const serverTiming: { name: string; description: string }[] = [];

describe('early search', () => {
  beforeEach(() => {
    history.replaceState(null, '', '/cars-for-sale/all-cars');
    document.documentElement.innerHTML = page(90).replace(/<\/?html>/g, '');
    requests.length = 0;
    // jsdom has no streams.
    Object.assign(window, { fetch: fetchPage, TextDecoderStream });
    window.requestAnimationFrame = (run) => (run(0), 1);
    serverTiming.length = 0;
    Object.assign(performance, { mark: () => {}, getEntriesByType: () => [{ serverTiming }] });
    leave.mockReset();
    window.fcEarlySearch = early = startEarlySearch(leave);
  });
  afterEach(() => {
    window.onclick = window.onchange = window.onsubmit = window.onpopstate = null;
    delete window.fcEarlySearch;
    delete window.fcEarly;
  });

  it('shows the page of a chosen filter in place, with its URL, title, focus and count', async () => {
    find<HTMLDetailsElement>('details').open = true;
    choose('[type=checkbox][name=listingType]');
    expect(find('#slot-results').getAttribute('aria-busy')).toBe('true');
    expect(requests[0]?.url).toBe('/cars-for-sale/all-cars?listingType=USED&zip=60601&searchRadius=50');

    await requests[0]?.answer(slots(40, { used: true }).html, { url: '/cars-for-sale/used?zip=60601' });

    expect(leave).not.toHaveBeenCalled();
    expect(text()).toBe('40 Matches');
    expect(location.pathname + location.search).toBe('/cars-for-sale/used?zip=60601');
    expect(document.title).toBe('40 cars');
    expect(document.activeElement).toBe(find('[type=checkbox][name=listingType]'));
    expect(find<HTMLInputElement>('[type=checkbox]').checked).toBe(true);
    expect(find<HTMLDetailsElement>('details').open).toBe(true);
    expect(find('#fc-announcer').textContent).toBe('40 Matches');
    expect(find('#slot-results').hasAttribute('aria-busy')).toBe(false);
    // As a browser with scripts parses it, or hydration would differ.
    for (const noscript of document.querySelectorAll('noscript')) expect(noscript.children).toHaveLength(0);
  });

  it('leaves a note for a slot that the browser renders, which then focuses the control again', async () => {
    choose('[type=checkbox][name=listingType]');
    await requests[0]?.answer(slots(40).html.replace(/<form[^]*<\/form>/, ''));
    expect(document.activeElement).toBe(find('#results-heading'));
    expect(find('#slot-filters').dataset['focus']).toBe(
      '#slot-filters input[type="checkbox"][name="listingType"][value="USED"]',
    );
  });

  it('hands the shown page over to the scripts of the page', async () => {
    choose('[type=checkbox][name=listingType]');
    const started = readBootData();
    await settle();
    await requests[0]?.answer(slots(40).html);
    expect(await started).toMatchObject({ count: 40 });

    choose('[type=checkbox][name=listingType]');
    expect(requests).toHaveLength(1);
    expect(window.fcEarly).toHaveLength(1);
  });

  it('starts with the first page when there was no search', async () => {
    expect(await readBootData()).toMatchObject({ count: 90 });
  });

  it('reads request id and claim from the response that loaded the document', async () => {
    serverTiming.push(
      { name: 'request', description: 'r-1' },
      { name: 'claim', description: '17 r-1 mfe-results@1.4.0 sig' },
    );
    expect(await readBootData()).toMatchObject({
      requestId: 'r-1',
      failureClaim: '17 r-1 mfe-results@1.4.0 sig',
    });
  });

  it('aborts a search when a newer one begins, and shows only the newer one', async () => {
    choose('[type=checkbox][name=listingType]');
    act('click', find('#next'));
    expect(requests[0]?.signal.aborted).toBe(true);
    await requests[1]?.answer(slots(50).html);
    expect(text()).toBe('50 Matches');
  });

  it('follows links of searches, and leaves other links to the browser', () => {
    expect(act('click', find('#next'))).toEqual({ isPrevented: true });
    expect(act('click', find('#vehicle'))).toEqual({ isPrevented: false });
    expect(requests.map(({ url }) => url)).toEqual(['/cars-for-sale/all-cars?firstRecord=25']);
    expect(window.fcEarly).toHaveLength(1);
  });

  it('submits a typed ZIP code without loading a document', () => {
    find<HTMLInputElement>('[name=zip]').value = '10001';
    expect(act('submit', find('form'))).toEqual({ isPrevented: true });
    expect(requests[0]?.url).toContain('zip=10001');
  });

  it('records the newest text of each field', () => {
    document.body.innerHTML = '<input type="search"><textarea></textarea><input type="checkbox">';
    const [search, note, box] = document.querySelectorAll<HTMLInputElement>('input, textarea');
    for (const text of ['c', 'ci']) {
      search!.value = text;
      act('input', search!);
    }
    note!.value = 'Hi';
    act('input', note!);
    act('input', box!);
    expect(window.fcEarly?.map(({ value }) => value)).toEqual(['ci', 'Hi']);
  });

  it('starts the scripts of the page for input that waits for them', () => {
    const start = jest.fn();
    window.fcStart = start;
    act('click', find('#vehicle'));
    choose('[type=checkbox][name=listingType]');
    expect(start).not.toHaveBeenCalled();
    choose('#unnamed');
    expect(start).toHaveBeenCalledTimes(1);
    delete window.fcStart;
  });

  it('shows the first view while the rest of the response is on its way', async () => {
    choose('[type=checkbox][name=listingType]');
    const { first, rest } = slots(40, { used: true });
    await requests[0]?.answer(first.slice(0, -4), { isLast: false });
    expect(text()).toBe('90 Matches');
    await requests[0]?.answer(first.slice(-4), { isLast: false });
    expect(text()).toBe('40 Matches');
    expect(find<HTMLInputElement>('[type=checkbox]').defaultChecked).toBe(false);
    expect(JSON.parse(find('#fc-boot').textContent)).toMatchObject({ count: 90 });
    await requests[0]?.answer(rest);
    expect(find<HTMLInputElement>('[type=checkbox]').defaultChecked).toBe(true);
    expect(JSON.parse(find('#fc-boot').textContent)).toMatchObject({ count: 40 });
    expect(document.activeElement).toBe(find('[type=checkbox][name=listingType]'));
    expect(leave).not.toHaveBeenCalled();
  });

  it('shows only a newer search that begins while the rest of one is on its way', async () => {
    choose('[type=checkbox][name=listingType]');
    await requests[0]?.answer(slots(40).first, { isLast: false });
    act('click', find('#next'));
    await requests[0]?.answer(slots(40, { used: true }).rest, { isLast: false });
    expect(find<HTMLInputElement>('[type=checkbox]').defaultChecked).toBe(false);
    await requests[1]?.answer(slots(50).html);
    expect(text()).toBe('50 Matches');
    expect(JSON.parse(find('#fc-boot').textContent)).toMatchObject({ count: 50 });
    expect(leave).not.toHaveBeenCalled();
  });

  it('leaves a page whose response ends early to the browser', async () => {
    choose('[type=checkbox][name=listingType]');
    const { first } = slots(40);
    await requests[0]?.answer(first, { isLast: false });
    await requests[0]?.answer('<div id="slot-filters" data-slot="filters"></div>');
    expect(leave).toHaveBeenCalledWith('/cars-for-sale/all-cars?listingType=USED&zip=60601&searchRadius=50');
  });

  it('records controls that are no field of a search', () => {
    choose('#unnamed');
    expect(requests).toHaveLength(0);
    expect(window.fcEarly).toMatchObject([{ checked: true }]);
  });

  it('adds styles of slots that the first page did not have', async () => {
    choose('[type=checkbox][name=listingType]');
    const more = laterStyleLinks([{ url: '/remotes/tabs.css', integrity: 'sha384-a' }]);
    await requests[0]?.answer(slots(40, { more }).html);
    const links = document.querySelectorAll<HTMLLinkElement>('link[href="/remotes/tabs.css"]');
    expect([...links].map(({ disabled }) => disabled)).toEqual([false]);
  });

  it('shows the search of the URL after Back', async () => {
    history.pushState(null, '', '/cars-for-sale/used');
    window.onpopstate?.(new PopStateEvent('popstate'));
    await requests[0]?.answer(slots(40).html);
    expect(text()).toBe('40 Matches');
    expect(location.pathname).toBe('/cars-for-sale/used');
  });

  it.each([
    ['other releases', slots(40, { version: '2.0.0' }).html, '/cars-for-sale/used'],
    ['no slots', '<title>Not found</title>', '/cars-for-sale/used'],
    [
      'a slot in a frame',
      slots(40).html.replace('<h2', '<template shadowrootmode="open"></template><h2'),
      '/cars-for-sale/used',
    ],
    ['no URL of its own, as that of the form to sign in', slots(40).html, null],
  ])('leaves a page with %s to the browser', async (_case, html, url) => {
    choose('[type=checkbox][name=listingType]');
    await requests[0]?.answer(html, { url });
    expect(leave).toHaveBeenCalledWith('/cars-for-sale/all-cars?listingType=USED&zip=60601&searchRadius=50');
    expect(text()).toBe('90 Matches');
    expect(location.pathname).toBe('/cars-for-sale/all-cars');
  });
});
