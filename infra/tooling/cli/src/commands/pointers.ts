import { pointersSchema } from '@forecourt/releases/pointers';
import { CANARY_STATES, measureName } from '@forecourt/releases/canaryRule';
import type { z } from 'zod';
import { type CommandLine, readRelease, UsageError } from '../commandLine.ts';
import { callRegistry, type RegistryAccess } from '@forecourt/release-kit/registryClient';
import { canaryReportSchema, historySchema } from '@forecourt/release-kit/registryResponses';
import {
  type Command,
  type CommandResult,
  describePointer,
  pointerOf,
  rejectExtraArguments,
} from './command.ts';

async function movePointer(
  line: CommandLine,
  name: string,
  verb: string,
  body: object,
): Promise<CommandResult> {
  const content = JSON.stringify({ ...body, why: line.why });
  const pointers = await callRegistry(
    line.access,
    {
      method: 'POST',
      path: `/api/remotes/${encodeURIComponent(name)}/${verb}`,
      body: { type: 'application/json', content },
    },
    pointersSchema,
  );
  const pointer = pointerOf(pointers, name);
  return {
    text: `${name}: ${describePointer(pointer)} (revision ${pointers.revision})`,
    data: { remote: name, revision: pointers.revision, pointer: pointer ?? null },
  };
}

const skipGate = ({ skipsGate }: CommandLine) => (skipsGate ? { skipGate: true } : {});

type CanaryReport = z.infer<typeof canaryReportSchema>;
type Measure = CanaryReport['measures'][number];

export const readCanary = (access: RegistryAccess, name: string): Promise<CanaryReport> =>
  callRegistry(
    access,
    { method: 'GET', path: `/api/remotes/${encodeURIComponent(name)}/canary` },
    canaryReportSchema,
  );

function describeMeasure(measure: Measure): string {
  const { canary, live, verdict } = measure;
  const share = ({ good, bad }: Measure['live']) => {
    const total = good + bad;
    return total === 0 ? 'none' : `${bad} of ${total} (${((100 * bad) / total).toFixed(1)} %)`;
  };
  const minutes =
    verdict.minutesLeft === undefined
      ? ''
      : `, about ${Math.max(1, Math.ceil(verdict.minutesLeft))} min left`;
  const { text, advice } = CANARY_STATES[verdict.kind];
  return `${measureName(measure)}: canary ${share(canary)}, live ${share(live)}: ${text}${minutes}: ${advice}`;
}

/** The canary and what is known about it, one line per measure. */
export const describeCanary = ({ remote, live, canary: pointer, ...report }: CanaryReport): string =>
  [
    `${remote}: canary ${pointer.version} at ${pointer.weight} % against live ${live}; last ${report.windowMinutes} minutes of ${report.shells} ${report.shells === 1 ? 'shell' : 'shells'}`,
    ...(report.measures.length > 0
      ? report.measures.map(describeMeasure)
      : [`no outcome yet: ${CANARY_STATES.undecided.text}: ${CANARY_STATES.undecided.advice}`]),
  ].join('\n');

/** `canary REMOTE` shows how it fares; `canary REMOTE VERSION PERCENT` sets its share. */
export const canary: Command = async (line) => {
  const { name, version, rest } = readRelease(line.args);
  if (version === undefined && rest.length === 0) {
    if (line.why !== undefined) throw new UsageError('--why and --skip-gate need VERSION PERCENT');
    const report = await readCanary(line.access, name);
    return { text: describeCanary(report), data: report };
  }
  const [percent = '', ...more] = rest;
  rejectExtraArguments(more);
  const weight = percent.trim() === '' ? NaN : Number(percent);
  if (version === undefined || !(weight >= 0 && weight <= 100))
    throw new UsageError('canary needs REMOTE VERSION PERCENT, the last a number from 0 to 100');
  return movePointer(line, name, 'canary', { version, weight, ...skipGate(line) });
};

/** `promote REMOTE [VERSION]`; without a version, the canary's. */
export const promote: Command = async (line) => {
  const { name, version, rest } = readRelease(line.args);
  rejectExtraArguments(rest);
  return movePointer(line, name, 'promote', { version, ...skipGate(line) });
};

/** `rollback REMOTE` */
export const rollback: Command = async (line) => {
  const { name, version, rest } = readRelease(line.args);
  if (version !== undefined)
    throw new UsageError('rollback takes no version: promote the one that you want back');
  rejectExtraArguments(rest);
  return movePointer(line, name, 'rollback', {});
};

/** `hold REMOTE --why TEXT` */
export const hold: Command = async (line) => {
  const [name, ...rest] = line.args;
  rejectExtraArguments(rest);
  if (name === undefined || line.why === undefined) throw new UsageError('hold needs REMOTE and --why TEXT');
  const { text, data } = await movePointer(line, name, 'hold', {});
  return { text: `${text}; held: ${line.why}`, data };
};

/** `resume REMOTE` */
export const resume: Command = async (line) => {
  const [name, ...rest] = line.args;
  rejectExtraArguments(rest);
  if (name === undefined) throw new UsageError('resume needs REMOTE');
  const { text, data } = await movePointer(line, name, 'resume', {});
  return { text: `${text}; not held`, data };
};

/** `history [REMOTE]` */
export const history: Command = async ({ access, args, limit }) => {
  const [remote, ...rest] = args;
  rejectExtraArguments(rest);
  const base = remote === undefined ? '/api/history' : `/api/remotes/${encodeURIComponent(remote)}/history`;
  const { changes } = await callRegistry(
    access,
    { method: 'GET', path: `${base}?limit=${limit}` },
    historySchema,
  );
  const lines = changes.map(
    ({ revision, at, remote: changed, verb, by, why, skipGate: hasSkippedGate, before, after }) =>
      `${revision}  ${at}  ${by}  ${verb} ${changed}: ${describePointer(before)} -> ${describePointer(after)}${hasSkippedGate ? '  WITHOUT GATE' : ''}${why ? `  (${why})` : ''}`,
  );
  return { text: lines.length > 0 ? lines.join('\n') : 'no changes yet', data: { changes } };
};
