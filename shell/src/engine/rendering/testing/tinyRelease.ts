import { containerGlobal } from '@forecourt/releases/containerNames';
import { releaseId, type LoadedRelease } from '../release.ts';
import type { RenderFailure, RenderJob } from '../slotRenderer.ts';
import type { SlotPlacement } from '../../layout/placement.ts';

/** The same container for a page. */
const asScript = (name: string, commonJs: string): string =>
  `var ${containerGlobal(name)} = ((module) => { ${commonJs}; return module.exports; })({});`;

/**
 * A release written by hand. Each slot's source is an expression that yields a
 * slot definition; `React`, `defineSlot` and `usePageState` are in scope, `top`
 * runs when the container is loaded.
 */
export function tinyRelease(
  slots: Readonly<Record<string, string>>,
  options: { name?: string; version?: string; top?: string; reads?: string[] } = {},
): LoadedRelease {
  const { name = 'mfe-tiny', version = '1.0.0', top = '', reads = [] } = options;
  const modules = Object.entries(slots).map(([slot, source]) => `'./${slot}': () => (${source})`);
  const entry = `${top}
    let scope;
    const share = async (name) => (await Object.values(scope[name])[0].get())();
    module.exports = {
      init: (given) => { scope = given; },
      get: async (expose) => {
        const React = await share('react');
        const { defineSlot, usePageState } = await share('@forecourt/slots');
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
      contracts: { '@forecourt/slots': '1.0.0' },
      shared: {},
      entry: { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' },
      slots: Object.fromEntries(
        Object.entries(slots).map(([slot, source]) => [
          slot,
          { expose: `./${slot}`, reads, loads: source.includes('load'), scripts: [], styles: [] },
        ]),
      ),
      files: {},
    },
    nodeSources: new Map([['remoteEntry.cjs', entry]]),
    webFiles: new Map([['web/remoteEntry.js', Buffer.from(asScript(name, entry))]]),
  };
}

/** Source of a slot whose view answers `<p>text</p>`. */
export const textSlot = (text: string): string =>
  `defineSlot({ reads: [], view: () => React.createElement('p', null, ${JSON.stringify(text)}) })`;

/** A job without state whose calls fail; `changes` replace parts of it. */
export function renderJob(release: LoadedRelease, slot: string, changes: Partial<RenderJob> = {}): RenderJob {
  return {
    release,
    slot,
    state: {},
    // A busy machine takes seconds to replace a process that died.
    deadlineMs: 10_000,
    call: () => Promise.reject(new Error('no call is expected')),
    signal: new AbortController().signal,
    ...changes,
  };
}

/** The failure of a render; undefined when it succeeds. */
export const failureOf = (rendering: Promise<unknown>): Promise<RenderFailure | undefined> =>
  rendering.then(
    () => undefined,
    (error: RenderFailure) => error,
  );

/** Source of a slot whose `load` has this body and whose view shows what it returns. */
export const loadingSlot = (body: string): string =>
  `defineSlot({ reads: [], load: async ({ call, state, signal }) => { ${body} },
    view: ({ data }) => React.createElement('p', null, String(data)) })`;

/** By remote a release that fills all of these placements, each with its slot's name. */
export function liveReleases(
  placements: readonly SlotPlacement[],
): ReadonlyMap<string, { live: LoadedRelease }> {
  const slots = new Map<string, Record<string, string>>();
  for (const { slot, source } of placements)
    if (source !== 'shell') slots.set(source.remote, { ...slots.get(source.remote), [slot]: textSlot(slot) });
  return new Map([...slots].map(([name, sources]) => [name, { live: tinyRelease(sources, { name }) }]));
}
