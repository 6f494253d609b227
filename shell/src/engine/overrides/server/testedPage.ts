import type { Request, Response } from 'express';
import { messageOf } from '../../universal/messageOf.ts';
import type { PageAddition, PageExtension } from '../../pageExtension.ts';
import { contextOf } from '../../http/requestContext.ts';
import { emitsOf, hearsOf } from '../../layout/permissions.ts';
import type { Site } from '../../site.ts';
import type { ReleaseFollower } from '../../releases/follower.ts';
import type { LoadedRelease } from '../../rendering/release.ts';
import {
  TESTER,
  wantsDevtools,
  type ChosenRelease,
  type TesterBoot,
  type MeasuredSlot,
} from '../universal/testerBoot.ts';
import { readOverrides, tokensOf, type ActiveOverride, type OverrideTokens } from './overrideTokens.ts';
import { type OverrideReleases, OVERRIDE_LABEL } from './overrideReleases.ts';
import { bannerCss, overrideBanner, type ShownOverride } from './views.ts';
import { describeRefusal } from '@forecourt/releases/gate';
import { LOCAL_BUILD } from '@forecourt/releases/overridePaths';
import { type LiveRemotes, bucketOf, type Snapshot } from '../../releases/snapshot.ts';
import type { SlotOutcome } from '../../compose/renderSlots.ts';

/** A release of the remote that the pointers name but the shell refused. */
function refusedOf(
  remote: string,
  refused: ReturnType<ReleaseFollower['refused']>,
): ChosenRelease['refused'] {
  const [id, refusals] = [...refused].find(([id]) => id.startsWith(`${remote}@`)) ?? [];
  if (id === undefined || refusals === undefined) return undefined;
  const reason = refusals.map(describeRefusal).join(' | ');
  return { version: id.slice(remote.length + 1), reason: reason || 'it failed to load' };
}

/** Explains for each remote which release a visitor's page uses and why. */
function explainSnapshot(
  snapshot: Snapshot,
  {
    live,
    visitor,
    refused,
    overrides,
  }: {
    readonly live: LiveRemotes;
    readonly visitor: string;
    readonly refused: ReturnType<ReleaseFollower['refused']>;
    readonly overrides: ReadonlyMap<string, ChosenRelease['override']>;
  },
): ChosenRelease[] {
  return [...snapshot].map(([remote, release]) => {
    const { version } = release.manifest;
    const { canary } = live.get(remote) ?? {};
    const refusal = refusedOf(remote, refused);
    const override = overrides.get(remote);
    return {
      remote,
      version,
      why:
        release.metricsLabel === OVERRIDE_LABEL
          ? 'override'
          : canary?.release === release
            ? 'canary'
            : 'live',
      ...(canary && {
        canary: {
          version: canary.release.manifest.version,
          weight: canary.weight,
          bucket: bucketOf(visitor, remote),
        },
      }),
      ...(refusal && { refused: refusal }),
      ...(override && { override }),
    };
  });
}

/** The named set that all overrides of a page belong to, if all of them are used. */
function namedSnapshot(overrides: readonly ShownOverride[]): string | undefined {
  const [first] = overrides;
  const name = first?.claims.snapshot;
  const isWhole = overrides.every(({ claims, failure }) => claims.snapshot === name && failure === undefined);
  return isWhole ? name : undefined;
}

/** A slot's server-side facts for the devtools. */
const measureSlot = (
  { placement, release, rendered, ms, failure }: SlotOutcome,
  site: Pick<Site, 'permissions'>,
): MeasuredSlot => ({
  slot: placement.slot,
  remote: placement.source === 'shell' ? null : placement.source.remote,
  version: release?.manifest.version ?? null,
  criticality: placement.criticality,
  ms: ms === undefined ? undefined : Math.round(ms * 10) / 10,
  bytes: rendered ? Buffer.byteLength(rendered.html) : 0,
  failure,
  emits: emitsOf(site, placement.slot),
  hears: hearsOf(site, placement.slot),
});

export interface TestedPageParts {
  readonly site: Pick<Site, 'permissions'>;
  readonly tokens: OverrideTokens;
  readonly releases: Pick<OverrideReleases, 'load'>;
  readonly origins: readonly string[];
  readonly isLocal: boolean;
  /** Whether open pages show new releases of `npm run dev` at once. */
  readonly followsBuilds: boolean;
  /** Names this process to pages that follow builds. */
  readonly shellProcess?: string | undefined;
  /** Whether the server may run code of the allowed origins. */
  readonly rendersOrigins: boolean;
  readonly live: ReleaseFollower['live'];
  readonly refused: ReleaseFollower['refused'];
  /** Address of the control room for browsers, if it is known. */
  readonly room: () => string | undefined;
  readonly logger: { readonly warn: (fields: object, message: string) => void };
}

/**
 * Whether `forecourt dev` requests the page for the tester: it puts its own build in the place of the live release, and tells the
 * page of newer ones. The header alone changes nothing.
 */
const isFromProxy = ({ headers }: Request, active: readonly ActiveOverride[]): boolean =>
  headers[LOCAL_BUILD.proxyHeader] !== undefined && active.some(({ claims }) => claims.origin !== undefined);

/** Loads the release of an override into the snapshot; on failure the live one stays. */
async function apply(
  { claims }: ActiveOverride,
  parts: TestedPageParts,
  page: {
    readonly snapshot: Map<string, LoadedRelease>;
    readonly requestId: string;
    readonly isProxied: boolean;
  },
): Promise<ShownOverride> {
  const { snapshot, requestId, isProxied } = page;
  const { remote, version, origin } = claims;
  if (origin !== undefined && isProxied) return { claims, isInBrowser: false };
  if (origin !== undefined && !parts.rendersOrigins) return { claims, isInBrowser: true };
  const live = parts.live().get(remote)?.live;
  if (origin === undefined && live !== undefined && live.manifest.version === version) {
    // Also instead of a canary.
    snapshot.set(remote, live);
    return { claims, isInBrowser: false };
  }
  const override = { remote, version, origin };
  try {
    snapshot.set(remote, await parts.releases.load(override));
    return { claims, isInBrowser: false };
  } catch (error) {
    const failure = messageOf(error).slice(0, 500);
    parts.logger.warn({ event: 'override-failed', requestId, override, reason: failure }, 'override-failed');
    return { claims, isInBrowser: false, failure };
  }
}

/** Extends the pages of testers; undefined for other visitors. */
export function extendTestedPages(parts: TestedPageParts): PageExtension['extendPage'] {
  const { isLocal, rendersOrigins } = parts;

  return async (request, { snapshot: chosen, url: returnTo }) => {
    const requestsDevtools = wantsDevtools(request.originalUrl, request.headers.cookie);
    if (!requestsDevtools && !parts.followsBuilds && tokensOf(request).length === 0) return undefined;
    const active = await readOverrides(request, parts);
    const hasDevtools = requestsDevtools && (isLocal || active.length > 0);
    if (active.length === 0 && !hasDevtools && !parts.followsBuilds) return undefined;

    const { requestId, visitor } = contextOf(request);
    const snapshot = new Map(chosen);
    const isProxied = isFromProxy(request, active);
    const followsBuilds = parts.followsBuilds || isProxied;
    const overrides = await Promise.all(
      active.map((override) => apply(override, parts, { snapshot, requestId, isProxied })),
    );
    overrides.sort((left, right) => (left.claims.remote < right.claims.remote ? -1 : 1));
    const name = namedSnapshot(overrides);
    const explained = overrides.map(({ claims, failure }): [string, ChosenRelease['override']] => [
      claims.remote,
      { until: claims.exp * 1000, by: claims.sub, origin: claims.origin, failure },
    ]);
    const localBuilds = active.flatMap(({ claims: { remote, origin } }) =>
      origin === undefined ? [] : [{ remote, origin }],
    );
    const boot = {
      hasDevtools,
      isLocal,
      followsBuilds,
      room: parts.room(),
      // The proxy tells its pages of builds, and knows nothing of this process.
      shellProcess: isProxied ? undefined : parts.shellProcess,
      chosen: explainSnapshot(snapshot, {
        live: parts.live(),
        visitor: visitor.id,
        refused: parts.refused(),
        overrides: new Map(explained),
      }),
      inBrowser: rendersOrigins || isProxied ? [] : localBuilds,
    };
    return {
      snapshot,
      css: bannerCss,
      banner: overrideBanner(overrides, { returnTo, name }),
      bootData: (outcomes) => ({
        name: TESTER,
        data: {
          ...boot,
          slots: outcomes.map((outcome) => measureSlot(outcome, parts.site)),
        } satisfies TesterBoot,
      }),
      setHeaders: (response) =>
        setHeaders(response, {
          origins: localBuilds.map(({ origin }) => origin),
          remotes: active.map(({ claims }) => claims.remote),
          followsBuilds,
          name,
          releases: [...snapshot.values()].map(({ manifest }) => `${manifest.name}@${manifest.version}`),
        }),
    } satisfies PageAddition;
  };
}

interface Sources {
  /** Origins that only this page may load from. */
  readonly origins: readonly string[];
  /** Overridden remotes, which may have no live release. */
  readonly remotes: readonly string[];
  /** Each build creates its policies again. */
  readonly followsBuilds: boolean;
}

/** Never cached or indexed; names the page's snapshot and releases; the page may load from the origins of its overrides. */
function setHeaders(
  response: Response,
  {
    releases,
    name,
    ...sources
  }: Sources & { readonly releases: readonly string[]; readonly name: string | undefined },
): void {
  response.set({
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
    'Forecourt-Releases': releases.join(', '),
    ...(name !== undefined && { 'Forecourt-Snapshot': name }),
  });
  const policy = response.getHeader('Content-Security-Policy');
  if (typeof policy === 'string') response.set('Content-Security-Policy', policyWith(policy, sources));
}

/** The Content Security Policies of a page that also loads a local build. */
function policyWith(policy: string, { origins, remotes, followsBuilds }: Sources): string {
  const additions: Readonly<Record<string, readonly string[]>> = {
    'script-src': origins,
    'style-src': origins,
    'img-src': origins,
    'font-src': origins,
    'connect-src': origins,
    'trusted-types': [
      ...remotes.flatMap((remote) => [`${remote}#webpack`, `${remote}#scripts`]),
      ...(followsBuilds ? ["'allow-duplicates'"] : []),
    ],
  };
  const extended = (directive: string) => {
    const [name = '', ...sources] = directive.split(' ');
    return [name, ...new Set([...sources, ...(additions[name] ?? [])])].join(' ');
  };
  return policy
    .split(', ')
    .map((one) => one.split('; ').map(extended).join('; '))
    .join(', ');
}
