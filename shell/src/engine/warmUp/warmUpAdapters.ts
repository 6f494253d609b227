import { createRateLimits } from '@forecourt/service-kit/rateLimits';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { EngineAdapters } from '../createEngine.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../gateway/gateway.ts';
import { createGatewayMetrics } from '../gateway/gatewayMetrics.ts';
import { RenderFailure, type RenderFailureCode } from '../rendering/slotRenderer.ts';
import { recordedUpstream, type RecordedResponses } from './recordedUpstream.ts';

export type WarmUpAdapters = EngineAdapters & { readonly gateway: Gateway };

/** A name that can't be resolved (RFC 6761). */
const BASE_URL = 'http://upstream.invalid';

/** Each costs a process its life, or the shell seconds: another page would show the same. */
const COSTLY: ReadonlySet<RenderFailureCode> = new Set(['DEADLINE', 'DIED', 'PAUSED']);

/** Counts that never reach a limit. */
function withoutLimits(): EngineAdapters['limits'] {
  const limits = createRateLimits();
  const count = { totalHits: 1, resetTime: new Date(Date.now() + 60_000) };
  return {
    ...limits,
    store: (options) => ({ ...limits.store(options), increment: () => count, adjust: () => {} }),
  };
}

/**
 * Adapters of an app that warms up a shell: they share the releases and their processes with it, and nothing else. What
 * the app counts, logs, limits, caches and calls is its own, and is forgotten with it. `onCostly`: the processes of
 * releases must not get more work.
 */
export function warmUpAdapters(
  { releases, renderer, assets, failureClaims, clock }: EngineAdapters,
  {
    calls,
    parse,
    logLevel,
    responseAt,
    onCostly,
  }: {
    readonly calls: Readonly<Record<string, CallDefinition>>;
    /** The shell's own, whose compiled schemas hold nothing of what they parse. */
    readonly parse: NonNullable<GatewayOptions['parse']>;
    readonly logLevel: string;
    readonly responseAt: RecordedResponses;
    readonly onCostly: () => void;
  },
): WarmUpAdapters {
  const metrics = new Registry();
  const { encodeState } = renderer;
  return {
    assets,
    failureClaims,
    clock,
    metrics,
    releases: { live: releases.live, find: releases.find },
    gateway: createGateway({
      baseUrl: BASE_URL,
      calls,
      parse,
      metrics: createGatewayMetrics(metrics),
      log: () => {},
      send: recordedUpstream(responseAt),
    }),
    renderer: {
      encodeState,
      prepare: () => Promise.resolve(),
      async render(job) {
        try {
          return await renderer.render(job);
        } catch (error) {
          if (error instanceof RenderFailure && COSTLY.has(error.code)) onCostly();
          throw error;
        }
      },
      retire: () => {},
      close: () => Promise.resolve(),
    },
    limits: withoutLimits(),
    // Lines are written as usual, and dropped.
    logger: pino({ level: logLevel }, { write: () => {} }),
  };
}
