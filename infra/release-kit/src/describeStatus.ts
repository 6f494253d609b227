import { CANARY_STATES, measureName } from '@forecourt/releases/canaryRule';
import type { z } from 'zod';
import type { statusSchema } from './registryResponses.ts';

type Status = z.infer<typeof statusSchema>;
type Remote = Status['remotes'][number];

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function failureLines({ failing }: Remote): string[] {
  return failing.flatMap(({ release, slot, server, browser }) =>
    (
      [
        ['on servers', server],
        ['in browsers', browser],
      ] as const
    )
      .filter(([, { bad }]) => bad > 0)
      .map(([place, { good, bad, lastFailure }]) => {
        const last = lastFailure ? `; last ${lastFailure.code} ${lastFailure.message}` : '';
        return `  ${slot} of ${release} failed ${place} ${bad} of ${good + bad} times${last}`;
      }),
  );
}

function remoteLines(remote: Remote): string[] {
  const { name, live, previous, hold, canary, worse } = remote;
  const lines = [`${name}  live ${live}${previous === undefined ? '' : `, before ${previous}`}`];
  if (hold) lines.push(`  held by ${hold.by}${hold.why === undefined ? '' : `: ${hold.why}`}`);
  if (canary) {
    lines.push(`  canary ${canary.version} at ${canary.weight} %`);
    for (const measure of canary.measures) {
      const { kind } = measure.verdict;
      if (kind === 'worse' || kind === 'suspect')
        lines.push(`    ${measureName(measure)}: ${CANARY_STATES[kind].text}`);
    }
  }
  if (worse) {
    const place = worse.where === 'server' ? 'on servers' : 'in browsers';
    lines.push(`  ${worse.slot} fails more often ${place} than in ${worse.previous}: roll back?`);
  }
  return [...lines, ...failureLines(remote)];
}

/** What is live where, canaries, holds and last failures by slot, in one screen. */
export function describeStatus({ revision, shells, remotes }: Status): string {
  const away = shells.filter(({ problem }) => problem !== undefined);
  return [
    `revision ${revision}, ${plural(remotes.length, 'remote')}, ${plural(shells.length, 'shell')}`,
    ...away.map(({ url, problem }) => `${url} does not respond: ${problem}`),
    ...remotes.flatMap(remoteLines),
  ].join('\n');
}
