import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Hostile } from './hostileRelease.ts';
import {
  CODE_FIXTURES,
  FIXTURES,
  hasNamespaces,
  isolated,
  withReleaseHost,
  withStack,
} from './isolationLevels.ts';

if (hasNamespaces())
  describe('with a release host in a container', () => {
    isolated('container', withReleaseHost(true), CODE_FIXTURES);
  });
else it('stops hostile releases at the level container, which this machine does not support');

describe('with a release host outside of a container', () => {
  withStack('a hostile release', withReleaseHost(false), (runAttack) => {
    const [fixture] = FIXTURES.filter(({ name }) => name === 'reads-the-host-name');
    it('learns the name of the machine', async () => {
      assert.match((await runAttack(fixture as Hostile)).slotContent, /LOOT/);
    });
  });
});
