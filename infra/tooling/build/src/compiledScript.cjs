const { relative } = require('node:path');

/**
 * webpack loader for swc's output.
 *
 * Source maps name files relative to `root`: with absolute paths, hashes, and by them the names that the minimizer chooses,
 * would depend on the folder of the checkout.
 *
 * If `isRefreshable`, the two functions that swc's React Refresh transform calls come from the runtime that the development
 * build of the shell installs (`refreshRuntime.ts`). Components are known by their file, so that the builds of a remote,
 * each a container of its own, agree on them.
 */
module.exports = function compiledScript(source, map) {
  const { root, isRefreshable } = this.getOptions();
  const pathOf = (path) => relative(root, path).replaceAll('\\', '/');
  // swc-loader passes the map as text.
  const { sources, ...rest } = typeof map === 'string' ? JSON.parse(map) : (map ?? {});
  const portableMap = sources && { ...rest, sources: sources.map((path) => `webpack:///${pathOf(path)}`) };
  if (!isRefreshable || !/\$Refresh(Reg|Sig)\$|\bcreateContext\(/.test(source))
    return this.callback(null, source, portableMap);
  const file = JSON.stringify(pathOf(this.resourcePath));
  const preamble =
    `const $RefreshReg$ = globalThis.forecourtRefresh?.registerIn(${file}) ?? (() => {}), ` +
    '$RefreshSig$ = globalThis.forecourtRefresh?.sign ?? (() => (type) => type), ' +
    `$RefreshContext$ = globalThis.forecourtRefresh?.contextsIn(${file}) ?? ((_, create) => create);`;
  // Another context object would mount everything below its provider again.
  let contexts = 0;
  const refreshable = source.replaceAll(
    /\bcreateContext\(/g,
    () => `$RefreshContext$(${contexts++}, createContext)(`,
  );
  // On the first line, so that line numbers stay.
  return this.callback(null, preamble + refreshable, portableMap);
};
