import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PRIVATE_FOLDER, tightenFolder } from './privateFiles.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const modeOf = (path: string) => statSync(path).mode & 0o777;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'private-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a folder that is there', () => {
  it.each([0o755, 0o777, 0o750, 0o711])('is closed to other users: %o', (mode) => {
    chmodSync(folder, mode);
    tightenFolder(folder);
    expect(modeOf(folder)).toBe(PRIVATE_FOLDER);
  });

  it.each([0o700, 0o500])('keeps a mode that is as strict: %o', (mode) => {
    chmodSync(folder, mode);
    tightenFolder(folder);
    expect(modeOf(folder)).toBe(mode);
    chmodSync(folder, 0o700);
  });

  it('is not created when it is missing, and a file of its name is left alone', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '', { mode: 0o644 });
    chmodSync(file, 0o644);
    tightenFolder(file);
    tightenFolder(join(folder, 'missing'));
    expect(modeOf(file)).toBe(0o644);
    expect(statSync(join(folder, 'missing'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('is private with all that are created above it, whatever the umask', () => {
    for (const umask of [0o000, 0o022]) {
      const before = process.umask(umask);
      mkdirSync(join(folder, `${umask}`, 'a', 'b'), { recursive: true, mode: PRIVATE_FOLDER });
      process.umask(before);
      for (const path of [`${umask}`, `${umask}/a`, `${umask}/a/b`])
        expect(modeOf(join(folder, path))).toBe(PRIVATE_FOLDER);
    }
  });
});

it('services and shell create no folder without a mode', () => {
  const folders = ['infra/services/*/src', 'infra/service-kit/src', 'shell/src'];
  const sources = globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: REPOSITORY },
  ).filter((path) => !/\.test\.ts$|\/testing\//.test(path));
  expect(sources.length).toBeGreaterThan(300);
  const calls = sources.flatMap((path) =>
    [...readFileSync(join(REPOSITORY, path), 'utf8').matchAll(/\bmkdir(?:Sync)?\([^;]*;/g)].map(
      ([call]) => `${path}: ${call}`,
    ),
  );
  expect(calls.length).toBeGreaterThanOrEqual(9);
  expect(calls.filter((call) => !call.includes('PRIVATE_FOLDER'))).toEqual([]);
});
