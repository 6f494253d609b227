import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createCleanup } from '@forecourt/harness/cleanup';
import { buildFixtures } from '@forecourt/harness/releases';
import { REPOSITORY } from '@forecourt/local';
import { createNamespaces } from './namespaces.ts';
import { checkProduction } from './production.ts';

/** Why it can't run here, in plain words. */
function missing(): string | undefined {
  if (!existsSync(join(REPOSITORY, 'shell/dist/server/server.cjs'))) return 'the shell is not built';
  try {
    createNamespaces().remove();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const reason = missing();
if (reason !== undefined) it.skip(`skipped: ${reason}`, () => undefined);
else
  it('works outside local mode, and reaches nothing internal: mail, feed, photos, push, accounts and a release by OIDC', async () => {
    await buildFixtures(['good']);
    const cleanup = createCleanup();
    try {
      const findings = await checkProduction(
        { onEnd: cleanup.add, say: () => undefined, isLong: false },
        { isShort: true },
      );
      expect(findings.filter(({ isMet }) => isMet === false)).toEqual([]);
      const measures = findings.map(({ measure }) => measure.split(':')[0]);
      expect(measures).toEqual(
        expect.arrayContaining(['Feed', 'Photos', 'Push', 'Mail', 'Session cookie', 'Release']),
      );
    } finally {
      await cleanup.run();
    }
  }, 300_000);
