import vm from 'node:vm';
import { integrityOf } from '../integrity.ts';
import type { ModuleGraph } from './moduleGraph.ts';

type Listener = (event: Event) => void;

/** Where a page would load the release's files from. */
export const PAGE_ORIGIN = 'https://page.example';

/** A URL that a Trusted Types policy made. */
class ScriptUrl {
  readonly #url: string;
  constructor(url: string) {
    this.#url = url;
  }
  toString(): string {
    return this.#url;
  }
}

class PageNode extends EventTarget {
  readonly tagName: string;
  readonly style: Record<string, unknown> = {};
  readonly dataset: Record<string, string> = {};
  readonly classList = { add() {}, remove() {}, toggle: () => false, contains: () => false };
  readonly relList = { supports: () => true };
  readonly childNodes: PageNode[] = [];
  readonly attributes = new Map<string, string>();
  parentNode: PageNode | null = null;
  onload: Listener | null = null;
  onerror: Listener | null = null;
  integrity = '';
  type = '';
  rel = '';
  href = '';
  /** What a script, link or picture loads when it is in the document. */
  readonly #load: (node: PageNode) => void;
  #src = '';

  constructor(tagName: string, load: (node: PageNode) => void) {
    super();
    this.tagName = tagName.toUpperCase();
    this.#load = load;
  }

  get src(): string {
    return this.#src;
  }
  set src(url: unknown) {
    if (this.tagName === 'SCRIPT' && !(url instanceof ScriptUrl))
      throw new TypeError(
        "This document requires a 'TrustedScriptURL': the page's policy lets no script be loaded by a plain URL",
      );
    this.#src = String(url);
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
    if (name === 'src') this.src = value;
    else if (['integrity', 'type', 'rel', 'href'].includes(name))
      Object.assign(this, { [name]: String(value) });
  }
  getAttribute = (name: string): string | null => this.attributes.get(name) ?? null;
  hasAttribute = (name: string): boolean => this.attributes.has(name);
  removeAttribute = (name: string): void => void this.attributes.delete(name);
  querySelector = (): null => null;
  querySelectorAll = (): never[] => [];
  getElementsByTagName = (): never[] => [];
  matches = (): boolean => false;
  contains = (): boolean => false;
  closest = (): null => null;

  appendChild<T extends PageNode>(node: T): T {
    this.childNodes.push(node);
    node.parentNode = this;
    this.#load(node);
    return node;
  }
  append(...nodes: readonly PageNode[]): void {
    for (const node of nodes) if (node instanceof PageNode) this.appendChild(node);
  }
  insertBefore = (node: PageNode): PageNode => this.appendChild(node);
  removeChild(node: PageNode): PageNode {
    const at = this.childNodes.indexOf(node);
    if (at >= 0) this.childNodes.splice(at, 1);
    return node;
  }
  remove(): void {
    this.parentNode?.removeChild(this);
  }
}

const storage = () => {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: unknown) => void items.set(key, String(value)),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
};

class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): never[] {
    return [];
  }
}

/** Of this process, where pages have the same. */
const SAME_AS_HERE = [
  ...['URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'AbortController', 'AbortSignal', 'Event'],
  ...['EventTarget', 'DOMException', 'structuredClone', 'queueMicrotask', 'setTimeout', 'clearTimeout'],
  ...['setInterval', 'clearInterval', 'performance', 'crypto', 'atob', 'btoa', 'Blob', 'console'],
] as const;

export interface PageFiles {
  /** By path below `web/`. */
  readonly sources: ReadonlyMap<string, string>;
  /** URL of the folder `web/`, with a slash. */
  readonly base: string;
  /** Names of the Trusted Types policies that the page allows. */
  readonly policies: readonly string[];
}

/** The globals of a page in which scripts of one release run: without layout, and with the page's policy of scripts. */
export class PageContext {
  readonly context: vm.Context;
  readonly #files: PageFiles;
  readonly #document: Record<string, unknown>;
  /** For `import()` in scripts. */
  modules: ModuleGraph | undefined;

  constructor(files: PageFiles) {
    this.#files = files;
    const create = (tagName: string) => new PageNode(tagName, (node) => this.#loadElement(node));
    const [documentElement, head, body] = ['html', 'head', 'body'].map(create);
    const target = new EventTarget();
    const listening = {
      addEventListener: target.addEventListener.bind(target),
      removeEventListener: target.removeEventListener.bind(target),
      dispatchEvent: target.dispatchEvent.bind(target),
    };
    const location = new URL(`${PAGE_ORIGIN}/`);
    this.#document = {
      ...listening,
      ...{ documentElement, head, body, currentScript: null, cookie: '', readyState: 'complete' },
      ...{ visibilityState: 'visible', hidden: false, title: '', baseURI: location.href, location },
      ...{ activeElement: body, scripts: [] },
      createElement: create,
      createElementNS: (_: string, tagName: string) => create(tagName),
      createTextNode: () => create('#text'),
      createDocumentFragment: () => create('#fragment'),
      getElementById: () => null,
      querySelector: () => null,
      querySelectorAll: () => [],
      getElementsByTagName: (name: string) => (name === 'head' ? [head] : name === 'body' ? [body] : []),
      hasFocus: () => true,
    };
    const page: Record<string, unknown> = {
      ...listening,
      ...Object.fromEntries(
        SAME_AS_HERE.map((name) => [name, (globalThis as Record<string, unknown>)[name]]),
      ),
      document: this.#document,
      location,
      origin: PAGE_ORIGIN,
      isSecureContext: true,
      navigator: {
        userAgent: 'Mozilla/5.0',
        language: 'en-US',
        languages: ['en-US'],
        onLine: true,
        maxTouchPoints: 0,
      },
      history: { state: null, length: 1, pushState() {}, replaceState() {}, back() {}, go() {} },
      localStorage: storage(),
      sessionStorage: storage(),
      innerWidth: 1280,
      innerHeight: 800,
      devicePixelRatio: 1,
      scrollX: 0,
      scrollY: 0,
      scrollTo() {},
      matchMedia: (media: string) => ({
        media,
        matches: false,
        addEventListener() {},
        removeEventListener() {},
      }),
      getComputedStyle: () => ({ getPropertyValue: () => '' }),
      requestAnimationFrame: () => 0,
      cancelAnimationFrame() {},
      requestIdleCallback: () => 0,
      cancelIdleCallback() {},
      fetch: () => Promise.reject(new TypeError('a release that is tried fetches nothing')),
      CSS: { escape: (text: string) => text, supports: () => true },
      ...{ IntersectionObserver: Observer, ResizeObserver: Observer, MutationObserver: Observer },
      PerformanceObserver: Observer,
      customElements: { define() {}, get: () => undefined, whenDefined: () => new Promise(() => {}) },
      ...{ Node: PageNode, Element: PageNode, HTMLElement: PageNode, HTMLScriptElement: PageNode },
      trustedTypes: { createPolicy: (name: string, rules: object) => this.#createPolicy(name, rules) },
      // What the page sets before it loads releases.
      __zod_globalConfig: { jitless: true },
    };
    // As the page's policy: no `eval`.
    this.context = vm.createContext(page, { codeGeneration: { strings: false, wasm: false } });
    const window: unknown = vm.runInContext('this', this.context);
    for (const name of ['window', 'self', 'top', 'parent', 'frames']) page[name] = window;
    this.#document['defaultView'] = window;
  }

  /** A global variable that scripts have set. */
  global(name: string): unknown {
    return vm.runInContext(`typeof ${name} === 'undefined' ? undefined : ${name}`, this.context);
  }

  /** Runs a file as a classic script of the page. */
  runScript(path: string): void {
    const source = this.#files.sources.get(path);
    if (source === undefined) throw new Error(`${path} is no file of the release`);
    const url = this.#files.base + path;
    const script = new vm.Script(source, {
      filename: url,
      importModuleDynamically: (request) => this.#import(request, path) as never,
    });
    this.#document['currentScript'] = { tagName: 'SCRIPT', src: url, getAttribute: () => url, nonce: '' };
    try {
      script.runInContext(this.context);
    } finally {
      this.#document['currentScript'] = null;
    }
  }

  #import(request: string, path: string): Promise<vm.Module> {
    if (!this.modules) return Promise.reject(new Error('modules are not linked'));
    return this.modules.import(request, path);
  }

  #createPolicy(name: string, rules: object): object {
    if (!this.#files.policies.includes(name))
      throw new TypeError(
        `The page's policy allows no Trusted Types policy '${name}', only ${this.#files.policies.join(' and ')}`,
      );
    const { createScriptURL = () => '' } = rules as { createScriptURL?: (url: string) => string };
    return { ...rules, name, createScriptURL: (url: string) => new ScriptUrl(createScriptURL(url)) };
  }

  #loadElement(node: PageNode): void {
    const isScript = node.tagName === 'SCRIPT';
    const url = isScript ? node.src : node.href;
    if (url === '' || !['SCRIPT', 'LINK'].includes(node.tagName)) return;
    queueMicrotask(() => {
      let kind = 'load';
      try {
        this.#checkFile(url, node.integrity);
        if (isScript) this.runScript(url.slice(this.#files.base.length));
      } catch {
        kind = 'error';
      }
      const event = new Event(kind);
      (kind === 'load' ? node.onload : node.onerror)?.call(node, event);
      node.dispatchEvent(event);
    });
  }

  /** @throws what keeps a page from loading the file */
  #checkFile(url: string, integrity: string): void {
    const source = this.#files.sources.get(url.slice(this.#files.base.length));
    if (!url.startsWith(this.#files.base) || source === undefined)
      throw new Error(`${url} is no file of the release`);
    if (integrity !== '' && !integrity.split(/\s+/).includes(integrityOf(Buffer.from(source))))
      throw new Error(`${url} does not match its integrity`);
  }
}
