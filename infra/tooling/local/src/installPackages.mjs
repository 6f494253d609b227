import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Is what npm installed (`node_modules/.package-lock.json`) what the lockfile
 * asks for? Packages of other platforms may be missing, others may be too many.
 */
export function isUpToDate(locked, installed) {
  if (installed === undefined) return false;
  return Object.entries(locked).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true;
    return (
      found.version === wanted.version &&
      (!wanted.integrity || !found.integrity || found.integrity === wanted.integrity)
    );
  });
}

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EHOSTUNREACH|ENETUNREACH)\b/;

/** What to do about a failed `npm ci`, from its output. */
export function explainInstallFailure(output) {
  if (/\bENOSPC\b/.test(output))
    return 'The disk is full: packages could not be installed. Make room and run again.';
  const unreachable = UNREACHABLE.exec(output);
  if (unreachable)
    return `The package registry cannot be reached (${unreachable[1]}): check the network, the proxy and \`npm config get registry\`, then run again.`;
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output))
    return 'Packages could not be installed: no right to write node_modules. Check who owns this folder and run again.';
  if (/\bEUSAGE\b/.test(output))
    return 'package.json and package-lock.json do not fit: run `npm install && npm run lockfile`, commit both and run again.';
  const last = output
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .slice(0, 8);
  return ['Packages could not be installed; npm says:', ...last].join('\n');
}

/** Bytes that the packages and npm's cache take on the disk, rounded up. */
const DISK_NEEDED = 1.8e9;
const REPORT_MS = 5000;
const SPINNER_MS = 500;

const readPackages = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;

/** How many of the locked packages stand on the disk. */
const countUnpacked = (root, paths) =>
  paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;

/** Says how far npm is: in place on a terminal, one line now and then elsewhere. */
function showProgress(root, paths) {
  const started = Date.now();
  const isTerminal = Boolean(process.stdout.isTTY);
  const line = () => {
    const seconds = Math.round((Date.now() - started) / 1000);
    return `Installing packages: ${countUnpacked(root, paths)} of about ${paths.length}, ${seconds} s`;
  };
  process.stdout.write('Installing packages (npm ci): this takes a minute or three\n');
  const timer = setInterval(
    () => process.stdout.write(isTerminal ? `\r${line()}` : `${line()}\n`),
    isTerminal ? SPINNER_MS : REPORT_MS,
  );
  return () => {
    clearInterval(timer);
    process.stdout.write(`${isTerminal ? '\r' : ''}${line()}\n`);
  };
}

/** Runs npm ci; resolves with its exit status and what it said. */
function runNpm(root) {
  // What npm was started with, or the npm of the PATH (a script on Windows: by shell).
  const cli = process.env.npm_execpath;
  const flags = [
    'ci',
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

/** Makes node_modules what package-lock.json says. Throws an Error of one line (and npm's last words when it is a new case). */
export async function installPackages(root) {
  const locked = readPackages(join(root, 'package-lock.json'));
  const installed = () => readPackages(join(root, 'node_modules/.package-lock.json'));
  if (isUpToDate(locked, installed())) return;

  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize < DISK_NEEDED && !existsSync(join(root, 'node_modules'))) {
    throw new Error(
      `The disk is too full: installing needs about ${(DISK_NEEDED / 1e9).toFixed(1)} GB below ${root}, ${((bavail * bsize) / 1e9).toFixed(1)} GB are free. Make room and run again.`,
    );
  }
  const paths = Object.entries(locked)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.optional && !entry.link)
    .map(([path]) => path);
  const stopProgress = showProgress(root, paths);
  const { status, signal, output } = await runNpm(root);
  stopProgress();
  if (signal || status === 130) throw new Error('Stopped while packages were installed; run again to go on.');
  if (status !== 0) throw new Error(explainInstallFailure(output));
}
