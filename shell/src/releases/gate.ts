import semver from 'semver';
import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import { ReleaseError } from './registryClient.ts';

/**
 * Refuses a release which this shell cannot run: shared modules out of range,
 * a newer contract or another major of it, or files named but missing or misplaced.
 * Throws ReleaseError NOT_ACCEPTED with every reason.
 */
export function checkRelease(manifest: ReleaseManifest, provided: Readonly<Record<string, string>>): void {
  const reasons: string[] = [];
  for (const [module, range] of Object.entries(manifest.shared)) {
    const version = Object.hasOwn(provided, module) ? provided[module] : undefined;
    if (version === undefined) reasons.push(`needs ${module}, which the shell does not share`);
    else if (!semver.satisfies(version, range))
      reasons.push(`needs ${module} ${range}, the shell has ${version}`);
  }
  const contract = provided['@forecourt/shared-contracts/slots'] ?? '0.0.0';
  // What a newer contract added, this shell does not have.
  if (!semver.satisfies(contract, `^${manifest.contract}`)) {
    reasons.push(`built for contract ${manifest.contract}, the shell has ${contract}`);
  }
  const { web, node } = manifest.entry;
  const forBrowser = Object.values(manifest.slots).flatMap(({ scripts, styles }) => [...scripts, ...styles]);
  for (const path of [web, node, ...forBrowser])
    if (!Object.hasOwn(manifest.files, path)) reasons.push(`names ${path}, which it does not have`);
  for (const path of [web, ...forBrowser])
    if (!path.startsWith('web/')) reasons.push(`names ${path}, which is not served to browsers`);
  if (!node.startsWith('node/')) reasons.push(`names ${node}, which is not for the server`);
  if (reasons.length > 0) {
    throw new ReleaseError('NOT_ACCEPTED', `${manifest.name}@${manifest.version} ${reasons.join('; ')}`);
  }
}
