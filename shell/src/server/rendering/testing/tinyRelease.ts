import { releaseId, type LoadedRelease } from '../release.ts';

/**
 * A release written by hand. Each slot's source is an expression that yields a
 * slot definition; `React`, `defineSlot` and `usePageState` are in scope, `top`
 * runs when the container is loaded.
 */
export function tinyRelease(
  slots: Readonly<Record<string, string>>,
  options: { name?: string; version?: string; top?: string; needs?: string[] } = {},
): LoadedRelease {
  const { name = 'mfe-tiny', version = '1.0.0', top = '', needs = ['search.texts'] } = options;
  const modules = Object.entries(slots).map(([slot, source]) => `'./${slot}': () => (${source})`);
  const entry = `${top}
    let scope;
    const share = async (name) => (await Object.values(scope[name])[0].get())();
    module.exports = {
      init: (given) => { scope = given; },
      get: async (expose) => {
        const React = await share('react');
        const { defineSlot } = await share('@forecourt/shared-contracts/slots');
        const { usePageState } = await share('@forecourt/shared-contracts/store');
        const modules = { ${modules.join(',\n')} };
        const module = modules[expose]();
        return () => ({ default: module });
      },
    };`;
  return {
    id: releaseId(name, version),
    manifest: {
      schema: 1,
      name,
      version,
      contract: '1.0.0',
      shared: {},
      entry: { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' },
      slots: Object.fromEntries(
        Object.entries(slots).map(([slot, source]) => [
          slot,
          { expose: `./${slot}`, needs, loads: source.includes('load'), scripts: [], styles: [] },
        ]),
      ),
      files: {},
    },
    nodeSources: new Map([['remoteEntry.cjs', entry]]),
    webFiles: new Map([['web/remoteEntry.js', Buffer.from('// the browser side')]]),
  };
}

/** Source of a slot whose view answers `<p>text</p>`. */
export const textSlot = (text: string): string =>
  `defineSlot({ needs: [], view: () => React.createElement('p', null, ${JSON.stringify(text)}) })`;
