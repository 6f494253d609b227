import { sliceState, type RootState } from '@forecourt/shared-contracts/store';
import type { CallName, CallParams } from '@forecourt/shared-contracts/calls';
import type { SlugData } from '@forecourt/shared-contracts/criteria';
import { renderSlot } from '@forecourt/shared-contracts/slots/server';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import type { LoadedRelease } from '../rendering/release.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import {
  RenderFailure,
  type RenderedSlot,
  type RenderJob,
  type SlotRenderer,
  withDeadline,
} from '../rendering/slotRenderer.ts';
import { readsOf, type SlotPlacement } from './placement.ts';
import type { SlotCache } from '../rendering/slotCache.ts';
import { assertFragment } from '../rendering/fragmentCheck.ts';
import type { CallContext, Gateway } from '../gateway/gateway.ts';
import { withoutPersonal } from '../../marketplace/visitor/universal/personalState.ts';
import { messageOf, stackOf } from '../universal/messageOf.ts';

/** Why a slot could not be rendered, in the words of its release. */
export interface SlotFailure {
  readonly message: string;
  readonly stack?: string | undefined;
}

/** Times one render of a slot; the returned function ends it with 'ok' or the failure's code. */
export interface SlotMetrics {
  readonly start: (slot: string, release: string) => (outcome: string, failure?: SlotFailure) => void;
  /** Counts a slot that was not rendered again. */
  readonly reused?: (slot: string) => void;
}

export interface RenderDeps {
  readonly renderer: SlotRenderer;
  /** Without it every slot is rendered. */
  readonly slotCache?: SlotCache | undefined;
  /** Modules of the slots whose source is the shell. */
  readonly ownSlots: Readonly<Record<string, SlotModule>>;
  readonly metrics: SlotMetrics;
  /** Starts a span of the request's trace; the returned function ends it. Without it nothing is traced. */
  readonly trace?:
    | ((
        placement: SlotPlacement,
        release: string,
        requestId: string,
      ) => ((outcome: string) => void) | undefined)
    | undefined;
  readonly logSlot: (event: {
    slot: string;
    release: string;
    code: string;
    message: string;
    requestId: string;
  }) => void;
}

export interface SlotRequest {
  readonly state: RootState;
  readonly snapshot: Snapshot;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** `isPersonal`: in the visitor's name. */
  readonly call: (
    name: CallName,
    params: CallParams,
    options: { readonly signal: AbortSignal; readonly isPersonal: boolean },
  ) => Promise<unknown>;
}

/**
 * Runs the calls of slots: in the visitor's name only for personal slots. The makes and models are those that the shell
 * parses URLs with, so that links of a page never depend on a call that may be late.
 */
export const slotCalls =
  (gateway: Gateway, context: CallContext, slugData?: () => SlugData): SlotRequest['call'] =>
  (name, params, { signal, isPersonal }) => {
    const slugs = slugData?.();
    if (name === 'slugReference' && slugs && slugs.makes.length > 0) return Promise.resolve(slugs);
    const { consumerId: _, idToken: __, ...anonymous } = context;
    return gateway.call(name, params, { ...(isPersonal ? context : anonymous), signal });
  };

/** A slot's outcome: HTML of its release or of the shell, or nothing. */
export interface SlotOutcome {
  readonly placement: SlotPlacement;
  readonly release: LoadedRelease | undefined;
  readonly rendered: RenderedSlot | undefined;
  /** Server time; ms. */
  readonly ms?: number;
  /** Why there is no HTML. */
  readonly failure?: string;
  /** Left out under load, which is not a failure. */
  readonly isLeftOut?: true;
}

/** The release that fills a placement in this page; undefined for the shell's own slots and missing remotes. */
export function releaseOf(placement: SlotPlacement, snapshot: Snapshot): LoadedRelease | undefined {
  if (placement.source === 'shell') return undefined;
  const release = snapshot.get(placement.source.remote);
  return release && Object.hasOwn(release.manifest.slots, placement.slot) ? release : undefined;
}

/** See `maxStretch` of RenderJob. */
const REQUIRED_STRETCH = 5;

/** Runs the calls that the layout allows the slot. */
const callsOf =
  ({ slot, calls = [], isPersonal }: SlotPlacement, { call }: SlotRequest): RenderJob['call'] =>
  async (name, params, signal) => {
    if (!calls.includes(name))
      throw Object.assign(new Error(`the layout does not let ${slot} call ${name}`), { code: 'NOT_ALLOWED' });
    return call(name, params, { signal, isPersonal: isPersonal === true });
  };

async function run(
  placement: SlotPlacement,
  release: LoadedRelease | undefined,
  deps: RenderDeps,
  request: SlotRequest,
) {
  const { slot, deadlineMs } = placement;
  const reads = readsOf(placement);
  const isPersonal = placement.isPersonal === true;
  const { signal } = request;
  const state = isPersonal ? request.state : withoutPersonal(request.state);
  const call = callsOf(placement, request);
  const slice = (needs: readonly string[]) =>
    sliceState(
      state,
      needs.filter((need) => reads.includes(need)),
    );
  if (release) {
    const { needs } = release.manifest.slots[slot] ?? { needs: [] };
    // Rather a late page than one without its results; an optional slot is not worth the wait.
    const maxStretch = placement.criticality === 'required' ? REQUIRED_STRETCH : undefined;
    const job = { release, slot, state: slice(needs), deadlineMs, maxStretch, isPersonal, call, signal };
    const render = async (bounded: RenderJob) => {
      const rendered = await deps.renderer.render(bounded);
      assertFragment(rendered, { ...placement, isMain: slot === state.page.kind && slot !== 'results' });
      return rendered;
    };
    return deps.slotCache?.render(job, render) ?? { rendered: await render(job), isReused: false };
  }
  const module = deps.ownSlots[slot];
  if (placement.source !== 'shell' || !module)
    throw new RenderFailure('NOT_PREPARED', `no release fills ${slot}`);
  const rendered = await withDeadline(deadlineMs, signal, (cut) =>
    renderSlot(module, {
      slot,
      state: slice(module.needs),
      call: (name, params) => call(name, params, cut) as never,
      signal: cut,
    }),
  );
  return { rendered, isReused: false };
}

/** Only optional slots that the server renders are left out. */
export const canLeaveOut = ({ criticality, deadlineMs, renderedBy }: SlotPlacement): boolean =>
  criticality === 'optional' && deadlineMs > 0 && !renderedBy;

/** The outcome of an optional slot that is left out under load; the browser renders it. */
export const leaveOut = (placement: SlotPlacement, { snapshot }: SlotRequest): SlotOutcome => ({
  placement,
  release: releaseOf(placement, snapshot),
  rendered: undefined,
  failure: 'SHED: left out under load',
  isLeftOut: true,
});

/** Renders one slot; never rejects. A failure is logged, counted and leaves `rendered` undefined. */
export async function renderPlacement(
  placement: SlotPlacement,
  deps: RenderDeps,
  request: SlotRequest,
): Promise<SlotOutcome> {
  const release = releaseOf(placement, request.snapshot);
  if (placement.deadlineMs === 0 || placement.renderedBy) return { placement, release, rendered: undefined };
  const label = release ? (release.metricsLabel ?? release.id) : 'shell';
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  const stop = deps.metrics.start(placement.slot, label);
  const endSpan = deps.trace?.(placement, label, request.requestId);
  try {
    const { rendered, isReused } = await run(placement, release, deps, request);
    if (isReused) deps.metrics.reused?.(placement.slot);
    else stop('ok');
    endSpan?.(isReused ? 'reused' : 'ok');
    return { placement, release, rendered, ms: elapsed() };
  } catch (error) {
    const code = error instanceof RenderFailure ? error.code : 'THREW';
    const message = messageOf(error);
    stop(code, { message, stack: error instanceof RenderFailure ? error.releaseStack : stackOf(error) });
    endSpan?.(code);
    if (code !== 'CANCELLED') {
      deps.logSlot({
        slot: placement.slot,
        release: release?.id ?? label,
        code,
        message,
        requestId: request.requestId,
      });
    }
    return { placement, release, rendered: undefined, ms: elapsed(), failure: `${code}: ${message}` };
  }
}
