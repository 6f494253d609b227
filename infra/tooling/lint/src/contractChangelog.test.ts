import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { apiHash, changelogProblem } from './contractChangelog.ts';

const CONTRACTS = resolve(import.meta.dirname, '../../../../shared-contracts');
const PACKAGES = ['releases', 'slots', 'upstream', 'search'];
const read = (...path: string[]) => readFileSync(resolve(CONTRACTS, ...path), 'utf8');

describe('the changelog of a contract package', () => {
  const published = `# Changelog\n\n## 1.2.0 (api ${apiHash('old')})\n\n- Adds a call.\n\n## 1.1.0\n`;
  const pending = published.replace('## 1.2.0', '## Unreleased\n\n- Adds an event.\n\n## 1.2.0');

  it.each(PACKAGES)('lists the current version of %s and every API change since', (folder) => {
    const { version } = JSON.parse(read(folder, 'package.json')) as { version: string };
    expect(changelogProblem(read(folder, 'CHANGELOG.md'), version, read(folder, 'api.md'))).toBeUndefined();
  });

  it('accepts the changelog when the API is that of the newest version', () => {
    expect(changelogProblem(published, '1.2.0', 'old')).toBeUndefined();
  });

  it('requires a changelog entry when the API changed', () => {
    expect(changelogProblem(published, '1.2.0', 'new')).toContain('below "## Unreleased"');
    expect(
      changelogProblem(published.replace('## 1.2.0', '## Unreleased\n\n## 1.2.0'), '1.2.0', 'new'),
    ).toContain('below "## Unreleased"');
    expect(changelogProblem(pending, '1.2.0', 'new')).toBeUndefined();
  });

  it('requires a changelog heading when the version was raised', () => {
    expect(changelogProblem(pending, '1.3.0', 'new')).toContain(`"## 1.3.0 (api ${apiHash('new')})"`);
    expect(
      changelogProblem(pending.replace('Unreleased', `1.3.0 (api ${apiHash('new')})`), '1.3.0', 'new'),
    ).toBe(undefined);
  });
});
