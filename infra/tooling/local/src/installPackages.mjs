import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether the installed packages (`node_modules/.package-lock.json`) match the lockfile. Packages for other platforms,
 * and those that only peer dependencies ask for (`.npmrc` omits them), may be missing; extra packages don't matter.
 */
export function isUpToDate(locked, installed) {
  if (installed === undefined) return false;
  return Object.entries(locked).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true || wanted.peer === true;
    return (
      found.version === wanted.version &&
      (!wanted.integrity || !found.integrity || found.integrity === wanted.integrity)
    );
  });
}

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EHOSTUNREACH|ENETUNREACH)\b/;

/** Explains a failed `npm ci` and says what to do, from npm's output. */
export function explainInstallFailure(output) {
  if (/\bENOSPC\b/.test(output))
    return 'The disk is full: packages could not be installed. Free some space and try again.';
  const unreachable = UNREACHABLE.exec(output);
  if (unreachable)
    return `The package registry cannot be reached (${unreachable[1]}): check the network, the proxy and \`npm config get registry\`, then try again.`;
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output))
    return 'Packages could not be installed: no permission to write node_modules. Check who owns this folder and try again.';
  if (/\bEUSAGE\b/.test(output))
    return 'package.json and package-lock.json do not match: run `npm install && npm run lockfile`, commit both and try again.';
  const last = output
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .slice(0, 8);
  return ['Packages could not be installed. Output of npm:', ...last].join('\n');
}

/** Bytes that the packages and npm's cache take on disk, rounded up. */
const DISK_NEEDED = 1.2e9;
const REPORT_MS = 5000;
const SPINNER_MS = 500;

const readPackages = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;

/** Number of locked packages that are unpacked already. */
const countUnpacked = (root, paths) =>
  paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;

/** Shows npm's progress: in place on a terminal, else a line every few seconds. */
function showProgress(root, paths) {
  const started = Date.now();
  const isTerminal = Boolean(process.stdout.isTTY);
  const line = () => {
    const seconds = Math.round((Date.now() - started) / 1000);
    return `Installing packages: ${countUnpacked(root, paths)} of about ${paths.length}, ${seconds} s`;
  };
  process.stdout.write('Installing packages with npm ci. This takes one to three minutes.\n');
  const timer = setInterval(
    () => process.stdout.write(isTerminal ? `\r${line()}` : `${line()}\n`),
    isTerminal ? SPINNER_MS : REPORT_MS,
  );
  return () => {
    clearInterval(timer);
    process.stdout.write(`${isTerminal ? '\r' : ''}${line()}\n`);
  };
}

/** Runs npm ci; resolves with its exit status and output. */
function runNpm(root) {
  // The npm that started this process, or the one on the PATH (a script on Windows, which needs a shell).
  const cli = process.env.npm_execpath;
  const flags = [
    'ci',
    // Code of dependencies runs when it is imported, not when it is installed.
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--progress=false',
    '--fetch-retries=2',
    '--fetch-retry-mintimeout=1000',
    '--fetch-retry-maxtimeout=5000',
    '--fetch-timeout=60000',
  ];
  const child =
    cli && /\.c?js$/.test(cli)
      ? spawn(process.execPath, [cli, ...flags], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn('npm', flags, {
          cwd: root,
          stdio: ['ignore', 'pipe', 'pipe'],
          shell: process.platform === 'win32',
        });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
  const stop = (signal) => child.kill(signal);
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve({ status, signal, output });
    });
  });
}

/** Installs the packages of package-lock.json unless they are installed. Throws an Error that says what to do. */
export async function installPackages(root) {
  const locked = readPackages(join(root, 'package-lock.json'));
  const installed = () => readPackages(join(root, 'node_modules/.package-lock.json'));
  if (isUpToDate(locked, installed())) return;

  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize < DISK_NEEDED && !existsSync(join(root, 'node_modules'))) {
    throw new Error(
      `Not enough disk space: installing needs about ${(DISK_NEEDED / 1e9).toFixed(1)} GB below ${root}, ${((bavail * bsize) / 1e9).toFixed(1)} GB are free. Free some space and try again.`,
    );
  }
  const paths = Object.entries(locked)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.optional && !entry.link)
    .map(([path]) => path);
  const stopProgress = showProgress(root, paths);
  const { status, signal, output } = await runNpm(root);
  stopProgress();
  if (signal || status === 130)
    throw new Error('Stopped while installing packages. Run the command again to continue.');
  if (status !== 0) throw new Error(explainInstallFailure(output));
}
