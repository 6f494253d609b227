import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { containerGlobal } from '@forecourt/releases/containerNames';
import { integrityOf } from '@forecourt/releases/integrity';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { fixtureDist, readManifest } from './releases.ts';

const FOLDER = join(import.meta.dirname, '../hostile');
/** A page asks for the first attack of a release by this maximum price, which no vehicle has, and for the next by one more. */
export const FIRST_PRICE = 90_000_000;
/** Parts of the state that the showcase may read. */
const READS = ['session', 'search.criteria'];

export interface Hostile {
  readonly name: string;
  /** The protection that stops it; for the sandbox, the weakest sufficient level. */
  readonly stoppedBy:
    | 'process'
    | 'namespaces'
    | 'loader'
    | 'limits'
    | 'protocol'
    | 'layout'
    | 'fragment-check';
  /**
   * `contained`: the slot renders and the attack got nothing. `fallback`: the slot is left out and the release named.
   * `killed`: its process is, some seconds after the slot rendered. `any`: either; the rest of the page must be complete.
   */
  readonly outcome: 'contained' | 'fallback' | 'killed' | 'any';
  readonly attack?: (means: object) => unknown;
  readonly html?: string;
  /** Server code of a release that attacks in every render; the port is that of a server which it tries to reach. */
  readonly codeFor: (port: number) => string;
}

/** The fixtures, by name. */
export const hostiles = (): Promise<Hostile[]> =>
  Promise.all(
    readdirSync(FOLDER)
      .filter((file) => file.endsWith('.js'))
      .sort()
      .map(async (file) => {
        const fixture = (await import(join(FOLDER, file))) as Omit<Hostile, 'name' | 'codeFor'>;
        const named = { ...fixture, name: basename(file, '.js') };
        return { ...named, codeFor: (port: number) => serverCode([named], port, '0') };
      }),
  );

type Attack = Pick<Hostile, 'name' | 'attack' | 'html'>;

const attackCode = ({ name, attack, html }: Attack): string =>
  `{ name: '${name}', attack: ${attack ? attack.toString() : `() => ({ html: ${JSON.stringify(html)} })`} }`;

/**
 * Server code of the release. `choice` is an expression for the index of a render's attack. The name of the attack is
 * rendered, and data that it obtains after the word LOOT.
 */
const serverCode = (attacks: readonly Attack[], port: number, choice: string): string => `
  let scope;
  const share = async (name) => (await Object.values(scope[name])[0].get())();
  const target = { port: ${port} };
  const attacks = [${attacks.map(attackCode).join(',')}];
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
      const { defineSlot } = await share('@forecourt/slots');
      const h = React.createElement;
      const slot = defineSlot({
        reads: ${JSON.stringify(READS)},
        load: async ({ state, call }) => {
          const chosen = attacks[${choice}];
          if (!chosen) return { text: 'calm' };
          const { name, attack } = chosen;
          try {
            const loot = await attack({ realProcess, builtin, state, target, React, call });
            return typeof loot === 'object' ? loot : { text: name + (loot ? ': LOOT ' + loot : ' attacked') };
          } catch (error) {
            return { text: name + ' attacked: ' + error.message };
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

const CHOICE = `(state.search.criteria.filters.maxPrice?.[0] ?? 0) - ${FIRST_PRICE}`;

/** Builds a release of mfe-showcase that attacks pages which ask for it; those at the gate do not. */
export function hostileRelease(
  attacks: readonly Hostile[],
  target: { readonly version: string; readonly port: number },
): { readonly directory: string; readonly remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-hostile-'));
  cpSync(fixtureDist('good'), directory, { recursive: true });
  const manifest = readManifest(directory);
  const code = Buffer.from(serverCode(attacks, target.port, CHOICE));
  writeFileSync(join(directory, manifest.entry.node), code);
  // What browsers get renders the same and attacks nothing.
  const calm = serverCode([], target.port, '0');
  const entry = Buffer.from(
    `var ${containerGlobal(manifest.name)} = ((module) => {${calm}\nreturn module.exports; })({});`,
  );
  writeFileSync(join(directory, manifest.entry.web), entry);
  const changed: ReleaseManifest = {
    ...manifest,
    version: target.version,
    slots: Object.fromEntries(
      Object.entries(manifest.slots).map(([slot, facts]) => [slot, { ...facts, reads: READS, loads: true }]),
    ),
    files: {
      ...manifest.files,
      [manifest.entry.node]: { bytes: code.length, integrity: integrityOf(code) },
      [manifest.entry.web]: { bytes: entry.length, integrity: integrityOf(entry) },
    },
  };
  writeFileSync(join(directory, 'release.json'), JSON.stringify(changed));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
