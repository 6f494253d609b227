import type { EarlyNavigation } from '../../../engine/browser/browserSite.ts';
import { recordEarlyInput, selectorOf } from '../../../engine/browser/earlyInput.ts';
import { loadLaterStyles } from '../../../engine/browser/laterStyles.ts';
import { BOOT_ELEMENT_ID, type BootJson } from '../../../engine/universal/bootData.ts';
import { slotElementId } from '../../../engine/universal/slotElements.ts';
import { MAIN_END, RELEASES_META, releasesOf } from '../../../engine/universal/slotsResponse.ts';
import { SLOTS_PATH } from '../universal/slotsPath.ts';
import { followedSearch, searchUrlOf } from './searchLinks.ts';

/**
 * The inline script of every page. On slow connections it runs seconds before the scripts of the page. Until they
 * start, it follows links and forms of searches by fetching the slots of the next page and replacing them in place, so
 * filters, sorting and paging work as soon as the HTML is there. Other input is recorded, and the slots replay it.
 *
 * It is inlined into every page, so it imports little.
 */

/** How a search is shown: `scroll` as in the search flow; `isVisit`: its URL is current already. */
interface Arrival {
  readonly scroll: 'keep' | 'results';
  readonly isVisit?: boolean;
}

declare global {
  interface Window {
    fcEarlySearch?: EarlyNavigation;
  }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML: (html: string) => string },
  ): { createHTML: (html: string) => string };
}

/** After this long, the browser loads the document itself. */
const GIVE_UP_MS = 8000;
/** Only results pages have this slot. */
const RESULTS_SLOT = slotElementId('results');
const HEADING = 'results-heading';
/** Name of the Trusted Types policy; the Content Security Policy lists it. */
const POLICY = 'forecourt#early';

/** The search that a GET form stands for, without its empty fields. */
function formSearch(form: HTMLFormElement | null): string | undefined {
  if (form?.method !== 'get') return undefined;
  const search = searchUrlOf(form.action);
  if (search === undefined) return undefined;
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
  );
  return `${search.split('?')[0]}?${new URLSearchParams(fields)}`;
}

/** The releases of this page. */
const shownReleases = (): string =>
  releasesOf((JSON.parse(document.getElementById(BOOT_ELEMENT_ID)!.textContent) as BootJson).remotes);

/** Resolves when the whole document has been parsed: its later parts must not arrive among replaced slots. */
const parsed = () =>
  new Promise<void>((resolve) => {
    const check = () => document.readyState !== 'loading' && resolve();
    document.addEventListener('readystatechange', check);
    check();
  });

/** Panel sections that the visitor has opened. */
const openSections = (page: ParentNode) =>
  [...page.querySelectorAll<HTMLDetailsElement>('[data-slot=filters] details[open]')].map(sectionName);
const sectionName = (section: HTMLDetailsElement) =>
  section.querySelector('summary')?.firstChild?.textContent;

/** Resolves after the next frame is painted. */
const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Keeps the state of what the visitor uses in the slots that `replace` changes: opened sections and focus. */
function keepUse(next: Document, replace: () => void): void {
  const focused = document.activeElement?.closest('[data-slot] *');
  const opened = openSections(document);
  for (const section of next.querySelectorAll<HTMLDetailsElement>('[data-slot=filters] details'))
    if (opened.includes(sectionName(section))) section.open = true;
  replace();
  if (!focused || focused.isConnected) return;
  const selector = selectorOf(focused);
  const again = document.querySelector<HTMLElement>(selector);
  const slot = document.getElementById(focused.closest('[data-slot]')!.id);
  // The browser renders this slot, and gives the focus back then.
  if (slot && !again) slot.dataset['focus'] = selector;
  (again ?? document.getElementById(HEADING))?.focus({ preventScroll: true });
}

/** Replaces slots of this document by those of `next`, and adds the styles that it lacks. */
function show(next: Document): void {
  // Parsed without scripting: React expects the content of these elements to be text.
  for (const element of next.querySelectorAll('noscript')) element.textContent = element.innerHTML;
  for (const link of next.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (!document.querySelector(`link[href=${JSON.stringify(link.getAttribute('href'))}]`))
      document.head.append(link);
  keepUse(next, () => {
    for (const slot of next.querySelectorAll('[data-slot]'))
      document.getElementById(slot.id)?.replaceWith(slot);
  });
}

/** Shows the slots of the first view, and tells the visitor. */
function showFirstView(next: Document): void {
  show(next);
  document.title = next.title;
  const announcer = document.getElementById('fc-announcer');
  if (announcer) announcer.textContent = document.getElementById(HEADING)?.textContent ?? '';
}

/** Shows the other slots, unless they are incomplete. From then on, the scripts of the page start with their boot data. */
function showRest(next: Document): boolean {
  const boot = next.getElementById(BOOT_ELEMENT_ID);
  if (!boot) return false;
  show(next);
  loadLaterStyles();
  document.getElementById(BOOT_ELEMENT_ID)?.replaceWith(boot);
  return true;
}

/** Reads a response up to the end of its main slot, and then what follows. */
async function* halvesOf({ body }: Response): AsyncGenerator<string, void> {
  let text = '';
  let isFirst = true;
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let isDone = false; !isDone;) {
    const { value = '', done } = await reader.read();
    isDone = done;
    text += value;
    const end = text.indexOf(MAIN_END);
    if (isFirst && end >= 0) {
      yield text.slice(0, end);
      text = text.slice(end + MAIN_END.length);
      isFirst = false;
    }
  }
  yield text;
}

/** Called once, before the code of remotes: no other code can take the policy's name, or use it. */
function createParser(): (html: string) => Document {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy(POLICY, { createHTML: (text) => text });
  return (html) => new DOMParser().parseFromString(policy?.createHTML(html) ?? html, 'text/html');
}

/** Starts recording input and following searches. `settled` resolves when none is in flight. */
export function startEarlySearch(
  leave = (url: string) => location.assign(url),
): EarlyNavigation & { readonly settled: () => Promise<void> } {
  let isOver = false;
  let newest: AbortController | undefined;
  let pending: Promise<void> | undefined;
  const parse = createParser();

  /** Shows the page in place; false if the browser has to load the document. */
  async function load(url: string, signal: AbortSignal, { scroll, isVisit }: Arrival): Promise<boolean> {
    const response = await fetch(`${SLOTS_PATH}?url=${encodeURIComponent(url)}`, { signal });
    // Absent from a response that is another page.
    const arrivedUrl = response.headers.get('content-location');
    if (!response.ok || !arrivedUrl) return false;
    let isShown = false;
    for await (const html of halvesOf(response)) {
      const next = parse(html);
      await parsed();
      signal.throwIfAborted();
      // Parsed by a script, the HTML of a slot in a frame would be hidden.
      if (next.querySelector('[data-slot] [shadowrootmode]')) return false;
      if (isShown) return showRest(next);
      const releases = next.querySelector<HTMLMetaElement>(`meta[name=${RELEASES_META}]`)?.content;
      if (releases !== shownReleases() || !next.getElementById(RESULTS_SLOT)) return false;
      if (!isVisit) history.pushState(null, '', arrivedUrl);
      showFirstView(next);
      isShown = true;
      performance.mark('early-search:shown');
      const results = document.getElementById(RESULTS_SLOT);
      if (scroll === 'results' && results && results.getBoundingClientRect().top < 0)
        results.scrollIntoView();
      await painted();
    }
    return false;
  }

  /** True if the script takes the search over from the browser. */
  function follow(url: string | undefined, arrival: Arrival): boolean {
    const results = document.getElementById(RESULTS_SLOT);
    if (isOver || url === undefined || !results) return false;
    newest?.abort();
    const controller = (newest = new AbortController());
    results.setAttribute('aria-busy', 'true');
    const timer = setTimeout(() => leave(url), GIVE_UP_MS);
    const search = load(url, controller.signal, arrival)
      // The browser shows its own error page while the network is away.
      .catch(() => controller.signal.aborted)
      .then((isDone) => {
        clearTimeout(timer);
        if (!isDone) leave(url);
        if (pending === search) pending = undefined;
      });
    pending = search;
    return true;
  }

  recordEarlyInput((event) => {
    if (event.type === 'click') return follow(followedSearch(event as MouseEvent), { scroll: 'results' });
    const { form, name, type } = event.target as HTMLInputElement;
    const isChoice = name !== '' && /^(?:checkbox|radio|select-one)$/.test(type);
    return isChoice && follow(formSearch(form), { scroll: 'keep' });
  });
  window.onsubmit = (event) => {
    if (!event.isTrusted) return;
    if (follow(formSearch(event.target as HTMLFormElement), { scroll: 'results' })) event.preventDefault();
  };
  window.onpopstate = () => void follow(searchUrlOf(location.href), { scroll: 'keep', isVisit: true });

  const settled = async () => {
    while (pending) await pending;
  };
  return {
    settled,
    async handOver() {
      await settled();
      isOver = true;
      window.onsubmit = window.onpopstate = null;
    },
  };
}
