import { join } from 'node:path';
import { countReleaseEvents, type Isolation } from '../operations/readiness.ts';
import { createInlineRenderer } from '../rendering/inline.ts';
import { createProcessRenderer, probeSandbox } from '../rendering/process/renderer.ts';
import { chooseSandbox, RELEASE_HEAP, type SandboxLevel } from '../rendering/process/sandbox.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import type { Foundation } from './foundation.ts';

interface ChosenRenderer {
  readonly renderer: SlotRenderer;
  readonly isolation: Isolation;
}

/** The renderer of releases in processes of their own. */
async function createIsolatedRenderer(
  { plan, dist, logger, metrics }: Foundation,
  level: SandboxLevel | 'strictest',
): Promise<ChosenRenderer> {
  const program = join(dist, 'program/release.cjs');
  const chosen = await chooseSandbox(level, { program, ...RELEASE_HEAP }, probeSandbox);
  const { sandbox, refused } = chosen;
  // Not `level`, which is the severity of the line.
  logger.info({ sandbox: sandbox.level, notes: sandbox.notes, refused }, 'sandbox of releases');
  const count = countReleaseEvents(metrics);
  const renderer = createProcessRenderer({
    sandbox,
    state: plan.state,
    log(event) {
      count(event);
      logger.warn(event, event.event);
    },
  });
  return { renderer, isolation: { chosen, health: renderer.health } };
}

/** The renderer of releases, as configured. */
export function openRenderer(foundation: Foundation): ChosenRenderer | Promise<ChosenRenderer> {
  const { plan, config, logger } = foundation;
  const { RELEASE_ISOLATION: level = config.LOCAL_MODE ? 'strictest' : 'namespaces' } = config;
  if (level !== 'none') return createIsolatedRenderer(foundation, level);
  // A release rendered in this process may throw after its render; that must not end the shell.
  const logStray = (error: unknown) => logger.error({ err: error }, 'error outside of any request');
  process.on('uncaughtException', logStray);
  process.on('unhandledRejection', logStray);
  return {
    renderer: createInlineRenderer(plan),
    isolation: { chosen: undefined, health: () => [] },
  };
}
