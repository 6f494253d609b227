import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';

it.each([
  ['quietly, with it', 'endWithReader();', 0, ''],
  ['by an exception, without it', '', 1, 'EPIPE'],
])('ends a command whose reader has seen enough %s', async (_, first, status, printed) => {
  const module = JSON.stringify(new URL('./start.ts', import.meta.url).href);
  const program = `import { endWithReader } from ${module};
${first}
setInterval(() => process.stdout.write('a line\\n'.repeat(10_000)), 1);`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program]);
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  await once(child.stdout, 'data');
  // As `head` does.
  child.stdout.destroy();
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(status);
  if (printed === '') expect(errors).toBe('');
  else expect(errors).toContain(printed);
});
