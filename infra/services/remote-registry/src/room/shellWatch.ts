import { callRegistry, callShellGate, RegistryCallError } from '@forecourt/cli/client';
import type { ReleaseId } from '@forecourt/cli/release';
import { providesSchema, type Provides } from '@forecourt/shared-contracts/slots/gate';
import { shellReportSchema } from '@forecourt/shared-contracts/slots/shellReport';
import { lookupAll, replicasOf, type Lookup } from '../gate/shellReplicas.ts';
import type { RoomShell, ShellTrial } from './roomView.ts';

const reasonOf = (error: unknown): string =>
  error instanceof RegistryCallError ? `${error.code}: ${error.message}` : String(error);

/** Reads what every replica of the shells serves, and lets them try releases. */
export interface ShellWatch {
  /** One entry per replica; an unreachable one has its `problem`. */
  readonly read: () => Promise<RoomShell[]>;
  /** The gate of every replica. */
  readonly tryOut: (id: ReleaseId) => Promise<ShellTrial[]>;
  /** What the first shell that responds checks releases against; undefined if none does. */
  readonly provides: () => Promise<Provides | undefined>;
}

/** The shells have the same `token`. */
export function watchShells({
  shellUrls,
  token,
  resolveName = lookupAll,
}: {
  readonly shellUrls: readonly string[];
  readonly token?: string | undefined;
  readonly resolveName?: Lookup;
}): ShellWatch {
  /** Replicas come and go; a name that can't be resolved is shown as its URL. */
  const replicas = async (): Promise<string[]> => {
    const found = await Promise.all(shellUrls.map((url) => replicasOf(url, resolveName).catch(() => [url])));
    return [...new Set(found.flat())].sort();
  };

  return {
    read: async () =>
      Promise.all(
        (await replicas()).map(async (url) => {
          const call = { method: 'GET' as const, path: '/releases/report' };
          try {
            return { url, report: await callRegistry({ registryUrl: url, token }, call, shellReportSchema) };
          } catch (error) {
            return { url, problem: reasonOf(error) };
          }
        }),
      ),
    tryOut: async (id) =>
      Promise.all(
        (await replicas()).map(async (url) => {
          try {
            return { url, result: await callShellGate({ shellUrl: url, token }, id) };
          } catch (error) {
            return { url, problem: reasonOf(error) };
          }
        }),
      ),
    async provides() {
      const call = { method: 'GET' as const, path: '/releases/provides' };
      for (const url of shellUrls)
        try {
          return await callRegistry({ registryUrl: url }, call, providesSchema);
        } catch {
          // The next one is asked; without any, sizes are shown without their budgets.
        }
      return undefined;
    },
  };
}
