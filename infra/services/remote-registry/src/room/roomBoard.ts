import { firstView, checkManifest, providesSchema, type Provides } from '@forecourt/releases/gate';
import { describeContracts } from '@forecourt/releases/manifest';
import { shellReportSchema } from '@forecourt/releases/shellReport';
import type { canaryReportSchema, listSchema, statusSchema } from '@forecourt/release-kit/registryResponses';
import type { ReleaseId } from '@forecourt/release-kit/releaseFiles';
import type { z } from 'zod';
import { earlierVersions } from '../pointers/pointerChanges.ts';
import type { PointerBoard } from '../pointers/pointerBoard.ts';
import type { PointerStore, ReleaseStore } from '../ports.ts';
import { summarize } from '../releases/summaries.ts';
import {
  canaryEvidence,
  canaryMinutes,
  COMPARED_MINUTES,
  measuresOf,
  slotsOf,
  worseThanPrevious,
} from './evidence.ts';
import type {
  PointerChange,
  RoomBoard,
  RoomCompatibility,
  RoomRelease,
  RoomShell,
  ShellGateResult,
} from './roomView.ts';
import { callShell, callShellGate, RegistryCallError } from '@forecourt/release-kit/registryClient';
import { createEgress } from '@forecourt/service-kit/egress';
import { EGRESS } from '../access/egress.ts';
import { lookupAll, replicasOf, type Lookup } from '../gate/shellGates.ts';

const reasonOf = (error: unknown): string =>
  error instanceof RegistryCallError ? `${error.code}: ${error.message}` : String(error);

/** An unreachable replica has its `problem`. */
interface ShellProvides {
  readonly url: string;
  readonly provides?: Provides;
  readonly problem?: string;
}

/** Reads what every replica of the shells serves, and lets them try releases. */
export interface ShellWatch {
  /** One entry per replica; an unreachable one has its `problem`. */
  readonly read: () => Promise<RoomShell[]>;
  /** The gate of every replica. */
  readonly gate: (id: ReleaseId) => Promise<ShellGateResult[]>;
  /** What every replica checks releases against. */
  readonly provides: () => Promise<ShellProvides[]>;
}

/** The shells have the same `token`. */
export function watchShells({
  shellUrls,
  token,
  resolveName = lookupAll,
}: {
  readonly shellUrls: readonly string[];
  readonly token?: string | undefined;
  readonly resolveName?: Lookup;
}): ShellWatch {
  const send = createEgress(EGRESS.shells(shellUrls));
  /** Replicas come and go; a name that can't be resolved is shown as its URL. */
  const replicas = async (): Promise<string[]> => {
    const addresses = await Promise.all(
      shellUrls.map((url) => replicasOf(url, resolveName).catch(() => [url])),
    );
    return [...new Set(addresses.flat())].sort();
  };

  return {
    read: async () =>
      Promise.all(
        (await replicas()).map(async (url) => {
          const call = { method: 'GET' as const, path: '/releases/report' };
          try {
            return { url, report: await callShell({ shellUrl: url, token, send }, call, shellReportSchema) };
          } catch (error) {
            return { url, problem: reasonOf(error) };
          }
        }),
      ),
    gate: async (id) =>
      Promise.all(
        (await replicas()).map(async (url) => {
          try {
            return { url, result: await callShellGate({ shellUrl: url, token, send }, id) };
          } catch (error) {
            return { url, problem: reasonOf(error) };
          }
        }),
      ),
    provides: async () =>
      Promise.all(
        (await replicas()).map(async (url) => {
          const call = { method: 'GET' as const, path: '/releases/provides' };
          try {
            return { url, provides: await callShell({ shellUrl: url, send }, call, providesSchema) };
          } catch (error) {
            return { url, problem: reasonOf(error) };
          }
        }),
      ),
  };
}

export interface BoardDeps {
  readonly pointers: PointerStore;
  readonly releases: ReleaseStore;
  readonly board: PointerBoard;
  readonly shells: ShellWatch;
}

const SHOWN_CHANGES = 50;
/** Newest releases per remote. */
const SHOWN_RELEASES = 20;

type Releases = z.infer<typeof listSchema>['releases'];

/** When the share of the remote's canary was last set. */
const canarySince = (changes: readonly PointerChange[], name: string): string | undefined =>
  changes.find(({ remote, verb }) => remote === name && verb === 'canary')?.at;

/** Reads everything that the overview shows. */
export async function readBoard({ pointers, releases, board, shells }: BoardDeps): Promise<RoomBoard> {
  const [record, changes, all, reports] = await Promise.all([
    pointers.readPointers(),
    board.readChanges({ limit: SHOWN_CHANGES }),
    releases.listReleases().then((ids) => summarize(releases, ids)),
    shells.read(),
  ]);
  const releasesByRemote = Map.groupBy(all, ({ name }) => name);
  const names = new Set([...Object.keys(record.remotes), ...releasesByRemote.keys()]);
  return {
    revision: record.revision,
    remotes: [...names].sort().flatMap((name) => {
      const pointer = record.remotes[name];
      // A remote that was published but never promoted has nothing to steer yet.
      if (!pointer) return [];
      const ownReleases: Releases = releasesByRemote.get(name) ?? [];
      const isAvailable = (version: string) => ownReleases.some((release) => release.version === version);
      const previous = earlierVersions(record, name).find(
        (version) => version !== pointer.live && isAvailable(version),
      );
      return [
        {
          name,
          pointer,
          previous,
          hold: record.holds?.[name],
          canarySince: pointer.canary && canarySince(changes, name),
          releases: ownReleases.slice(0, SHOWN_RELEASES),
        },
      ];
    }),
    changes,
    shells: reports,
  };
}

type Status = z.infer<typeof statusSchema>;

/** Slots of a release that failed lately. */
const failingSlots = (board: RoomBoard, release: string): Status['remotes'][number]['failing'] =>
  slotsOf(board, release)
    .filter(({ server, browser }) => server.bad + browser.bad > 0)
    .map(({ slot, server, browser: { phases: _, figures: __, ...browser } }) => ({
      release,
      slot,
      server,
      browser,
    }));

/** What is live where, and how it fares. */
export async function readStatus(deps: BoardDeps, now: number): Promise<Status> {
  const board = await readBoard(deps);
  return {
    revision: board.revision,
    shells: board.shells.map(({ url, problem }) => ({ url, ...(problem !== undefined && { problem }) })),
    remotes: board.remotes.map((remote) => {
      const { name, pointer, previous, hold } = remote;
      const measures = measuresOf(canaryEvidence(board, remote), canaryMinutes(remote, now));
      const versions = [pointer.live, ...(pointer.canary ? [pointer.canary.version] : [])];
      return {
        name,
        live: pointer.live,
        previous,
        hold,
        canary: pointer.canary && { ...pointer.canary, measures },
        failing: versions.flatMap((version) => failingSlots(board, `${name}@${version}`)),
        worse: worseThanPrevious(board, remote),
      };
    }),
  };
}

/** How the canary of a remote fares; undefined without one. */
export async function readCanary(
  {
    pointers,
    board,
    readShells,
  }: Pick<BoardDeps, 'pointers' | 'board'> & { readonly readShells: ShellWatch['read'] },
  name: string,
): Promise<z.infer<typeof canaryReportSchema> | undefined> {
  const { remotes } = await pointers.readPointers();
  const pointer = Object.hasOwn(remotes, name) ? remotes[name] : undefined;
  if (!pointer?.canary) return undefined;
  const [changes, shells] = await Promise.all([
    board.readChanges({ limit: SHOWN_CHANGES, remote: name }),
    readShells(),
  ]);
  const since = canarySince(changes, name);
  const evidence = canaryEvidence({ shells }, { name, pointer });
  return {
    remote: name,
    live: pointer.live,
    canary: pointer.canary,
    since,
    shells: evidence.shells,
    windowMinutes: COMPARED_MINUTES,
    measures: measuresOf(evidence, canaryMinutes({ canarySince: since }, Date.now())),
  };
}

/** One release in detail; undefined if it is not published. */
export async function readRelease(
  { releases, shells }: BoardDeps,
  id: ReleaseId,
): Promise<RoomRelease | undefined> {
  const release = await releases.findRelease(id);
  if (!release) return undefined;
  const { manifest, publishedAt, publisher, signature, brotli } = release;
  // Without a shell that responds, sizes are shown without their budgets.
  const provides = (await shells.provides()).find((shell) => shell.provides)?.provides;
  return {
    manifest,
    contract: describeContracts(manifest.contracts),
    publishedAt,
    ...publisher,
    keyId: signature?.keyId,
    brotli: { ...brotli },
    check: provides && {
      contract: describeContracts(provides.contracts),
      firstView: firstView(manifest, provides),
      refusals: checkManifest(manifest, provides),
    },
  };
}

/** The live, canary and previous releases of every remote. */
async function steeredReleases({ pointers, releases }: Pick<BoardDeps, 'pointers' | 'releases'>) {
  const record = await pointers.readPointers();
  const pointedReleases = Object.entries(record.remotes).flatMap(([name, { live, canary }]) => {
    const [previous] = earlierVersions(record, name).filter((version) => version !== live);
    const versions = { live, canary: canary?.version, previous };
    return Object.entries(versions).map(([role, version]) => ({
      role: role as keyof typeof versions,
      name,
      version,
    }));
  });
  const read = await Promise.all(
    pointedReleases.map(async ({ role, name, version }) => {
      const release = version === undefined ? undefined : await releases.findRelease({ name, version });
      return release && { role, manifest: release.manifest };
    }),
  );
  // A previous release may have been removed.
  return read.filter((release) => release !== undefined);
}

/** Checks these releases against what every shell provides; shells that provide the same are one host. */
export async function readCompatibility(
  deps: Pick<BoardDeps, 'pointers' | 'releases'> & { readonly shells: Pick<ShellWatch, 'provides'> },
): Promise<RoomCompatibility> {
  const [steered, shells] = await Promise.all([steeredReleases(deps), deps.shells.provides()]);
  const hosts = Map.groupBy(
    shells.filter(({ provides }) => provides),
    ({ provides }) => JSON.stringify(provides),
  );
  const hostProvides = [...hosts.values()].flatMap((group) => group[0]?.provides ?? []);
  return {
    hosts: [...hosts.values()].map((group) => ({
      contract: describeContracts(group[0]?.provides?.contracts ?? {}),
      urls: group.map(({ url }) => url),
    })),
    problems: shells.flatMap(({ url, problem }) => (problem === undefined ? [] : [{ url, problem }])),
    releases: steered.map(({ role, manifest }) => ({
      name: manifest.name,
      version: manifest.version,
      role,
      contract: describeContracts(manifest.contracts),
      refusals: hostProvides.map((provides) => checkManifest(manifest, provides)),
    })),
  };
}
