import { PermanentError } from './call.ts';

interface TrustedTypePolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** Adds a script or link element and resolves when its file is loaded. */
const load = (element: HTMLElement, url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    element.onload = () => resolve();
    element.onerror = () => {
      // A retry adds a new element.
      element.remove();
      reject(new DOMException(`cannot load ${url}`, 'NetworkError'));
    };
    document.head.append(element);
  });

/**
 * Loads files of the page's snapshot: only those, and only with matching bytes.
 * `integrity` maps the URL of each file to its Subresource Integrity. URLs are
 * compared as a whole after resolution, never by a prefix.
 */
export function createAssets(integrity: Readonly<Record<string, string>>) {
  const absolute = (url: string) => new URL(url, document.baseURI).href;
  const hashes = new Map(Object.entries(integrity).map(([url, hash]) => [absolute(url), hash]));
  const trustedTypes = (window as { trustedTypes?: TrustedTypePolicyFactory }).trustedTypes;
  const policy = trustedTypes?.createPolicy('forecourt', {
    createScriptURL(url) {
      if (!hashes.has(url)) throw new TypeError(`${url} is not in the page's snapshot`);
      return url;
    },
  });
  const loading = new Map<string, Promise<void>>();

  const once = (url: string, add: (href: string, integrity: string) => Promise<void>): Promise<void> => {
    const href = absolute(url);
    const hash = hashes.get(href);
    if (hash === undefined) return Promise.reject(new PermanentError(`${url} is not in the page's snapshot`));
    const running = loading.get(href);
    if (running) return running;
    const started = add(href, hash).catch((error: unknown) => {
      loading.delete(href);
      throw error;
    });
    loading.set(href, started);
    return started;
  };

  return {
    /** Rejects when the file cannot be fetched (a later call retries) or is not in the snapshot. */
    script: (url: string) =>
      once(url, (href, hash) => {
        const script = document.createElement('script');
        Object.assign(script, { integrity: hash, crossOrigin: 'anonymous' });
        script.src = policy ? policy.createScriptURL(href) : href;
        return load(script, href);
      }),
    /** Resolves at once when the page links the style already. */
    style: (url: string) =>
      once(url, (href, hash) => {
        const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
        if ([...links].some((link) => link.href === href)) return Promise.resolve();
        const link = document.createElement('link');
        Object.assign(link, { rel: 'stylesheet', integrity: hash, crossOrigin: 'anonymous', href });
        return load(link, href);
      }),
  };
}

export type Assets = ReturnType<typeof createAssets>;
