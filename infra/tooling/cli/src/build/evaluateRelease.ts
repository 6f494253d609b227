import { existsSync, readFileSync, writeSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packagesOf, refuseNativeCode, RESULT, runIsolated } from '@forecourt/release-kit/isolatedProgram';
import { loadBrowserModules } from '@forecourt/releases/browserContainer';
import { type ContainerFault, ContainerError } from '@forecourt/releases/containerError';
import type { Refusal } from '@forecourt/releases/gate';
import { loadRefusal } from '@forecourt/releases/loadRefusal';
import { releaseManifestSchema } from '@forecourt/releases/manifest';
import { loadServerModules } from '@forecourt/releases/serverContainer';
import type { SharedModules } from '@forecourt/releases/shareScope';
import { type GatePage, gatePagesSchema, pagesWithSlot } from '@forecourt/releases/gatePages';
import type * as State from '@forecourt/search/state';
import type { RootState } from '@forecourt/search/state';
import type { Call, SlotModule } from '@forecourt/slots';
import type * as Server from '@forecourt/slots/server';
import type * as Slices from '@forecourt/slots/slices';
import { z } from 'zod';

/** What a process needs to know of a release. */
const taskSchema = z.object({
  /** Folder with the manifest's files. */
  dist: z.string(),
  manifest: releaseManifestSchema,
  /** Folder in which the shared modules are installed, by name with the version that a shell provides. */
  directory: z.string(),
  shared: z.record(z.string(), z.string()),
  /** File with the recorded pages; without one, no slot is rendered. */
  pagesFile: z.string().optional(),
});
type Task = z.infer<typeof taskSchema>;

const factsSchema = z.record(z.string(), z.object({ reads: z.array(z.string()), loads: z.boolean() }));
type SlotFacts = z.infer<typeof factsSchema>;

const renderSchema = z.object({
  slot: z.string(),
  /** Index of the recorded page. */
  page: z.number(),
  html: z.string().optional(),
  data: z.unknown().optional(),
  /** Why it did not render. */
  error: z.string().optional(),
});
/** What the server renders of a slot on a recorded page. */
export type ServerRender = z.infer<typeof renderSchema>;

const resultSchema = z.object({
  /** Slot to what its module declares. */
  slots: factsSchema.optional(),
  failures: z.array(
    z.object({
      half: z.enum(['server', 'browser']),
      fault: z.enum(['ENTRY', 'SHARE_SCOPE', 'MODULE']).optional(),
      message: z.string(),
    }),
  ),
  renders: z.array(renderSchema),
});
type Result = z.infer<typeof resultSchema>;

/**
 * Runs both sides of a release, as servers and browsers do, in a process that can do nothing else, and renders its slots on the
 * server over recorded pages.
 */
export async function evaluateRelease(task: Task): Promise<{
  readonly slots: SlotFacts | undefined;
  readonly refusals: readonly Refusal[];
  readonly renders: readonly ServerRender[];
}> {
  const program = fileURLToPath(import.meta.url);
  const folders = [
    task.dist,
    ...(task.pagesFile === undefined ? [] : [task.pagesFile]),
    ...[task.directory, dirname(program)].flatMap(packagesOf),
  ];
  const result = await runIsolated(program, [JSON.stringify(task)], folders);
  const { slots, failures, renders } = resultSchema.parse(result);
  return {
    slots,
    refusals: failures.map(({ half, fault, message }) => loadRefusal(half, fault, message)),
    renders,
  };
}

/** Lets this process import the contracts: in a workspace from their sources, elsewhere with their styles left out. */
async function registerContracts(directory: string): Promise<void> {
  try {
    const hooks = createRequire(join(directory, 'package.json')).resolve('@forecourt/build/loadTsx');
    const { registerTsx } = (await import(pathToFileURL(hooks).href)) as { registerTsx: () => void };
    registerTsx();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    registerHooks({
      load: (url, context, nextLoad) =>
        url.endsWith('.css')
          ? { format: 'module', source: 'export default {};', shortCircuit: true }
          : nextLoad(url, context),
    });
  }
}

async function importShared({ directory, shared }: Task): Promise<SharedModules> {
  await registerContracts(directory);
  const { resolve } = createRequire(join(directory, 'package.json'));
  const modules = Object.entries(shared).map(async ([name, version]) => {
    const module = (await import(pathToFileURL(resolve(name)).href)) as object;
    return [name, { version, module }] as const;
  });
  return Object.fromEntries(await Promise.all(modules));
}

function readSide({ dist, manifest }: Task, side: string): ReadonlyMap<string, string> {
  const paths = Object.keys(manifest.files).filter((path) => path.startsWith(side));
  return new Map(
    paths
      .filter((path) => existsSync(join(dist, path)))
      .map((path) => [path.slice(side.length), readFileSync(join(dist, path), 'utf8')]),
  );
}

interface Declared {
  readonly kind?: string;
  readonly reads?: string[];
  readonly load?: unknown;
}

/** What each slot module declares. @throws ContainerError when one is no slot */
function readFacts(modules: ReadonlyMap<string, unknown>): SlotFacts {
  const facts = [...modules].map(([slot, module]): [string, SlotFacts[string]] => {
    const { kind, reads, load } = (module ?? {}) as Declared;
    if (kind !== 'forecourt.slot' || !reads)
      throw new ContainerError('MODULE', `the default export of slot ${slot} is not defineSlot({ … })`);
    return [slot, { reads: [...reads], loads: typeof load === 'function' }];
  });
  return Object.fromEntries(facts);
}

/** Modules of the contracts, as code in `directory` imports them. */
async function importFrom<T>(directory: string, name: string): Promise<T> {
  const { resolve } = createRequire(join(directory, 'package.json'));
  return (await import(pathToFileURL(resolve(name)).href)) as T;
}

/** Each slot over the recorded pages that have it, until it fails on one. */
async function renderAll(
  { directory, pagesFile }: Task,
  modules: ReadonlyMap<string, unknown>,
): Promise<ServerRender[]> {
  if (pagesFile === undefined) return [];
  const pages = gatePagesSchema.parse(JSON.parse(readFileSync(pagesFile, 'utf8')));
  const { renderSlot } = await importFrom<typeof Server>(directory, '@forecourt/slots/server');
  const { sliceState } = await importFrom<typeof Slices>(directory, '@forecourt/slots/slices');
  const { marketplaceState } = await importFrom<typeof State>(directory, '@forecourt/search/state');
  const renders: ServerRender[] = [];
  for (const [slot, module] of modules) {
    for (const page of pagesWithSlot(slot, pages)) {
      const at = { slot, page: pages.indexOf(page) };
      const { reads } = module as SlotModule;
      try {
        const { html, data } = await renderSlot(marketplaceState, module as SlotModule, {
          slot,
          state: sliceState(marketplaceState, page.state as unknown as RootState, reads),
          checksReads: true,
          call: callOf(page),
          signal: new AbortController().signal,
        });
        renders.push({ ...at, html, data });
      } catch (error) {
        renders.push({ ...at, error: messageOf(error) });
        break;
      }
    }
  }
  return renders;
}

const callOf =
  ({ answers }: GatePage): Call =>
  async (name) => {
    const answer = answers[name] ?? { code: 'UNREACHABLE' };
    if ('code' in answer) throw Object.assign(new Error(`${name} failed`), { code: answer.code });
    return answer.data as never;
  };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function evaluate(task: Task): Promise<Result> {
  const { manifest } = task;
  const shared = await importShared(task);
  refuseNativeCode();
  const label = `${manifest.name}@${manifest.version}`;
  const failures: Result['failures'] = [];
  const attempt = async (half: 'server' | 'browser', load: () => Promise<ReadonlyMap<string, unknown>>) => {
    try {
      const modules = await load();
      return { modules, facts: readFacts(modules) };
    } catch (error) {
      const fault: ContainerFault | undefined = error instanceof ContainerError ? error.fault : undefined;
      failures.push({ half, ...(fault && { fault }), message: messageOf(error) });
      return undefined;
    }
  };
  const entry = manifest.entry.node.slice('node/'.length);
  const server = await attempt('server', () =>
    loadServerModules(readSide(task, 'node/'), entry, { label, exposes: manifest.slots, shared }),
  );
  await attempt('browser', () => loadBrowserModules(readSide(task, 'web/'), manifest, { label, shared }));
  // What does not load need not be rendered.
  const renders = server && failures.length === 0 ? await renderAll(task, server.modules) : [];
  return { ...(server && { slots: server.facts }), failures, renders };
}

// Node ≥ 22.18 runs it, which lacks `import.meta.main`.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const exit = process.exit.bind(process);
  const result = await evaluate(taskSchema.parse(JSON.parse(process.argv[2] ?? '')));
  writeSync(RESULT, JSON.stringify(result));
  // Timers of a release must not delay the end.
  exit(0);
}
