import { describeRefusal, refusalSchema } from '@forecourt/shared-contracts/slots/gate';
import {
  pointersSchema,
  releaseFilePath,
  releaseManifestSchema,
} from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import { callRegistry, RegistryCallError, type RegistryAccess } from '../registryClient.ts';
import { integrityOf } from '../releases/verifyRelease.ts';
import { garbageSchema } from './answers.ts';

export interface Finding {
  readonly isWell: boolean;
  readonly what: string;
  /** What to do, where it is not well. */
  readonly advice?: string;
}

const well = (what: string): Finding => ({ isWell: true, what });
const wrong = (what: string, advice: string): Finding => ({ isWell: false, what, advice });
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));

const TIMEOUT_MS = 10_000;

/** Is every file of the release there, and the one that was published? */
async function checkRelease(access: RegistryAccess, name: string, version: string): Promise<Finding> {
  const label = `${name}@${version}`;
  try {
    const path = `/api/releases/${name}/${version}`;
    const manifest = await callRegistry(access, { method: 'GET', path }, releaseManifestSchema);
    for (const [file, { integrity }] of Object.entries(manifest.files)) {
      const url = new URL(releaseFilePath(name, version, file), access.registryUrl);
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok)
        return wrong(`${label}: ${file} is answered with ${response.status}`, 'restore it, or roll back');
      if (integrityOf(Buffer.from(await response.arrayBuffer())) !== integrity)
        return wrong(`${label}: ${file} is not the file that was published`, 'restore it, or roll back');
    }
    return well(`${label}: ${Object.keys(manifest.files).length} files, as published`);
  } catch (error) {
    return wrong(`${label}: ${reason(error)}`, 'publish it again under a new version, or roll back');
  }
}

async function checkToken(access: RegistryAccess): Promise<Finding> {
  try {
    // A write that writes nothing.
    const body = { type: 'application/json', content: '{"dryRun": true}' };
    await callRegistry(access, { method: 'POST', path: '/api/gc', body }, garbageSchema);
    return well('you may write');
  } catch (error) {
    const advice =
      error instanceof RegistryCallError && error.code === 'UNAUTHORIZED'
        ? 'set REGISTRY_TOKEN to the token of the registry'
        : 'from another machine a token is needed: set REGISTRY_TOKEN here and at the registry';
    return wrong(`you may not write (${reason(error)})`, advice);
  }
}

/** Of a shell's readiness: what it uses, and what it refuses of what the pointers name. */
const readinessSchema = z.object({
  status: z.string(),
  releases: z.record(z.string(), z.string()),
  refused: z.record(z.string(), z.array(refusalSchema)).default({}),
});

async function checkShell(url: string): Promise<Finding[]> {
  try {
    const response = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { status, releases, refused } = readinessSchema.parse(await response.json());
    const used = Object.entries(releases).map(([name, version]) => `${name}@${version}`);
    const readiness = response.ok
      ? well(`shell ${url} is ${status}: ${used.join(', ')}`)
      : wrong(`shell ${url} is ${status} (${response.status})`, 'its log says what it waits for');
    return [
      readiness,
      ...Object.entries(refused).map(([release, refusals]) =>
        wrong(
          `shell ${url} refuses ${release}`,
          refusals.map(describeRefusal).join(' | ') || 'its log has the reason',
        ),
      ),
    ];
  } catch (error) {
    return [
      wrong(`shell ${url} does not answer (${reason(error)})`, 'start it, or name another one by --shell'),
    ];
  }
}

/** Looks at everything that a deploy depends on. */
export async function diagnose(access: RegistryAccess, shell: string | undefined): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    const { revision, remotes } = await callRegistry(
      access,
      { method: 'GET', path: '/api/pointers' },
      pointersSchema,
    );
    findings.push(well(`registry ${access.registryUrl} answers, pointers at revision ${revision}`));
    findings.push(await checkToken(access));
    for (const [name, { live, canary }] of Object.entries(remotes)) {
      findings.push(await checkRelease(access, name, live));
      if (canary) findings.push(await checkRelease(access, name, canary.version));
    }
    if (Object.keys(remotes).length === 0)
      findings.push(wrong('no remote has a live release', 'publish and promote one'));
  } catch (error) {
    findings.push(wrong(reason(error), 'start the registry, or name another one by --registry'));
  }
  if (shell !== undefined) findings.push(...(await checkShell(shell)));
  return findings;
}
