import { type Action, CANARY_LIMIT } from '@forecourt/release-kit/actions';
import type { TestRegistry } from './testApp.ts';

/** What visitors get of a remote, and whether it is held. */
export async function pointerStateOf({ storage }: Pick<TestRegistry, 'storage'>, remote: string) {
  const { revision, remotes: pointers, holds = {} } = await storage.pointers.readPointers();
  return { revision, ...pointers[remote], isHeld: Object.hasOwn(holds, remote) };
}
export type PointerState = Awaited<ReturnType<typeof pointerStateOf>>;

/** What someone who may do only these actions must not have reached, whatever they did; from `start`, for a remote whose `earlier` were live. */
export function forbiddenPointer(
  may: (action: Action) => boolean,
  start: PointerState,
  now: PointerState,
  earlier: readonly string[],
): string[] {
  const mayOne = (...some: Action[]) => some.some(may);
  const isStartingCanary =
    now.canary !== undefined &&
    now.canary.version === start.canary?.version &&
    now.canary.weight === start.canary.weight;
  const problems: [boolean, string][] = [
    [!mayOne('promote', 'rollback') && now.live !== start.live, 'another release is live'],
    [
      !may('promote') && now.live !== start.live && !earlier.includes(now.live ?? ''),
      'a release is live that never was',
    ],
    [!may('promote') && start.isHeld && !now.isHeld, 'a hold ended'],
    [!may('promote') && !start.isHeld && now.isHeld, 'a hold began'],
    [now.canary !== undefined && !isStartingCanary && !may('canary'), 'a canary began'],
    [
      now.canary !== undefined && !isStartingCanary && !may('promote') && now.canary.weight > CANARY_LIMIT,
      `a release that is not live has more than ${CANARY_LIMIT} %`,
    ],
    [
      now.canary !== undefined && !isStartingCanary && !may('promote') && start.isHeld,
      'a canary changed in spite of a hold',
    ],
    [
      !now.canary && start.canary !== undefined && !mayOne('canary', 'end-canary', 'promote', 'rollback'),
      'a canary ended',
    ],
  ];
  return problems.filter(([isTrue]) => isTrue).map(([, problem]) => problem);
}
