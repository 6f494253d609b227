import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const BROWSER = '/usr/bin/chromium';
const DRIVER = '/usr/bin/chromedriver';

/** Packages of Debian; without a font of its own a text has no width. */
const PACKAGES = ['chromium', 'chromium-driver', 'fonts-liberation'];

const isThere = (variable: string, path: string): boolean => existsSync(process.env[variable] || path);

/**
 * Sees to a browser for the end-to-end tests: the one that CHROME_BIN and
 * CHROMEDRIVER_PATH name or Debian's, installed through apt where this user
 * may. Elsewhere WebdriverIO downloads one. Answers what it did, in one line.
 */
export function ensureBrowser(): string {
  if (isThere('CHROME_BIN', BROWSER) && isThere('CHROMEDRIVER_PATH', DRIVER)) return 'browser: installed';
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!mayInstall) {
    return 'browser: neither CHROME_BIN and CHROMEDRIVER_PATH nor Debian’s chromium; WebdriverIO downloads one (or: apt-get install chromium chromium-driver)';
  }
  process.stdout.write(`Installing ${PACKAGES.join(', ')} (apt-get)\n`);
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const isInstalled =
    apt('update', '-q') && apt('install', '-q', '-y', '--no-install-recommends', ...PACKAGES);
  return isInstalled
    ? 'browser: installed just now'
    : 'browser: apt-get failed; WebdriverIO tries to download one';
}
