import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { apiHash, changelogProblem } from './contractChangelog.ts';

const CONTRACTS = resolve(import.meta.dirname, '../../../../shared-contracts');
const read = (file: string) => readFileSync(resolve(CONTRACTS, file), 'utf8');

describe('the changelog of shared-contracts', () => {
  const published = `# Changelog\n\n## 1.2.0 (api ${apiHash('old')})\n\n- Adds a call.\n\n## 1.1.0\n`;
  const pending = published.replace('## 1.2.0', '## Unreleased\n\n- Adds an event.\n\n## 1.2.0');

  it('lists the current version and every API change since in the changelog', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const api = existsSync(resolve(CONTRACTS, 'api.md')) ? read('api.md') : '';
    expect(changelogProblem(read('CHANGELOG.md'), version, api)).toBeUndefined();
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
