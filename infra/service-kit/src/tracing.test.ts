import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

it('loads the SDK of traces in one place, and only when that is called', () => {
  const folder = import.meta.dirname;
  const users = readdirSync(folder)
    .filter((file) => !file.endsWith('.test.ts') && file.endsWith('.ts'))
    .filter((file) => readFileSync(join(folder, file), 'utf8').includes("'@opentelemetry/"));
  expect(users).toEqual(['tracing.ts']);
  const source = readFileSync(join(folder, 'tracing.ts'), 'utf8');
  const lines = source.split('\n').filter((line) => line.includes("'@opentelemetry/"));
  for (const line of lines) expect(line).toMatch(/^import type |await import\(/);
});
