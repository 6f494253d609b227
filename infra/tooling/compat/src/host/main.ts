import { writeFileSync, readFileSync } from 'node:fs';
import { registerTsx } from '@forecourt/build/loadTsx';
import { refuseNativeCode } from '@forecourt/release-kit/isolatedProgram';
import {
  recordedContexts,
  scenarioContexts,
  treeModules,
  type Context,
  type TreeModules,
} from './contexts.ts';
import { type HostResult, hostRequestSchema, type Render, type TreeFacts } from './runHost.ts';
import { readFacts } from './readFacts.ts';
import { basename, join } from 'node:path';
import vm from 'node:vm';
import { releaseManifestSchema, type ReleaseManifest } from '@forecourt/releases/manifest';

const DEADLINE_MS = 10_000;
/** Text that a view shows when data is missing. */
const MISSING_DATA = /(?<![\w-])(?:undefined|NaN|\[object Object\])(?![\w-])/;

interface Container {
  init(scope: object): unknown;
  get(module: string): Promise<() => { default?: unknown }>;
}

type RenderSlot = (
  state: unknown,
  module: unknown,
  input: { slot: string; state: object; call: unknown; signal: AbortSignal },
) => Promise<{ html: string }>;

/** Runs the node container of a built release, which can only require its own files. */
function evaluate(folder: string, { entry }: ReleaseManifest): Container {
  const loaded = new Map<string, { exports: unknown }>();
  function requireOwn(request: string): unknown {
    const file = basename(request);
    const cached = loaded.get(file);
    if (cached) return cached.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    refuseNativeCode();
    const run = vm.compileFunction(
      readFileSync(join(folder, 'node', file), 'utf8'),
      ['module', 'exports', 'require', 'process', '__dirname', '__filename'],
      { filename: join(folder, 'node', file) },
    ) as (...args: unknown[]) => void;
    run(module, module.exports, requireOwn, { env: { NODE_ENV: 'production' } }, folder, file);
    return module.exports;
  }
  return requireOwn(basename(entry.node)) as Container;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export interface Host {
  readonly tree: TreeModules;
  readonly facts: TreeFacts;
}

/** Loads a built release with the host's modules and returns a function that renders one slot on one page. */
async function loadGuest(folder: string, { tree, facts }: Host) {
  const manifest = releaseManifestSchema.parse(
    JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')),
  );
  const scope: Record<string, object> = {};
  for (const [module, version] of Object.entries(facts.shared)) {
    const loaded = await tree.importPackage(module);
    scope[module] = {
      [version]: { get: async () => () => loaded, loaded: 1, from: 'host', eager: true },
    };
  }
  const container = evaluate(folder, manifest);
  await container.init(scope);
  const { renderSlot } = (await tree.importPackage('@forecourt/slots/server')) as {
    renderSlot: RenderSlot;
  };
  const { marketplaceState } = (await tree.importPackage('@forecourt/search/state')) as {
    marketplaceState: object;
  };
  const { sliceState } = (await tree.importPackage('@forecourt/slots/slices')) as {
    sliceState: (site: object, state: object, reads: readonly string[]) => object;
  };
  const { CALLS } = (await tree.importPackage('@forecourt/upstream/calls')) as {
    CALLS: Record<string, { fallback: { kind: string; value?: unknown } }>;
  };

  /** The problem of one slot on one page, if any. */
  async function problemOf(slot: string, context: Context): Promise<string | undefined> {
    const unknownCalls: string[] = [];
    const call = async (name: string, params: unknown, options?: { body?: unknown }): Promise<unknown> => {
      const definition = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
      if (!definition) unknownCalls.push(name);
      const respond = Object.hasOwn(context.calls, name) ? context.calls[name] : undefined;
      if (respond) return respond(params, options?.body);
      if (definition?.fallback.kind === 'empty') return definition.fallback.value;
      throw new Error(`${name} failed`);
    };
    try {
      const { expose, reads } = manifest.slots[slot] ?? { expose: `./${slot}`, reads: [] };
      const module = (await container.get(expose))().default;
      const { html } = await renderSlot(marketplaceState, module, {
        slot,
        state: sliceState(marketplaceState, context.state, reads),
        call,
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      if (unknownCalls.length > 0)
        return `makes the call ${unknownCalls.join(', ')}, which is not in the table`;
      const match = MISSING_DATA.exec(html.replaceAll(/<[^>]*>/g, ' '));
      return match ? `shows '${match[0]}' to people` : undefined;
    } catch (error) {
      return unknownCalls.length > 0
        ? `makes the call ${unknownCalls.join(', ')}, which is not in the table`
        : `throws: ${messageOf(error)}`;
    }
  }
  return { manifest, problemOf };
}

/** Renders the guest's slots on the host's pages; problems that the host's own release has too are ignored. */
async function renderGuest(
  guestFolder: string,
  ownFolder: string | undefined,
  contexts: readonly Context[],
  host: Host,
): Promise<Render[]> {
  const guest = await loadGuest(guestFolder, host);
  const own = ownFolder === undefined ? undefined : await loadGuest(ownFolder, host);
  const renders: Render[] = [];
  for (const slot of Object.keys(guest.manifest.slots)) {
    for (const context of contexts) {
      if (context.slot !== undefined && context.slot !== slot) continue;
      const problem = await guest.problemOf(slot, context);
      const isShared =
        problem !== undefined &&
        own !== undefined &&
        Object.hasOwn(own.manifest.slots, slot) &&
        (await own.problemOf(slot, context)) === problem;
      renders.push({ slot, context: context.name, ...(problem !== undefined && !isShared && { problem }) });
    }
  }
  return renders;
}

// One process per tree, so that the contracts and Reacts of two trees stay apart.
const { root, resultFile, remotes } = hostRequestSchema.parse(JSON.parse(process.argv[2] ?? ''));
registerTsx();
const tree = treeModules(root);
const facts = await readFacts(tree);
const recorded = await recordedContexts(tree);
const renders: HostResult['renders'] = {};
for (const { name, guest, own } of remotes) {
  const contexts = [...recorded, ...(await scenarioContexts(tree, root, name))];
  try {
    renders[name] = await renderGuest(guest, own, contexts, { tree, facts });
  } catch (error) {
    const problem = `does not load: ${error instanceof Error ? error.message : String(error)}`;
    renders[name] = [{ slot: '*', context: '*', problem }];
  }
}
writeFileSync(resultFile, JSON.stringify({ facts, renders } satisfies HostResult));
// Timers that a release left running must not delay the report.
process.exit(0);
