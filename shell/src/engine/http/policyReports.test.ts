import { afterEach, describe, expect, it } from '@jest/globals';
import { startLibrary, type LibraryRig } from '../testing/startLibrary.ts';

const PATH = '/library/svc/policy-report';
const rigs: LibraryRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));
async function start(): Promise<LibraryRig> {
  const rig = await startLibrary();
  rigs.push(rig);
  return rig;
}

const reportOf = (body: object) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/reports+json' },
  body: JSON.stringify([{ type: 'csp-violation', url: 'https://site.test/?x=secret', body }]),
});
const VIOLATION = {
  effectiveDirective: 'script-src-elem',
  blockedURL: 'https://evil.example/x.js?token=secret',
  documentURL: 'https://site.test/library/shelf?topic=secret',
  sourceFile: 'https://site.test/assets/shell.js#secret',
  lineNumber: 12,
  sample: 'secret',
};
const violations = ({ log }: LibraryRig) => log.filter((line) => 'violation' in line);

describe('reports of policy violations', () => {
  it('are announced by each page', async () => {
    const { send } = await start();
    const { headers } = await send('/library/shelf');
    expect(headers['reporting-endpoints']).toBe(`policy="${PATH}"`);
    expect(headers['content-security-policy']).toMatch(
      /; report-to policy; report-uri \/library\/svc\/policy-report$/,
    );
  });

  it('are counted and logged without queries and samples', async () => {
    const rig = await start();
    expect((await rig.send(PATH, reportOf(VIOLATION))).status).toBe(204);
    expect(violations(rig)).toMatchObject([
      {
        violation: {
          effectiveDirective: 'script-src-elem',
          blockedURL: 'https://evil.example/x.js',
          documentURL: 'https://site.test/library/shelf',
          sourceFile: 'https://site.test/assets/shell.js',
          lineNumber: 12,
        },
      },
    ]);
    expect(JSON.stringify(rig.log)).not.toContain('secret');
    expect(await rig.metrics.metrics()).toContain(
      'forecourt_policy_violations_total{directive="script-src-elem"} 1',
    );
  });

  it('are read in the older format too', async () => {
    const rig = await start();
    const { status } = await rig.send(PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/csp-report' },
      body: JSON.stringify({
        'csp-report': { 'effective-directive': 'img-src', 'blocked-uri': 'https://evil.example/a.png?b' },
      }),
    });
    expect(status).toBe(204);
    expect(violations(rig)).toMatchObject([
      { violation: { effectiveDirective: 'img-src', blockedURL: 'https://evil.example/a.png' } },
    ]);
  });

  it('fill neither the log nor the metrics, however many are sent', async () => {
    const rig = await start();
    for (let n = 0; n < 50; n++)
      await rig.send(PATH, reportOf({ ...VIOLATION, effectiveDirective: `x${n}` }));
    expect(violations(rig)).toHaveLength(30);
    expect(await rig.metrics.metrics()).toContain('forecourt_policy_violations_total{directive="other"} 50');
  });

  it.each([
    ['no report', '{}'],
    ['too many', JSON.stringify(Array(21).fill({ type: 'csp-violation', body: VIOLATION }))],
    ['a body that is no JSON', '<xml/>'],
  ])('are refused: %s', async (_, body) => {
    const rig = await start();
    expect((await rig.send(PATH, { ...reportOf({}), body })).status).toBe(400);
    expect(violations(rig)).toEqual([]);
  });
});
