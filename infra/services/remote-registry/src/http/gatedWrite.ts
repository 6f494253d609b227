import type { z } from 'zod';
import { RegistryError } from '@forecourt/cli/release';
import type { ChangeOptions } from '../pointers/pointerBoard.ts';
import type { AppDeps } from './deps.ts';
import { type gatedWriteSchema, splitWrite } from './input.ts';

/**
 * Takes a write apart and asks the gate about the versions that it points to.
 * Who skips the gate has to say why, and the history keeps both.
 * @throws RegistryError GATE_REFUSED, SHELL_UNREACHABLE, UNKNOWN_RELEASE, BAD_REQUEST
 */
export async function passGate<T extends z.infer<typeof gatedWriteSchema>>(
  { gates, releases }: Pick<AppDeps, 'gates' | 'releases'>,
  name: string,
  body: T,
  versionsOf: (body: T) => readonly (string | undefined)[] | Promise<readonly (string | undefined)[]>,
) {
  const split = splitWrite(body);
  const options: ChangeOptions = split.options;
  const { skipGate, ...content } = split.rest;
  if (skipGate) {
    const { origin } = split.options;
    if (origin.why === undefined) throw new RegistryError('BAD_REQUEST', 'skipGate needs a why');
    const skipping: ChangeOptions = { ...options, origin: { ...origin, skipGate } };
    return { content, options: skipping };
  }
  if (!gates) return { content, options };
  for (const version of new Set(await versionsOf(body))) {
    if (version === undefined) continue;
    if (!(await releases.findRelease({ name, version })))
      throw new RegistryError('UNKNOWN_RELEASE', `${name}@${version} is not published`);
    await gates.mustAccept({ name, version });
  }
  return { content, options };
}
