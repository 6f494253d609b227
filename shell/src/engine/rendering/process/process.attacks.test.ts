import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { SlotRenderer } from '../slotRenderer.ts';
import { recordingRenderer, testSandboxes } from '../testing/processRenderer.ts';
import { failureOf, loadingSlot, renderJob, tinyRelease } from '../testing/tinyRelease.ts';
import type { ProcessRendererOptions } from './renderer.ts';
import { parseFromRelease } from './protocol.ts';
import { SANDBOX_LEVELS, type SandboxLevel } from './sandbox.ts';

jest.setTimeout(120_000);

let built: Awaited<ReturnType<typeof testSandboxes>>;
beforeAll(async () => {
  built = await testSandboxes(SANDBOX_LEVELS);
});
afterAll(() => built.remove());

const open: SlotRenderer[] = [];
afterEach(() => Promise.all(open.splice(0).map((renderer) => renderer.close())));

/** Obtains the process from an event that it emits, as a hostile release does. */
const TOP = `
  function realProcess() {
    let prototype = console._stdout;
    while (!Object.hasOwn(prototype, 'emit')) prototype = Object.getPrototypeOf(prototype);
    const { emit } = prototype;
    return new Promise((resolve) => {
      prototype.emit = function (...values) {
        if (typeof this.getBuiltinModule === 'function') { prototype.emit = emit; resolve(this); }
        return emit.apply(this, values);
      };
      Promise.reject(new Error('caught on purpose'));
    });
  }
  const builtin = async (name) => (await realProcess()).getBuiltinModule('node:' + name);`;

/** Renders a slot whose `load` has this body; undefined where the machine lacks the level. */
async function attack(level: SandboxLevel, body: string, limits: ProcessRendererOptions['limits'] = {}) {
  const sandbox = built.sandboxes.get(level);
  if (!sandbox) return undefined;
  const recording = recordingRenderer(sandbox, { limits });
  open.push(recording.renderer);
  const release = tinyRelease({ attack: loadingSlot(body) }, { top: TOP });
  await recording.renderer.prepare(release);
  const rendering = recording.renderer.render(renderJob(release, 'attack', { deadlineMs: 5_000 }));
  return { ...recording, rendering };
}

describe.each(SANDBOX_LEVELS)('at the level %s, a release that reaches the real process', (level) => {
  it.each([
    ['a file', `(await builtin('fs')).openSync((await realProcess()).argv[1])`],
    [
      'a connection',
      `await new Promise((resolve, reject) =>
        builtin('net').then(({ connect }) => connect(9, '127.0.0.1').on('error', reject)))`,
    ],
    ['a pipe', `(await builtin('net')).createServer().listen(0).on('error', (error) => { failed = error; })`],
  ])('opens no descriptor for %s once its program runs', async (_, open) => {
    const attacked = await attack(
      level,
      `let failed; try { ${open}; await new Promise((over) => setTimeout(over, 50)); } catch (error) { failed = error }
       return failed?.code ?? 'opened'`,
    );
    if (attacked) expect((await attacked.rendering).html).toMatch(/^<p>(?:EMFILE|EPERM)<\/p>$/);
  });

  it('is killed for work in other threads that its main thread does not account for', async () => {
    const attacked = await attack(
      level,
      `const { pbkdf2 } = await builtin('crypto');
       const again = () => pbkdf2('x', 'y', 1e6, 64, 'sha512', again);
       again(); again();
       return 'started'`,
      // On a busy machine these threads get little time, and an idle process is allowed a quarter of a core.
      { otherThreadsMs: 300, idleCpuMs: 50 },
    );
    if (!attacked) return;
    expect((await attacked.rendering).html).toBe('<p>started</p>');
    for (let tries = 0; tries < 100 && attacked.deaths().length === 0; tries += 1) await pause(100);
    expect(attacked.deaths()).toMatchObject([
      { reason: expect.stringContaining('other threads') as unknown },
    ]);
  });

  it('is killed when it sends more bytes than a result may cost to read', async () => {
    const attacked = await attack(
      level,
      `for (let at = 0; at < 100; at += 1) { console.log('x'.repeat(50_000)); await null; }
       await new Promise(() => {})`,
      { maxSentBytes: 1_000_000, cpuMs: 5_000 },
    );
    if (!attacked) return;
    expect(await failureOf(attacked.rendering)).toMatchObject({
      code: 'DIED',
      message: expect.stringContaining('1000000 bytes') as unknown,
    });
  });
});

describe('a message from a release', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

  it('is refused when its data is nested so deeply that the shell could not write it', () => {
    expect(parseFromRelease({ kind: 'done', id: 1, data: nested(50) })).toMatchObject({ kind: 'done' });
    expect(() => parseFromRelease({ kind: 'done', id: 1, data: nested(5_000) })).toThrow('levels');
  });
});
