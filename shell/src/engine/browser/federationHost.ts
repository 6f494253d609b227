import { createShareScope } from '@forecourt/releases/shareScope';
import { init } from '@module-federation/enhanced/runtime';

/** Shared module to the version of its package; defined by the build. */
declare const SHARED_VERSIONS: Readonly<Record<string, string>>;

/** What `require` returns: of a package in CommonJS, `import` returns it as the default export. */
const exportsOf = (module: { readonly default?: object }): object => module.default ?? module;

/** Creates the federation instance of the page, whose remotes take these modules, by name, from its share scope. */
export function createHost(modules: Readonly<Record<string, object>>): void {
  const shared = Object.fromEntries(
    Object.entries(modules).map(([name, module]) => [
      name,
      { version: SHARED_VERSIONS[name] ?? '', module: exportsOf(module) },
    ]),
  );
  const host = init({ name: 'shell', remotes: [] });
  host.initShareScopeMap('default', createShareScope(shared, { from: 'shell' }) as never);
}
