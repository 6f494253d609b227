import { containerGlobal } from '@forecourt/releases/containerNames';

/**
 * Source of an entry that is a script, for a container that is an ES module: it loads the release's modules with their
 * integrity, then imports the container from among them. Pages load only scripts, and `import()` alone checks no integrity.
 * @param modules path of each module from the entry's folder, and its integrity
 */
export const moduleEntrySource = (
  remote: string,
  container: string,
  modules: readonly (readonly [path: string, integrity: string])[],
): string => `var ${containerGlobal(remote)} = (() => {
  const base = document.currentScript.src;
  const preload = ([path, integrity]) =>
    new Promise((resolve, reject) => {
      const link = document.createElement('link');
      const href = new URL(path, base).href;
      Object.assign(link, { rel: 'modulepreload', crossOrigin: 'anonymous', integrity, href });
      link.onload = resolve;
      link.onerror = () => reject(new Error('cannot load ' + href));
      document.head.append(link);
    });
  let loading;
  const load = () =>
    (loading ??= Promise.all(${JSON.stringify(modules)}.map(preload))
      .then(() => import(new URL(${JSON.stringify(container)}, base).href))
      .catch((error) => {
        loading = undefined;
        throw error;
      }));
  return {
    init: (...given) => load().then((container) => container.init(...given)),
    get: (expose) => load().then((container) => container.get(expose)),
  };
})();
`;
