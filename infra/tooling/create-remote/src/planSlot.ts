import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findLayoutFile } from '@forecourt/cli/provides';
import { type Change, planEdit, planTemplate } from './changes.ts';
import { addPlacement } from './layoutFile.ts';
import { GeneratorError, type RemoteNames } from './names.ts';

const SLOT_TEMPLATE = join(import.meta.dirname, '../slot-template');

/** Places the slot in the shell's page layout. @throws GeneratorError REPOSITORY_UNEXPECTED, SLOT_TAKEN */
export function planPlacement(root: string, { remote, slot }: RemoteNames): Promise<Change> {
  const layout = findLayoutFile(root);
  if (layout === undefined)
    throw new GeneratorError('REPOSITORY_UNEXPECTED', 'no file below shell/src declares the table LAYOUT');
  return planEdit(root, layout, (text) => addPlacement(text, { slot, source: remote }));
}

/**
 * The three files of a new slot of an existing remote: the slot, its test, and
 * the page layout. Writes nothing.
 * @throws GeneratorError REMOTE_UNKNOWN, SLOT_TAKEN, REPOSITORY_UNEXPECTED
 */
export async function planSlot(root: string, names: RemoteNames): Promise<Change[]> {
  if (!existsSync(join(root, names.remote, 'package.json')))
    throw new GeneratorError('REMOTE_UNKNOWN', `there is no remote ${names.remote}; create it first`);
  const changes = await planTemplate(root, SLOT_TEMPLATE, names);
  const taken = changes.find(({ path }) => existsSync(join(root, path)));
  if (taken) throw new GeneratorError('SLOT_TAKEN', `${taken.path} exists already`);
  return [...changes, await planPlacement(root, names)];
}
