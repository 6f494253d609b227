// Runs before anything is installed, on the system's Node: no dependency, no TypeScript.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './installPackages.mjs';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** The oldest Node that can install, and the one that everything runs on (its TypeScript support, among others). */
const NODE_TO_INSTALL = 20;
const NODE_TO_RUN = 24;

/** Writes one line and ends the process. */
function giveUp(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

const PARENT_CHECK_MS = 500;

/** When npm is told to stop, it tells its shell, and that one dies without a word to us. */
function whenNpmIsGone(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || stop(), PARENT_CHECK_MS).unref();
}

const majorOf = (version) => Number(version.replace(/^v/, '').split('.')[0]);

/** The program that runs the rest: this one if new enough, else the one that came with the packages. */
function findNode() {
  if (majorOf(process.version) >= NODE_TO_RUN) return process.execPath;
  const installed = join(ROOT, 'node_modules/.bin/node');
  return existsSync(installed) ? installed : undefined;
}

/** Runs a file on another Node and ends with its status. Signals go through; its end of the channel tells it when this process dies. */
function runOn(node, file, args) {
  const child = spawn(node, [file, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  whenNpmIsGone(() => child.kill('SIGTERM'));
  child.on('error', (error) => giveUp(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)));
}

/**
 * Sees to Node and the packages, then runs `src/main/<command>.ts` with the
 * arguments of this process.
 */
export async function enter(command) {
  if (majorOf(process.version) < NODE_TO_INSTALL) {
    giveUp(
      `Forecourt needs Node ${NODE_TO_INSTALL} or newer, this is ${process.version}: install Node ${NODE_TO_RUN} from https://nodejs.org and run again.`,
    );
  }
  try {
    await installPackages(ROOT);
  } catch (error) {
    giveUp(error.message);
  }
  const node = findNode();
  if (node === undefined) {
    giveUp(
      `Forecourt runs on Node ${NODE_TO_RUN}, this is ${process.version}, and there is no packaged one for ${process.platform} ${process.arch}: install Node ${NODE_TO_RUN} from https://nodejs.org and run again.`,
    );
  }
  process.env.PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const file = fileURLToPath(new URL(`./main/${command}.ts`, import.meta.url));
  if (node === process.execPath) await import(new URL(`./main/${command}.ts`, import.meta.url));
  else runOn(node, file, process.argv.slice(2));
}
