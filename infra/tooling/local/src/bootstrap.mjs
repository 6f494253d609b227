// Runs on the system's Node before packages are installed: no dependencies, no TypeScript.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './installPackages.mjs';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Node 20 can install the packages; everything else needs Node 24, which runs TypeScript. */
const NODE_TO_INSTALL = 20;
const NODE_TO_RUN = 24;

/** Prints one line and exits. */
function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

const PARENT_CHECK_MS = 500;

/** Calls back when the parent exits: npm stops its shell on a signal, and that shell doesn't forward it. */
function onParentExit(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || stop(), PARENT_CHECK_MS).unref();
}

const majorOf = (version) => Number(version.replace(/^v/, '').split('.')[0]);

/** The Node to run on: this one if it is new enough, else the one installed with the packages. */
function findNode() {
  if (majorOf(process.version) >= NODE_TO_RUN) return process.execPath;
  const installed = join(ROOT, 'node_modules/.bin/node');
  return existsSync(installed) ? installed : undefined;
}

/** Runs a file on another Node and exits with its status. Forwards signals; the IPC channel closes when this process dies. */
function runOn(node, file, args) {
  const child = spawn(node, [file, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  onParentExit(() => child.kill('SIGTERM'));
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)));
}

/**
 * Installs packages if needed, then runs `src/main/<command>.ts` on Node 24 with this process's arguments.
 */
export async function enter(command) {
  if (majorOf(process.version) < NODE_TO_INSTALL) {
    fail(
      `Forecourt needs Node ${NODE_TO_INSTALL} or newer, this is ${process.version}: install Node ${NODE_TO_RUN} from https://nodejs.org and try again.`,
    );
  }
  try {
    await installPackages(ROOT);
  } catch (error) {
    fail(error.message);
  }
  const node = findNode();
  if (node === undefined) {
    fail(
      `Forecourt runs on Node ${NODE_TO_RUN}, this is ${process.version}, and npm has no packaged Node for ${process.platform} ${process.arch}: install Node ${NODE_TO_RUN} from https://nodejs.org and try again.`,
    );
  }
  // Services, tests and tools start faster when they find their compiled code.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, '.cache/compile');
  process.env.PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const file = fileURLToPath(new URL(`./main/${command}.ts`, import.meta.url));
  if (node === process.execPath) await import(new URL(`./main/${command}.ts`, import.meta.url));
  else runOn(node, file, process.argv.slice(2));
}
