import { describeRefusal, refusalSchema, type GateResult } from '@forecourt/shared-contracts/slots/gate';
import { z } from 'zod';
import { callShellGate, RegistryCallError } from '@forecourt/cli/client';
import { RegistryError, type ReleaseId, releaseLabel } from '@forecourt/cli/release';
import { SerialQueue } from '../serialQueue.ts';

/** Details of GATE_REFUSED: the refusals of each shell. */
export const gateRefusalsSchema = z.array(z.object({ shell: z.string(), refusals: z.array(refusalSchema) }));
type GateRefusals = z.infer<typeof gateRefusalsSchema>;

/** The shells that must accept a release before a pointer names it. */
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
}): ShellGates {
  const { shellUrls, token } = options;
  // A shell tries one release at a time, so a burst of promotions queues here.
  const queue = new SerialQueue();

  async function requestGate(shellUrl: string, id: ReleaseId): Promise<GateResult> {
    try {
      return await callShellGate({ shellUrl, token }, id);
    } catch (error) {
      const reason = error instanceof RegistryCallError ? `${error.code}: ${error.message}` : String(error);
      throw new RegistryError(
        'SHELL_UNREACHABLE',
        `shell ${shellUrl} did not try ${releaseLabel(id)}, nothing was changed (${reason})`,
        { cause: error },
      );
    }
  }

  return {
    mustAccept: (id) =>
      queue.run(async () => {
        const results = await Promise.all(
          shellUrls.map(async (shell) => ({ shell, refusals: (await requestGate(shell, id)).refusals })),
        );
        const refused: GateRefusals = results.filter(({ refusals }) => refusals.length > 0);
        if (refused.length === 0) return;
        const reasons = new Set(refused.flatMap(({ refusals }) => refusals.map(describeRefusal)));
        throw new RegistryError(
          'GATE_REFUSED',
          `${releaseLabel(id)} is refused by ${refused.map(({ shell }) => shell).join(', ')}, nothing was changed: ${[...reasons].join(' | ')}`,
          { details: { refusals: refused } },
        );
      }),
  };
}
