import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { runShell } from '../../../runtime/runShell.ts';
import { chooseSandbox, type SandboxLevel } from '../sandbox.ts';

// Run by a test as `node inheritedFromShell.ts LEVEL PROGRAM RESULT`, with whatever it inherits. Writes into RESULT what the
// program finds in the sandbox and without one, and what the kernel says of both processes.
const [level = 'process', program = '', result = ''] = process.argv.slice(2);

/** What the kernel says of a process. */
function kernelView(pid: number) {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(read('status'))?.[1] ?? '';
  // The name of the program, in parentheses, may contain spaces.
  const [, , , session = '', terminal = ''] = read('stat')
    .slice(read('stat').lastIndexOf(')') + 2)
    .split(' ');
  return {
    session:
      Number(session) === Number(readFileSync('/proc/self/stat', 'utf8').split(' ')[5])
        ? 'the shell’s'
        : 'its own',
    terminal: terminal === '0' ? 'none' : 'a terminal',
    umask: field('Umask'),
    ignoredSignals: field('SigIgn'),
    blockedSignals: field('SigBlk'),
    folder: readlinkSync(`/proc/${pid}/cwd`),
    environment: read('environ')
      .split('\0')
      .filter(Boolean)
      .map((pair) => pair.split('=')[0])
      .sort(),
  };
}

/** What the program tells first over its channel. */
async function tell({ channel }: { readonly channel: NodeJS.ReadableStream }): Promise<unknown> {
  let text = '';
  for await (const part of channel) {
    text += String(part);
    if (text.endsWith('\n')) return JSON.parse(text);
  }
  throw new Error(`the program ended after '${text}'`);
}

const end = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

runShell(async () => {
  const { sandbox } = await chooseSandbox(
    level as SandboxLevel,
    { program, heapMb: 64, youngMb: 2 },
    async (candidate) => {
      const started = candidate.start();
      await tell(started);
      await end(started.child);
    },
  );
  const started = sandbox.start();
  const inside = { told: await tell(started), kernel: kernelView(await started.pid) };
  await end(started.child);
  const plain = spawn(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const channel = plain.stdio[3] as NodeJS.ReadableStream;
  const outside = { told: await tell({ channel }), kernel: kernelView(plain.pid ?? 0) };
  await end(plain);
  writeFileSync(result, JSON.stringify({ level: sandbox.level, inside, outside }));
  process.exit();
});
