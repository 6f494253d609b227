import { join } from 'node:path';
import { defineShell } from '@forecourt/build/defineShell';
import { REPOSITORY } from './repository.ts';
import { type BuildWatch, redirect, watchBuild } from './watchBuild.ts';

/** Inside the shell's folder, so that its server finds the shell's libraries. */
export const DEV_SHELL_DIST = 'shell/.cache/dev';

/** Rebuilds the shell on change; `onBuilt` restarts it. */
export function watchShell(options: {
  readonly onBuilt: (ms: number) => Promise<void>;
  readonly onError: (message: string) => void;
}): BuildWatch {
  const configurations = defineShell(join(REPOSITORY, 'shell'));
  return watchBuild(redirect(configurations, join(REPOSITORY, DEV_SHELL_DIST)), {
    onError: options.onError,
    onBuilt: (_stats, ms) => options.onBuilt(ms),
  });
}
