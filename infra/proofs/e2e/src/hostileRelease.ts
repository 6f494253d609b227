import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import { fixtureDist, readManifest } from './releases.ts';

const FOLDER = join(import.meta.dirname, '../hostile');
/** Renders before the attack; the gate uses four of them for the recorded pages. */
const CALM_RENDERS = 6;
/** Parts of the state that the showcase may read. */
const NEEDS = ['session', 'search.criteria'];

export interface Hostile {
  readonly name: string;
  /** The protection that stops it; for the sandbox, the weakest sufficient level. */
  readonly stoppedBy:
    'process' | 'namespaces' | 'loader' | 'limits' | 'protocol' | 'layout' | 'fragment-check';
  /**
   * `contained`: the slot renders and the attack got nothing. `fallback`: the slot is left out and the release named.
   * `killed`: its process is, some seconds after the slot rendered. `any`: either; the rest of the page must be complete.
   */
  readonly outcome: 'contained' | 'fallback' | 'killed' | 'any';
  readonly attack?: (means: object) => unknown;
  readonly html?: string;
  /** Server code of a release that attacks after as many renders. */
  readonly codeFor: (port: number, calmRenders: number) => string;
}

/** The fixtures, by name. */
export const hostiles = (): Promise<Hostile[]> =>
  Promise.all(
    readdirSync(FOLDER)
      .filter((file) => file.endsWith('.js'))
      .sort()
      .map(async (file) => {
        const fixture = (await import(join(FOLDER, file))) as Omit<Hostile, 'name' | 'codeFor'>;
        const codeFor: Hostile['codeFor'] = (...target) => serverCode(fixture, ...target);
        return { ...fixture, name: basename(file, '.js'), codeFor };
      }),
  );

/** Server code of the release. Data that the attack obtains is rendered after the word LOOT. */
const serverCode = (
  { attack, html }: Pick<Hostile, 'attack' | 'html'>,
  port: number,
  calmRenders: number,
): string => `
  let scope;
  let renders = 0;
  const share = async (name) => (await Object.values(scope[name])[0].get())();
  const target = { port: ${port} };
  const attack = ${attack ? attack.toString() : `() => ({ html: ${JSON.stringify(html)} })`};
  /** Obtains the process object from an event that it emits. */
  function realProcess() {
    let prototype = console._stdout;
    while (!Object.hasOwn(prototype, 'emit')) prototype = Object.getPrototypeOf(prototype);
    const { emit } = prototype;
    return new Promise((resolve, reject) => {
      const over = () => { prototype.emit = emit; };
      setTimeout(() => { over(); reject(new Error('no process')); }, 200).unref();
      prototype.emit = function (...values) {
        if (typeof this.getBuiltinModule === 'function') { over(); resolve(this); }
        return emit.apply(this, values);
      };
      Promise.reject(new Error('caught on purpose'));
    });
  }
  const builtin = async (name) => (await realProcess()).getBuiltinModule('node:' + name);
  module.exports = {
    init: (given) => { scope = given; },
    get: async () => {
      const React = await share('react');
      const { defineSlot } = await share('@forecourt/shared-contracts/slots');
      const h = React.createElement;
      const slot = defineSlot({
        needs: ${JSON.stringify(NEEDS)},
        load: async ({ state, call }) => {
          renders += 1;
          if (renders <= ${calmRenders}) return { text: 'calm' };
          try {
            const loot = await attack({ realProcess, builtin, state, target, React, call });
            return typeof loot === 'object' ? loot : { text: loot ? 'LOOT ' + loot : 'attacked' };
          } catch (error) {
            return { text: 'attacked: ' + error.message };
          }
        },
        view: ({ data }) =>
          data.html === undefined
            ? h('section', { 'aria-label': 'Hostile' }, data.text)
            : h('section', { 'aria-label': 'Hostile', dangerouslySetInnerHTML: { __html: data.html } }),
      });
      return () => ({ default: slot });
    },
  };`;

/** Builds a release of mfe-showcase that attacks from its seventh render on. */
export function hostileRelease(
  hostile: Hostile,
  target: { readonly version: string; readonly port: number },
): { readonly directory: string; readonly remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-hostile-'));
  cpSync(fixtureDist('good'), directory, { recursive: true });
  const manifest = readManifest(directory);
  const code = Buffer.from(hostile.codeFor(target.port, CALM_RENDERS));
  writeFileSync(join(directory, manifest.entry.node), code);
  const changed: ReleaseManifest = {
    ...manifest,
    version: target.version,
    slots: Object.fromEntries(
      Object.entries(manifest.slots).map(([slot, facts]) => [slot, { ...facts, needs: NEEDS, loads: true }]),
    ),
    files: {
      ...manifest.files,
      [manifest.entry.node]: {
        bytes: code.length,
        integrity: `sha384-${createHash('sha384').update(code).digest('base64')}`,
      },
    },
  };
  writeFileSync(join(directory, 'release.json'), JSON.stringify(changed));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
