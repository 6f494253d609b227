import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LIBRARY_PLAN } from '../../testing/libraryPlan.ts';
import { integrityOf } from '../release.ts';
import { createReleaseLoader, shellProvides } from '../../releases/releaseLoader.ts';
import { createInlineRenderer } from '../inline.ts';
import type { SlotRenderer } from '../slotRenderer.ts';
import { fixtures, isStuck, watchAttack, type Sight } from '../testing/hostileReleases.ts';
import { recordingRenderer, testSandboxes } from '../testing/processRenderer.ts';
import { tinyRelease } from '../testing/tinyRelease.ts';
import type * as Channels from './channel.ts';
import type * as Protocol from './protocol.ts';
import type { Sandbox } from './sandbox.ts';

// A fixture proves a protection only if it succeeds without it: `isolationLevels.ts` shows that for the sandbox,
// `process.limits.test.ts` for the limits, this file for the loader and the protocol.

jest.setTimeout(60_000);

const OFF = Infinity;

let built: Awaited<ReturnType<typeof testSandboxes>>;
beforeAll(async () => {
  built = await testSandboxes(['process']);
});
afterAll(() => built.remove());

const opened: { close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((renderer) => renderer.close())));
const sandboxOf = ({ sandboxes }: typeof built) => sandboxes.get('process') as Sandbox;

it('has a proof for each fixture that a limit, the protocol or the loader stops', () => {
  const files = ['process.limits.test.ts', 'process.protections.test.ts'];
  const proofs = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('');
  const groups = new Set(['limits', 'protocol', 'loader']);
  const missing = [...fixtures.values()].filter(
    ({ name, stoppedBy }) => groups.has(stoppedBy) && !proofs.includes(`'${name}'`),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

/** Runs the attack `times` in a process of Node without the loader and the sandbox; what it got at last. */
async function attackPlainNode(name: string, times = 1): Promise<string> {
  const program = `
    import process, { getBuiltinModule } from 'node:process';
    const means = { realProcess: async () => process, builtin: async (name) => getBuiltinModule('node:' + name) };
    const attack = ${fixtures
      .get(name)
      ?.attack?.toString()
      .replace(/^(async )?attack/, '$1function attack')};
    let loot;
    for (let at = 0; at < ${times}; at += 1) loot = await attack(means);
    console.log(String(loot));`;
  const args = ['--expose-internals', '--no-warnings', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
  return stdout.trim();
}

describe('the loader', () => {
  it.each(['imports-data', 'imports-a-file', 'import-meta', 'internal-binding'])(
    'stops %s, which succeeds in a plain module',
    async (name) => {
      const stopped = await watchAttack(name, {}, ({ html }) => html !== '', {
        sandbox: sandboxOf(built),
        opened,
      });
      expect(stopped.html).toContain(`>${name} attacked`);
      expect(await attackPlainNode(name)).not.toBe('');
    },
  );

  it('is not needed to stop asynchronous-context, because a context belongs to one request', async () => {
    expect(await attackPlainNode('asynchronous-context', 2)).toBe('');
  });
});

/** A loader of a release whose module reads the environment and writes a file when it is evaluated. */
function loaderOf(renderer: SlotRenderer, marker: string) {
  const slot = `(() => {
    const { env, getBuiltinModule } = globalThis.process;
    try { getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(marker)}, JSON.stringify(env)) } catch {}
    return defineSlot({ reads: [], view: () => null });
  })()`;
  const { manifest, nodeSources } = tinyRelease({ tiny: slot });
  const source = Buffer.from(nodeSources.get('remoteEntry.cjs') ?? '');
  const { webFiles } = tinyRelease({ tiny: 'defineSlot({ reads: [], view: () => null })' });
  const web = webFiles.get('web/remoteEntry.js') ?? Buffer.from('');
  const files = {
    'web/remoteEntry.js': { integrity: integrityOf(web), bytes: web.length },
    'node/remoteEntry.cjs': { integrity: integrityOf(source), bytes: source.length },
  };
  const registry = {
    manifest: () => Promise.resolve({ ...manifest, files }),
    file: (_: unknown, path: string) => Promise.resolve(path.startsWith('node/') ? source : web),
  };
  const loader = createReleaseLoader({
    site: LIBRARY_PLAN,
    registry,
    renderer,
    provides: shellProvides(LIBRARY_PLAN),
  });
  return {
    'the gate': () => loader.tryOut('mfe-tiny', '1.0.0'),
    'going live': () => loader.load('mfe-tiny', '1.0.0'),
    'an override': () => loader.loadFrom(registry, 'mfe-tiny', '1.0.0', 'override'),
  };
}

describe('a release is evaluated for the first time in its sandbox', () => {
  it.each(['the gate', 'going live', 'an override'] as const)('by %s', async (step) => {
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-first-'));
    const marker = join(folder, 'marker');
    const { renderer } = recordingRenderer(sandboxOf(built));
    const inline = createInlineRenderer(LIBRARY_PLAN);
    opened.push(renderer, inline);
    await loaderOf(renderer, marker)[step]();
    expect(existsSync(marker)).toBe(false);
    // In the shell's own process, which development may choose, it succeeds.
    await loaderOf(inline, marker)[step]();
    expect(readFileSync(marker, 'utf8')).toContain('PATH');
    rmSync(folder, { recursive: true });
  });

  it('by no other code of the shell', () => {
    const sources = join(import.meta.dirname, '../../..');
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|testing\//.test(file))
      .filter((file) => readFileSync(join(sources, file), 'utf8').includes('loadSlotModules('))
      .sort();
    expect(files.map((file) => file.replace('rendering/', ''))).toEqual([
      'engine/container.ts',
      'engine/inline.ts',
      'engine/process/runReleaseProgram.ts',
    ]);
  });
});

/** Replaces a part of the protocol for the renderers that are imported next. */
async function withoutPart(file: string, replace: (actual: never) => object): Promise<void> {
  const path = `./${file}`;
  const actual = (await import(path)) as never;
  jest.resetModules();
  jest.unstable_mockModule(path, () => ({ ...(actual as object), ...replace(actual) }));
}

describe('the protocol', () => {
  it.each<
    [name: string, stops: RegExp, file: string, replace: (actual: never) => object, (sight: Sight) => boolean]
  >([
    [
      'wide-data',
      /more than 20000 values/,
      'protocol.ts',
      ({ MESSAGE_LIMITS }: typeof Protocol) => ({
        MESSAGE_LIMITS: { ...MESSAGE_LIMITS, maxHeaderValues: OFF },
      }),
      ({ data }) => Array.isArray(data) && data.length > 20_000,
    ],
    [
      'oversized-message',
      /a message of \d+ bytes/,
      'protocol.ts',
      () => ({ MESSAGE_LIMITS: { maxHeaderBytes: OFF, maxBodyBytes: OFF } }),
      isStuck,
    ],
    [
      'malformed-message',
      /it broke the protocol/,
      'channel.ts',
      ({ openChannel }: typeof Channels) => ({
        openChannel: (pipe: never, reader: Parameters<typeof openChannel>[1]) =>
          openChannel(pipe, { ...reader, broken: () => {} }),
      }),
      isStuck,
    ],
    [
      'deep-data',
      /more than 100 levels/,
      'protocol.ts',
      () => ({ parseFromRelease: (message: unknown) => message }),
      ({ data }) => {
        try {
          JSON.stringify(data);
          return false;
        } catch {
          return true;
        }
      },
    ],
    [
      'forged-results',
      /^$/,
      'protocol.ts',
      ({ parseFromRelease }: typeof Protocol) => {
        let last = 0;
        return {
          // A protocol without ids of jobs: results come in their order.
          parseFromRelease(message: unknown) {
            const parsed = parseFromRelease(message);
            return parsed.kind === 'done' ? { ...parsed, id: (last += 1) } : parsed;
          },
        };
      },
      ({ html }) => html.includes('FORGED'),
    ],
  ])('stops %s, which succeeds without its check', async (name, stops, file, replace, succeeds) => {
    const where = { sandbox: sandboxOf(built), opened };
    const limits = { silenceMs: OFF };
    let renders = 0;
    const stopped = await watchAttack(
      name,
      limits,
      ({ ends, html }) => {
        renders += Number(html !== '');
        return ends.length > 0 || renders > 10;
      },
      where,
    );
    expect(stopped.ends[0] ?? '').toMatch(stops);
    expect(succeeds({ ...stopped, failures: [] })).toBe(false);
    await withoutPart(file, replace);
    // On a busy machine, what it sends would also take too much of this thread.
    const unstopped = await watchAttack(name, { ...limits, shellMs: OFF }, succeeds, where);
    expect(unstopped.ends).toEqual([]);
  });
});
