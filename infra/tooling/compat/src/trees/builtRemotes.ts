import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { CompatError } from './olderTree.ts';

const run = promisify(execFile);

/** Folder names of the remotes of a tree. */
export const remotesOf = (root: string): string[] =>
  readdirSync(root)
    .filter((name) => name.startsWith('mfe-') && existsSync(join(root, name, 'src/slots')))
    .sort();

/**
 * Builds the remotes of `root` with their own scripts into their `dist` folders,
 * two at a time. Earlier builds are taken from `cache`, new ones stored there.
 * @throws CompatError BUILD_FAILED
 */
export async function buildRemotes(
  root: string,
  options: { readonly cache?: string; readonly onBuilt: (name: string) => void },
): Promise<void> {
  const queue = remotesOf(root).values();
  const worker = async (): Promise<void> => {
    for (const name of queue) {
      const dist = join(root, name, 'dist');
      const cached = options.cache === undefined ? undefined : join(options.cache, name);
      if (cached !== undefined && existsSync(join(cached, 'release.json'))) {
        cpSync(cached, dist, { recursive: true });
      } else {
        await build(root, name);
        if (cached !== undefined) {
          mkdirSync(cached, { recursive: true });
          cpSync(dist, cached, { recursive: true });
        }
      }
      options.onBuilt(name);
    }
  };
  await Promise.all([worker(), worker()]);
}

async function build(root: string, name: string): Promise<void> {
  try {
    await run('npm', ['run', '--silent', 'build'], {
      cwd: join(root, name),
      // The tree's own programs come first in the path.
      env: { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter) },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
    const tail = `${stdout}${stderr}`.trim().split('\n').slice(-20).join('\n');
    throw new CompatError('BUILD_FAILED', `${join(root, name)} does not build:\n${tail}`, { cause: error });
  }
}
