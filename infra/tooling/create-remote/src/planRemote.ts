import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { addOwner } from './codeOwners.ts';
import { CreateRemoteError } from './createRemoteError.ts';
import { addPlacement } from './layoutFile.ts';
import { addWorkspace } from './lockfile.ts';
import type { RemoteNames } from './remoteNames.ts';
import { filesOfTemplate } from './template.ts';

/** Files that a new remote is entered in; all of them must be there. */
export const REGISTERED_IN = {
  layout: 'shell/src/server/layout/layouts.ts',
  lockfile: 'package-lock.json',
  owners: '.github/CODEOWNERS',
} as const;

export interface Change {
  /** Below the repository, with forward slashes. */
  readonly path: string;
  readonly kind: 'create' | 'edit';
  readonly text: string;
}

/** The new text of each file, as the repository formats it: names of other lengths break lines elsewhere. */
async function formatted(root: string, path: string, text: string): Promise<string> {
  if (!/\.(?:tsx?|css|md)$/.test(path)) return text;
  const filepath = join(root, path);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}

/**
 * Everything that a new remote changes in the repository at `root`; writes
 * nothing.
 * @throws CreateRemoteError REMOTE_EXISTS, SLOT_TAKEN, REPOSITORY_UNEXPECTED
 */
export async function planRemote(root: string, names: RemoteNames): Promise<Change[]> {
  if (existsSync(join(root, names.remote)))
    throw new CreateRemoteError('REMOTE_EXISTS', `there is a folder ${names.remote} already`);
  const files = filesOfTemplate(names);
  const packageJson = files.get(`${names.remote}/package.json`) ?? '';
  const edits: Record<string, (text: string) => string> = {
    [REGISTERED_IN.layout]: (text) => addPlacement(text, { slot: names.slot, source: names.remote }),
    [REGISTERED_IN.owners]: (text) => addOwner(text, names.remote, names.team),
    [REGISTERED_IN.lockfile]: (text) => addWorkspace(text, names.remote, packageJson),
  };
  const changes: Change[] = [];
  for (const [path, text] of [...files].sort())
    changes.push({ path, kind: 'create', text: await formatted(root, path, text) });
  for (const [path, edit] of Object.entries(edits)) {
    if (!existsSync(join(root, path)))
      throw new CreateRemoteError('REPOSITORY_UNEXPECTED', `${path} is missing`);
    const text = edit(readFileSync(join(root, path), 'utf8'));
    changes.push({ path, kind: 'edit', text: await formatted(root, path, text) });
  }
  return changes;
}
