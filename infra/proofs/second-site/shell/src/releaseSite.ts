import * as library from '@forecourt/library';
import contract from '@forecourt/library/package.json' with { type: 'json' };
import { libraryState } from '@forecourt/library/state';
import type { ReleaseSite } from '@forecourt/shell/engine';

/** What the library's releases share with its shell. */
export const RELEASE_SITE: ReleaseSite = {
  state: libraryState,
  shared: { [contract.name]: { version: contract.version, module: library } },
};
