import { createHash } from 'node:crypto';

/** Hash of the generated API reference, as the changelog notes it beside a version. */
export const apiHash = (api: string): string => createHash('sha256').update(api).digest('hex').slice(0, 12);

/**
 * The problem with the changelog of a contract package; undefined when it is valid. Its newest version must be that of
 * package.json, and a surface that differs from that version's must have entries below "Unreleased".
 */
export function changelogProblem(changelog: string, version: string, api: string): string | undefined {
  // Lerna writes majors and minors as `# [2.0.0](…)`; the first heading is the title.
  const sections = changelog.split(/^#{1,2} /m).slice(2);
  const unreleased = sections.find((section) => section.startsWith('Unreleased'));
  const [newest = ''] = sections.filter((section) => section !== unreleased);
  const [, newestVersion, hash] = /^\[?([^\]\s]+)(?:.* \(api ([0-9a-f]+)\))?/.exec(newest) ?? [];
  if (newestVersion !== version)
    return `CHANGELOG.md ends at ${newestVersion}, package.json says ${version}: add "## ${version} (api ${apiHash(api)})"`;
  if (hash === apiHash(api) || /^- /m.test(unreleased ?? '')) return undefined;
  return `api.md differs from that of ${version}: list the change below "## Unreleased", or raise the version and add "## <version> (api ${apiHash(api)})"`;
}
