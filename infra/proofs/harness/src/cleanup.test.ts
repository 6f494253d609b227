import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createCleanup } from './cleanup.ts';

it('runs steps in reverse order, one after the other, also when it is asked twice', async () => {
  const done: string[] = [];
  const cleanup = createCleanup();
  cleanup.add(() => void done.push('files'));
  cleanup.add(async () => {
    await wait(20);
    done.push('services');
  });
  await Promise.all([cleanup.run(), cleanup.run()]);
  expect(done).toEqual(['services', 'files']);
});

it('goes on with the other steps when it is asked again after one has failed', async () => {
  const done: string[] = [];
  const cleanup = createCleanup();
  cleanup.add(() => void done.push('files'));
  cleanup.add(() => Promise.reject(new Error('stuck')));
  await expect(cleanup.run()).rejects.toThrow('stuck');
  await cleanup.run();
  expect(done).toEqual(['files']);
});
