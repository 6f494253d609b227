import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request } from 'express';
import { composePage } from '../compose/composePage.ts';
import { headStyle } from '../compose/earlyFiles.ts';
import { PageDictionary } from '../compose/pageDictionary.ts';
import { createPageStream } from '../compose/pageStream.ts';
import type { RenderDeps } from '../compose/renderSlots.ts';
import type { RecordedPage } from '../releases/recordedPage.ts';
import type { LiveRemotes, Snapshot } from '../releases/snapshot.ts';
import { createSlotBreakers } from '../rendering/slotBreakers.ts';
import { type PageDeps, type PageView, viewOf } from './pageDeps.ts';

/** Of the live releases and of those before: browsers that have one of these get pages made with it. */
const MAX_DICTIONARIES = 4;
/** A browser fetches it after its first page. */
const MAX_BYTES = 128 * 1024;

type DictionaryDeps = Pick<PageDeps, 'site' | 'assets' | 'layouts' | 'releases'>;

/** Nothing of a release: its HTML would make the dictionary larger than what it saves on the next page. */
const EMPTY_SLOTS: RenderDeps['renderer'] = {
  prepare: () => Promise.resolve(),
  render: () => Promise.resolve({ html: '', data: null }),
  retire: () => {},
  close: () => Promise.resolve(),
};

/** The hash in `Available-Dictionary`, a byte sequence (RFC 9651, 3.3.5). */
const hashIn = (header: string | undefined): string | undefined =>
  header && /^:([A-Za-z0-9+/]{43}=):$/.exec(header.trim())?.[1];

/**
 * Dictionaries for pages (RFC 9842): one for the shell's build with the live releases, with what all pages of a kind share:
 * styles, scripts and the boot data's description of releases. Made of recorded pages with empty slots, so it contains
 * nothing of any visitor, and is the same on each replica.
 */
export class PageDictionaries {
  readonly #deps: DictionaryDeps;
  readonly #views = new Map<string, PageView>();
  /** By hash, the latest last. */
  readonly #dictionaries = new Map<string, PageDictionary>();
  readonly #onError: (error: unknown) => void;
  #current: PageDictionary | undefined;
  /** What the current one is made of, or will be. */
  #releases: LiveRemotes | undefined;

  /** `onError`: a dictionary could not be made; pages are sent without. */
  constructor(deps: DictionaryDeps, onError: (error: unknown) => void) {
    this.#deps = deps;
    this.#onError = onError;
  }

  /** The dictionary with this hash in base64url. */
  find(hash: string): PageDictionary | undefined {
    return this.#dictionaries.get(Buffer.from(hash, 'base64url').toString('base64'));
  }

  /** The dictionary that the client has and may get a page with. */
  of(request: Request): PageDictionary | undefined {
    const hash = hashIn(request.get('available-dictionary'));
    const dictionary = hash === undefined ? undefined : this.#dictionaries.get(hash);
    return dictionary && request.acceptsEncodings('dcz') !== false ? dictionary : undefined;
  }

  /** Hash in base64url of the current dictionary, for a browser that loads a document and has another dictionary or none. */
  offeredTo(request: Request): string | undefined {
    const isDocument = request.get('sec-fetch-dest') === 'document';
    if (!isDocument || !this.#deps.site.dictionaryKinds?.length) return undefined;
    const releases = this.#deps.releases.live();
    if (releases !== this.#releases) {
      this.#releases = releases;
      this.#make(releases).catch(this.#onError);
    }
    const current = this.#current;
    if (!current || request.get('save-data') === 'on') return undefined;
    if (hashIn(request.get('available-dictionary')) === current.hash) return undefined;
    return Buffer.from(current.hash, 'base64').toString('base64url');
  }

  async #make(releases: LiveRemotes): Promise<void> {
    const snapshot = new Map([...releases].map(([name, { live }]) => [name, live]));
    const parts: Buffer[] = [];
    // The request that began this comes first, and the pages that wait.
    await nextTurn();
    for (const page of this.#recordedPages()) {
      parts.push(await this.#compose(page, snapshot));
      await nextTurn();
    }
    const bytes = Buffer.concat(parts);
    // The last part is that of the most frequent pages.
    const dictionary = new PageDictionary(bytes.subarray(Math.max(0, bytes.length - MAX_BYTES)));
    // Releases may have changed meanwhile.
    if (releases !== this.#releases) return;
    this.#current = dictionary;
    this.#dictionaries.delete(dictionary.hash);
    this.#dictionaries.set(dictionary.hash, dictionary);
    for (const [hash] of [...this.#dictionaries].slice(0, -MAX_DICTIONARIES)) this.#dictionaries.delete(hash);
  }

  /** One of each kind. Parsed when a dictionary is made: a start need not wait for it. */
  #recordedPages(): RecordedPage[] {
    const { dictionaryKinds = [], recordedPages } = this.#deps.site;
    const recorded = recordedPages();
    return dictionaryKinds.flatMap(
      (kind) => recorded.find(({ isShown, state }) => isShown && state.page.kind === kind) ?? [],
    );
  }

  /** A page with empty slots. */
  async #compose({ name, url, state }: RecordedPage, snapshot: Snapshot): Promise<Buffer> {
    const { site, assets } = this.#deps;
    const { layout, earlyFilesOf } = this.#viewOf(state.page.kind);
    const earlyFiles = earlyFilesOf(snapshot);
    const stream = createPageStream();
    await composePage(
      stream,
      {
        renderer: EMPTY_SLOTS,
        slotBreakers: createSlotBreakers(),
        site: { ...site, ownSlots: {} },
        metrics: { start: () => () => {} },
        logSlot: () => {},
      },
      {
        site,
        assets,
        layout,
        earlyFiles,
        style: headStyle(earlyFiles),
        state,
        snapshot,
        head: { title: name, description: '', canonical: url, isIndexed: true },
        currentUrl: url,
        origin: '',
        requestId: name,
        signal: new AbortController().signal,
        leavesOutSlots: false,
        call: () => Promise.resolve({ data: {}, source: 'current' }),
        storeContent: () => '',
      },
    );
    return stream.whole() ?? Buffer.alloc(0);
  }

  #viewOf(kind: string): PageView {
    const view = this.#views.get(kind) ?? viewOf(this.#deps, kind);
    this.#views.set(kind, view);
    return view;
  }
}
