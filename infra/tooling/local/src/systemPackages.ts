import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const BROWSER = '/usr/bin/chromium';
const DRIVER = '/usr/bin/chromedriver';
const FIREFOX = '/usr/bin/firefox-esr';
const SANDBOX = '/usr/bin/bwrap';

/** Whether Debian packages can be installed here: only root may. */
const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

const apt = (...args: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });

async function install(packages: readonly string[]): Promise<boolean> {
  process.stdout.write(`Installing ${packages.join(', ')} (apt-get)\n`);
  return (
    (await apt('update', '-q')) && (await apt('install', '-q', '-y', '--no-install-recommends', ...packages))
  );
}

const isInstalledAt = (variable: string, path: string): boolean => existsSync(process.env[variable] || path);

/** Version of an installed Debian package; empty without it. */
const versionOf = (name: string): string =>
  spawnSync('dpkg-query', ['-W', '-f=${Version}', name], { encoding: 'utf8' }).stdout ?? '';

/** Chromium's headless shell in the version of ChromeDriver; undefined if CHROME_BIN names a browser or Debian has none. */
async function ensureHeadlessShell(): Promise<string | undefined> {
  if (process.env['CHROME_BIN']) return undefined;
  const version = versionOf('chromium');
  if (!version) return undefined;
  const isThere = () => versionOf('chromium-headless-shell') === version;
  if (!isThere() && canInstall()) await install([`chromium-headless-shell=${version}`]);
  // Not Debian's script in /usr/bin: it starts the browser as its child, which outlives the script that ChromeDriver ends.
  return isThere() ? '/usr/lib/chromium/chromium-headless-shell' : undefined;
}

interface Browser {
  /** Says what was done. */
  readonly note: string;
  /** The same engine without the browser's own interface, which takes a quarter less processor time. */
  readonly headlessShell?: string | undefined;
}

/**
 * Provides a browser for the end-to-end tests: that of CHROME_BIN and CHROMEDRIVER_PATH, or Debian's, which root installs
 * with apt. Elsewhere WebdriverIO downloads one.
 */
export async function ensureBrowser(): Promise<Browser> {
  if (isInstalledAt('CHROME_BIN', BROWSER) && isInstalledAt('CHROMEDRIVER_PATH', DRIVER))
    return { note: 'browser: installed', headlessShell: await ensureHeadlessShell() };
  if (!canInstall())
    return {
      note: 'browser: CHROME_BIN and CHROMEDRIVER_PATH are not set and Chromium is not installed; WebdriverIO downloads a browser (or run apt-get install chromium chromium-driver)',
    };
  // Without a font, text has no width.
  const isInstalled = await install([
    'chromium',
    'chromium-driver',
    'chromium-headless-shell',
    'fonts-liberation',
  ]);
  return isInstalled
    ? {
        note: 'browser: installed just now',
        headlessShell: await ensureHeadlessShell(),
      }
    : { note: 'browser: apt-get failed; WebdriverIO tries to download one' };
}

const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY = '/usr/bin/xvfb-run';

/**
 * Firefox and WebKit, in which a shopper's journey is tested too. CI installs them where it may; elsewhere their tests are
 * skipped without them. Returns lines that say whether they run.
 */
export async function ensureOtherBrowsers(): Promise<string> {
  const hasFirefox = () => isInstalledAt('FIREFOX_BIN', FIREFOX);
  const hasWebKit = () => existsSync(WEBKIT_DRIVER) && existsSync(DISPLAY);
  if (process.env['CI'] && canInstall() && !(hasFirefox() && hasWebKit()))
    await install(['firefox-esr', 'webkit2gtk-driver', 'xvfb', 'xauth']);
  return [
    hasFirefox()
      ? 'Firefox: installed'
      : 'Firefox: not installed, its test is skipped (apt-get install firefox-esr, or set FIREFOX_BIN)',
    hasWebKit()
      ? 'WebKit: installed'
      : 'WebKit: not installed, its tests are skipped (apt-get install webkit2gtk-driver xvfb)',
  ].join('\n');
}

/**
 * Provides bubblewrap, with which the shell isolates releases in namespaces. Without it, e.g. outside of Linux, it uses
 * the level `process`. Returns a line that says what was done.
 */
export async function ensureSandbox(): Promise<string> {
  if (existsSync(SANDBOX)) return 'sandbox: bubblewrap is installed';
  if (!canInstall())
    return 'sandbox: bubblewrap is not installed; releases run at the level `process` (apt-get install bubblewrap)';
  return (await install(['bubblewrap']))
    ? 'sandbox: bubblewrap installed just now'
    : 'sandbox: apt-get failed; releases run at the level `process`';
}
