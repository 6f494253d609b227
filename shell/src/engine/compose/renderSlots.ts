import { sliceState } from '@forecourt/slots/slices';
import { renderSlot } from '@forecourt/slots/server';
import type { CallName, CallParams } from '@forecourt/slots/calls';
import type { LoadedRelease } from '../rendering/release.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import {
  RenderFailure,
  type RenderedSlot,
  type RenderJob,
  type SlotRenderer,
  withDeadline,
} from '../rendering/slotRenderer.ts';
import type { SlotPlacement } from '../layout/placement.ts';
import type { SlotBreakers } from '../rendering/slotBreakers.ts';
import type { SlotCache } from '../rendering/slotCache.ts';
import { assertFragment } from '../rendering/fragment/fragmentCheck.ts';
import type { CallContext, Gateway, ResponseSource } from '../gateway/gateway.ts';
import type { PageState } from '../pageState.ts';
import type { Site } from '../site.ts';
import { messageOf, stackOf } from '../universal/messageOf.ts';
import type { Completeness } from './completeness.ts';

/** Why a slot could not be rendered, in the words of its release. */
export interface SlotFailure {
  readonly message: string;
  readonly stack?: string | undefined;
  /** It waited for the machine: the failure says nothing about the release. */
  readonly isOfMachine?: boolean;
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
  readonly slotBreakers: SlotBreakers;
  readonly site: Pick<Site, 'ownSlots' | 'personal' | 'state'>;
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
  readonly state: PageState;
  readonly snapshot: Snapshot;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly call: SlotCall;
}

/** Runs a call for a slot; `isPersonal`: in the visitor's name. */
export type SlotCall = (
  name: CallName,
  params: CallParams,
  options: { readonly signal: AbortSignal; readonly isPersonal: boolean },
) => Promise<{ readonly data: unknown; readonly source: ResponseSource }>;

/** Runs the calls of slots: in the visitor's name only for personal slots. */
export const slotCalls =
  (gateway: Pick<Gateway, 'request'>, context: CallContext): SlotCall =>
  (name, params, { signal, isPersonal }) => {
    const { consumerId: _, idToken: __, ...anonymous } = context;
    return gateway.request(name, params, { ...(isPersonal ? context : anonymous), signal });
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
  /** How complete its HTML is. */
  readonly completeness: Completeness;
}

/** The release that fills a placement in this page; undefined for the shell's own slots and missing remotes. */
export function releaseOf(placement: SlotPlacement, snapshot: Snapshot): LoadedRelease | undefined {
  if (placement.source === 'shell') return undefined;
  const release = snapshot.get(placement.source.remote);
  return release && Object.hasOwn(release.manifest.slots, placement.slot) ? release : undefined;
}

/** See `maxDeadlineFactor` of RenderJob. */
const REQUIRED_DEADLINE_FACTOR = 5;

/** Runs the calls that the layout allows the slot; `sources` collects where their responses come from. */
const callsOf =
  (
    { slot, calls = [], isPersonal }: SlotPlacement,
    { call }: SlotRequest,
    sources: Set<ResponseSource>,
  ): RenderJob['call'] =>
  async (name, params, signal) => {
    if (!calls.includes(name))
      throw Object.assign(new Error(`the layout does not let ${slot} call ${name}`), { code: 'NOT_ALLOWED' });
    const { data, source } = await call(name, params, { signal, isPersonal: isPersonal === true });
    sources.add(source);
    return data;
  };

async function run(
  placement: SlotPlacement,
  release: LoadedRelease | undefined,
  deps: RenderDeps,
  request: SlotRequest,
) {
  const { slot, deadlineMs, mayRead } = placement;
  const { ownSlots, personal, state: siteState } = deps.site;
  const isPersonal = placement.isPersonal === true;
  const { signal } = request;
  const state = isPersonal ? request.state : personal.without(request.state);
  const sources = new Set<ResponseSource>();
  const call = callsOf(placement, request, sources);
  const finish = (rendered: RenderedSlot, isReused: boolean) => ({
    rendered,
    isReused,
    isComplete: !rendered.isPartial && !sources.has('fallback'),
  });
  const slice = (reads: readonly string[]) =>
    sliceState(
      siteState,
      state,
      reads.filter((part) => mayRead.includes(part)),
    );
  if (release) {
    const { reads } = release.manifest.slots[slot] ?? { reads: [] };
    // Prefer a late page to one without its required slot; an optional slot is not worth the wait.
    const maxDeadlineFactor = placement.criticality === 'required' ? REQUIRED_DEADLINE_FACTOR : undefined;
    const job = {
      release,
      slot,
      state: slice(reads),
      deadlineMs,
      maxDeadlineFactor,
      isPersonal,
      call,
      signal,
    };
    const renderChecked = async (bounded: RenderJob) => {
      const rendered = await deps.renderer.render(bounded);
      await assertFragment(rendered, { ...placement, isMain: placement.isPage === true }, (ms) =>
        deps.renderer.spendShellTime?.(release.id, ms, 'checking'),
      );
      return rendered;
    };
    // A page without its required slot is no page: it waits.
    const render = (bounded: RenderJob) =>
      placement.criticality === 'required'
        ? renderChecked(bounded)
        : deps.slotBreakers.run(release, slot, () => renderChecked(bounded));
    const result = (await deps.slotCache?.render(job, render)) ?? {
      rendered: await render(job),
      isReused: false,
    };
    return finish(result.rendered, result.isReused);
  }
  const module = ownSlots[slot];
  if (placement.source !== 'shell' || !module)
    throw new RenderFailure('NOT_PREPARED', `no release fills ${slot}`);
  const rendered = await withDeadline(deadlineMs, signal, (cut) =>
    renderSlot(siteState, module, {
      slot,
      state: slice(module.reads),
      call: (name, params) => call(name, params, cut) as never,
      signal: cut,
    }),
  );
  return finish(rendered, false);
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
  completeness: 'shed',
});

/** Renders one slot; never rejects. A failure is logged, counted and leaves `rendered` undefined. */
export async function renderPlacement(
  placement: SlotPlacement,
  deps: RenderDeps,
  request: SlotRequest,
): Promise<SlotOutcome> {
  const release = releaseOf(placement, request.snapshot);
  if (placement.deadlineMs === 0 || placement.renderedBy)
    return { placement, release, rendered: undefined, completeness: 'full' };
  const label = release ? (release.metricsLabel ?? release.id) : 'shell';
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  const stop = deps.metrics.start(placement.slot, label);
  const endSpan = deps.trace?.(placement, label, request.requestId);
  try {
    const { rendered, isReused, isComplete } = await run(placement, release, deps, request);
    if (isReused) deps.metrics.reused?.(placement.slot);
    else stop('ok');
    endSpan?.(isReused ? 'reused' : 'ok');
    return { placement, release, rendered, ms: elapsed(), completeness: isComplete ? 'full' : 'late' };
  } catch (error) {
    const code = error instanceof RenderFailure ? error.code : 'THREW';
    const message = messageOf(error);
    stop(
      code,
      error instanceof RenderFailure
        ? { message, stack: error.releaseStack, isOfMachine: error.isOfMachine }
        : { message, stack: stackOf(error) },
    );
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
    return {
      placement,
      release,
      rendered: undefined,
      ms: elapsed(),
      failure: `${code}: ${message}`,
      completeness: 'late',
    };
  }
}
