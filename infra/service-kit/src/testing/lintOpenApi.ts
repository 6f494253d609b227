import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REDOCLY = join(import.meta.dirname, 'redocly');

/** This environment without what npm adds to it: an inner npm would install into this repository. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([key]) => !/^(?:npm_(?!config_(?:registry|cache|userconfig)$)|NODE_OPTIONS$|NODE_ENV$|JEST_)/i.test(key),
  );
  return {
    ...Object.fromEntries(inherited),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}

/** Whether Redocly can be installed. */
export const hasPackageRegistry = (): boolean =>
  spawnSync('npm', ['view', 'react', 'version', '--fetch-retries=0', '--prefer-online'], {
    env: cleanEnvironment(),
    timeout: 30_000,
  }).status === 0;

/** What Redocly's rules find in an OpenAPI document, a line each; installs it in a temporary folder. */
export function lintOpenApi(document: object): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-redocly-'));
  try {
    cpSync(REDOCLY, folder, { recursive: true });
    const run = (command: string, args: readonly string[], input = ''): string => {
      const { status, stdout, stderr } = spawnSync(command, args, {
        cwd: folder,
        env: cleanEnvironment(),
        encoding: 'utf8',
        input,
      });
      if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
      return stdout;
    };
    run('npm', ['ci', '--ignore-scripts']);
    return run(process.execPath, [join(folder, 'lint.mjs')], JSON.stringify(document))
      .split('\n')
      .filter((line) => line !== '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
