import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pendingVersions, versionAfter } from './pendingVersions.ts';

describe('versionAfter', () => {
  it.each([
    ['1.2.3', [], '1.2.3'],
    ['1.2.3', ['Read entities around zero bytes'], '1.2.4'],
    ['1.2.3', ['fix(slots): a pause ends', 'docs: name it'], '1.2.4'],
    ['1.2.3', ['fix: one', 'feat(slots): a slot can be paused'], '1.3.0'],
    ['1.2.3', ['feat(slots)!: names in camel case', 'feat: more'], '2.0.0'],
    ['1.2.3', ['fix: names\n\nBREAKING CHANGE: names with dashes are gone'], '2.0.0'],
    // A commit that only speaks of one.
    ['1.2.3', ['fix: say what a BREAKING CHANGE: is'], '1.2.4'],
  ])('of %s and %j is %s', (version, messages, next) => {
    expect(versionAfter(version, messages)).toBe(next);
  });
});

describe('pendingVersions', () => {
  let root: string;
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [
      ...[
        '-C',
        root,
        '-c',
        'user.name=Test',
        '-c',
        'user.email=test@example.com',
        '-c',
        'commit.gpgsign=false',
      ],
      ...args,
    ])
      .toString()
      .trim();
  const commit = (name: string, version: string, message: string) => {
    const folder = join(root, 'shared-contracts', name);
    mkdirSync(folder, { recursive: true });
    const content = { name: `@forecourt/${name}`, version, message };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(content));
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'forecourt-pending-'));
    git('init', '--quiet');
    for (const name of ['slots', 'search', 'upstream', 'releases']) commit(name, '1.0.0', 'chore: start');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('counts the commits of each contract since the older tree, and keeps a version that is raised already', async () => {
    const older = git('rev-parse', 'HEAD');
    const versions = Object.fromEntries(
      ['slots', 'search', 'upstream', 'releases'].map((name) => [`@forecourt/${name}`, '1.0.0']),
    );
    commit('slots', '1.0.0', 'feat(slots): a slot can be paused');
    commit('search', '1.0.0', 'Shorten the results');
    commit('upstream', '2.0.0', 'Release packages');
    expect(await pendingVersions(root, older, versions)).toEqual({
      '@forecourt/slots': '1.1.0',
      '@forecourt/search': '1.0.1',
      '@forecourt/upstream': '2.0.0',
      '@forecourt/releases': '1.0.0',
    });
  });
});
