import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { chooseSandbox, type SandboxLevel } from '../sandbox.ts';

// Run by a test as `node startFromShell.ts LEVEL PROGRAM FILE`, with descriptors that it inherits, one of them to append to
// FILE. Prints what the program reads in the sandbox and without one, and what FILE then has.
const [level = 'process', program = '', file = ''] = process.argv.slice(2);

const { sandbox } = await chooseSandbox(
  level as SandboxLevel,
  { program, heapMb: 64, youngMb: 2 },
  async (candidate) => {
    // The channel ends with the program.
    await text(candidate.start().channel);
  },
);
const inside = { read: await text(sandbox.start().channel), written: readFileSync(file, 'utf8') };
const plain = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
const outside = {
  read: await text(plain.stdio[3] as NodeJS.ReadableStream),
  written: readFileSync(file, 'utf8'),
};
process.stdout.write(JSON.stringify({ level: sandbox.level, inside, outside }));
