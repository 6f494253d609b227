import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageOf } from './shared.ts';

/** The installed version of a shared module's package: what the shell provides. */
export function providedVersion(module: string, repositoryRoot: string): string {
  const directory =
    packageOf(module) === '@forecourt/shared-contracts'
      ? 'shared-contracts'
      : `node_modules/${packageOf(module)}`;
  return (
    JSON.parse(readFileSync(join(repositoryRoot, directory, 'package.json'), 'utf8')) as { version: string }
  ).version;
}
