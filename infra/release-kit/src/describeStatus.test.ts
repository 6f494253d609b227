import { expect, it } from '@jest/globals';
import { describeStatus } from './describeStatus.ts';

const NONE = { good: 0, bad: 0 };
const measure = (name: string, kind: 'worse' | 'fine') => ({
  kind: 'server' as const,
  name,
  isRequired: true,
  canary: NONE,
  live: NONE,
  evidence: 1,
  rule: { minFailures: 5, minDifference: 0.02, minEvidence: 1_200 },
  verdict: { kind },
});

it('says in a few lines what is live, what fails, and what to do', () => {
  const at = '2026-03-01T12:00:00.000Z';
  const text = describeStatus({
    revision: 7,
    shells: [{ url: 'http://a' }, { url: 'http://b', problem: 'UNREACHABLE: no' }],
    remotes: [
      { name: 'mfe-filters', live: '2.0.0', hold: { by: 'ada', why: 'holiday' }, failing: [] },
      {
        name: 'mfe-results',
        live: '1.4.0',
        previous: '1.3.0',
        canary: {
          version: '1.5.0',
          weight: 5,
          measures: [measure('results', 'worse'), measure('spin', 'fine')],
        },
        failing: [
          {
            release: 'mfe-results@1.4.0',
            slot: 'map',
            server: { good: 90, bad: 0 },
            browser: { good: 80, bad: 20, lastFailure: { at, code: 'evaluate', message: 'no container' } },
          },
        ],
        worse: {
          remote: 'mfe-results',
          version: '1.4.0',
          previous: '1.3.0',
          slot: 'map',
          where: 'browser',
          outcomes: { now: NONE, before: NONE },
        },
      },
    ],
  });
  expect(text.split('\n')).toEqual([
    'revision 7, 2 remotes, 2 shells',
    'http://b does not respond: UNREACHABLE: no',
    'mfe-filters  live 2.0.0',
    '  held by ada: holiday',
    'mfe-results  live 1.4.0, before 1.3.0',
    '  canary 1.5.0 at 5 %',
    '    results (required) on servers: worse than the live release',
    '  map fails more often in browsers than in 1.3.0: roll back?',
    '  map of mfe-results@1.4.0 failed in browsers 20 of 100 times; last evaluate no container',
  ]);
});
