import { execFile } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import {
  createProcessRenderer,
  probeSandbox,
  type ProcessRenderer,
  type ProcessRendererOptions,
} from '../process/renderer.ts';
import { chooseSandbox, type Sandbox, type SandboxLevel } from '../process/sandbox.ts';
import type { RendererEvent } from '../process/supervisor.ts';
import { libraryState } from '../../testing/libraryState.ts';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const LIBRARY_PROGRAM = join(import.meta.dirname, '../../testing/libraryProgram.ts');
const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../../../..');

/**
 * Builds the program that renders a site's releases into a folder of its own inside the repository, where
 * it finds the libraries. Works whether or not the shell has been built.
 */
async function buildReleaseProgram(program: string): Promise<{ file: string; remove: () => Promise<void> }> {
  const cache = join(repository, '.cache');
  await mkdir(cache, { recursive: true });
  const output = await mkdtemp(join(cache, 'program-'));
  // The sandbox may read it as another user.
  await chmod(output, 0o755);
  const builder = join(repository, 'infra/tooling/build/src/compileReleaseProgram.ts');
  await promisify(execFile)(process.execPath, ['--no-warnings', builder, output, program], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  });
  return { file: join(output, 'release.cjs'), remove: () => rm(output, { recursive: true, force: true }) };
}

/** The sandboxes that this machine supports, over a program built for the test. */
export async function testSandboxes(
  levels: readonly SandboxLevel[],
  { heapMb = 96, program = LIBRARY_PROGRAM } = {},
): Promise<{ sandboxes: ReadonlyMap<SandboxLevel, Sandbox>; remove: () => Promise<void> }> {
  const { file, remove } = await buildReleaseProgram(program);
  const options = { program: file, heapMb, youngMb: 16 };
  const sandboxes = new Map<SandboxLevel, Sandbox>();
  for (const level of levels) {
    const chosen = await chooseSandbox(level, options, probeSandbox).catch(() => undefined);
    if (chosen) sandboxes.set(level, chosen.sandbox);
  }
  return { sandboxes, remove };
}

/** A renderer that records its events; the caller closes it. */
export function recordingRenderer(
  sandbox: Sandbox,
  options: Partial<ProcessRendererOptions> = {},
): {
  renderer: ProcessRenderer;
  events: RendererEvent[];
  deaths: () => RendererEvent[];
} {
  const events: RendererEvent[] = [];
  const renderer = createProcessRenderer({
    sandbox,
    state: libraryState,
    log: (event) => events.push(event),
    ...options,
  });
  return { renderer, events, deaths: () => events.filter(({ event }) => event === 'release-died') };
}
