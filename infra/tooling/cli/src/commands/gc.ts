import { callRegistry } from '../registryClient.ts';
import { garbageSchema } from '../release/responses.ts';
import { type Command, rejectExtraArguments } from './command.ts';

/** `gc`: a dry run unless `--yes`. */
export const gc: Command = async ({ access, args, keepDays, keepVersions, isConfirmed }) => {
  rejectExtraArguments(args);
  const content = JSON.stringify({ keepDays, keepVersions, dryRun: !isConfirmed });
  const result = await callRegistry(
    access,
    { method: 'POST', path: '/api/gc', body: { type: 'application/json', content } },
    garbageSchema,
  );
  const names = result.removed.map(({ name, version }) => `${name}@${version}`);
  const verb = isConfirmed ? 'removed' : 'would remove';
  return {
    text: names.length > 0 ? names.map((name) => `${verb} ${name}`).join('\n') : 'nothing to remove',
    data: result,
  };
};
