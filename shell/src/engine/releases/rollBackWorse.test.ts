import { describe, expect, it, jest } from '@jest/globals';
import type { WorseRelease } from './predecessorWatch.ts';
import type { RegistryClient } from './registryClient.ts';
import { createRollback } from './rollBackWorse.ts';

const WORSE: WorseRelease = {
  remote: 'mfe-x',
  version: '1.1.0',
  previous: '1.0.0',
  slot: 'grid',
  where: 'browser',
  outcomes: { now: { good: 270, bad: 30 }, before: { good: 999, bad: 1 } },
};

/** A registry whose pointers move when `rollBack` succeeds; `refusals`: of the first attempts. */
function rig({ live = '1.1.0', refusals = [] }: { live?: string; refusals?: readonly Error[] } = {}) {
  const state = { live, revision: 7 };
  const left = [...refusals];
  const rollBack = jest.fn<RegistryClient['rollBack']>(async () => {
    const refusal = left.shift();
    if (refusal) throw refusal;
    state.live = '1.0.0';
  });
  const log = { error: jest.fn(), warn: jest.fn() };
  const pointers = async () => ({ revision: state.revision, remotes: { 'mfe-x': { live: state.live } } });
  return { rollBack, log, run: createRollback({ pointers, rollBack }, log as never) };
}

describe('a live release that is worse than its predecessor', () => {
  it('is rolled back once by several shells, with slot and both counts as the reason', async () => {
    const { rollBack, log, run } = rig();
    await run(WORSE);
    await run(WORSE);
    expect(rollBack.mock.calls).toEqual([
      ['mfe-x', { revision: 7, reason: 'slot grid: it fails in browsers in 30 of 300, 1.0.0 in 1 of 1000' }],
    ]);
    expect(log.error).toHaveBeenCalledTimes(1);
  });

  it('is left alone when another release is live meanwhile', async () => {
    const { rollBack, run } = rig({ live: '1.2.0' });
    await run(WORSE);
    expect(rollBack).not.toHaveBeenCalled();
  });

  it('is tried again when someone has moved another pointer meanwhile', async () => {
    const { rollBack, log, run } = rig({ refusals: [new Error('REVISION_CHANGED')] });
    await run(WORSE);
    expect(rollBack).toHaveBeenCalledTimes(2);
    expect(log.warn).not.toHaveBeenCalled();
  });

  it('stays live, with a warning, when the credential does not allow it', async () => {
    const { rollBack, log, run } = rig({ refusals: Array<Error>(3).fill(new Error('status 403')) });
    await run(WORSE);
    expect(rollBack).toHaveBeenCalledTimes(3);
    expect(log.warn).toHaveBeenCalledWith(
      expect.objectContaining({ release: 'mfe-x@1.1.0' }),
      expect.any(String),
    );
    expect(log.error).not.toHaveBeenCalled();
  });
});
