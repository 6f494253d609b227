import { describeRefusal, refusalSchema, type GateResult } from '@forecourt/releases/gate';
import { z } from 'zod';
import { createEgress } from '@forecourt/service-kit/egress';
import { EGRESS } from '../access/egress.ts';
import { callShellGate, RegistryCallError } from '@forecourt/release-kit/registryClient';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { type ReleaseId, releaseLabel } from '@forecourt/release-kit/releaseFiles';
import { SerialQueue } from '../ports.ts';
import { lookup } from 'node:dns/promises';

export type Lookup = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export const lookupAll: Lookup = (host) => lookup(host, { all: true });

/**
 * The URLs of all replicas behind a URL: a name with several addresses, such as a headless service's, stands for each of
 * them. Over https a URL stays as it is, because certificates are for names; list every replica there.
 */
export async function replicasOf(shellUrl: string, resolveName: Lookup): Promise<string[]> {
  const url = new URL(shellUrl);
  if (url.protocol === 'https:') return [shellUrl];
  const hostAddresses = await resolveName(url.hostname.replace(/^\[|\]$/g, ''));
  // One address family: a replica with two would be asked twice, or not listen on one.
  const family = hostAddresses.some((one) => one.family === 4) ? 4 : 6;
  const addresses = new Set(
    hostAddresses.filter((one) => one.family === family).map(({ address }) => address),
  );
  return [...addresses].map((address) => {
    url.hostname = family === 6 ? `[${address}]` : address;
    return url.href.replace(/\/$/, '');
  });
}

/** Details of GATE_REFUSED: the refusals of each shell. */
export const gateRefusalsSchema = z.array(z.object({ shell: z.string(), refusals: z.array(refusalSchema) }));
type GateRefusals = z.infer<typeof gateRefusalsSchema>;

/** The shells, all their replicas, that must accept a release before a pointer names it. */
export interface ShellGates {
  /**
   * @throws RegistryError GATE_REFUSED with the refusals of every shell, SHELL_UNREACHABLE when one does not respond
   */
  readonly mustAccept: (id: ReleaseId) => Promise<void>;
}

/** The shells have the same `token`. */
export function createShellGates(options: {
  readonly shellUrls: readonly string[];
  readonly token?: string | undefined;
  readonly resolveName?: Lookup;
}): ShellGates {
  const { shellUrls, token, resolveName = lookupAll } = options;
  const send = createEgress(EGRESS.shells(shellUrls));
  // A shell tries one release at a time, so a burst of promotions queues here.
  const queue = new SerialQueue();

  const unreachable = (shellUrl: string, id: ReleaseId, error: unknown): RegistryError => {
    const reason = error instanceof RegistryCallError ? `${error.code}: ${error.message}` : String(error);
    return new RegistryError(
      'SHELL_UNREACHABLE',
      `shell ${shellUrl} did not try ${releaseLabel(id)}, nothing was changed (${reason})`,
      { cause: error },
    );
  };

  const requestGate = (shellUrl: string, id: ReleaseId): Promise<GateResult> =>
    callShellGate({ shellUrl, token, send }, id).catch((error: unknown) => {
      throw unreachable(shellUrl, id, error);
    });

  /** Resolves all replicas on each call, because replicas come and go. */
  async function findReplicas(id: ReleaseId): Promise<string[]> {
    const replicas = await Promise.all(
      shellUrls.map((shellUrl) =>
        replicasOf(shellUrl, resolveName).catch((error: unknown) => {
          throw unreachable(shellUrl, id, error);
        }),
      ),
    );
    return [...new Set(replicas.flat())];
  }

  return {
    mustAccept: (id) =>
      queue.run(async () => {
        const replicas = await findReplicas(id);
        const results = await Promise.all(
          replicas.map(async (shell) => ({ shell, refusals: (await requestGate(shell, id)).refusals })),
        );
        const refusingShells: GateRefusals = results.filter(({ refusals }) => refusals.length > 0);
        if (refusingShells.length === 0) return;
        const reasons = new Set(refusingShells.flatMap(({ refusals }) => refusals.map(describeRefusal)));
        throw new RegistryError(
          'GATE_REFUSED',
          `${releaseLabel(id)} is refused by ${refusingShells.map(({ shell }) => shell).join(', ')}, nothing was changed: ${[...reasons].join(' | ')}`,
          { details: { refusals: refusingShells } },
        );
      }),
  };
}
