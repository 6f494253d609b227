import { afterEach, describe, expect, it } from '@jest/globals';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

describe('emails of a network', () => {
  it('are limited per hour over all calls that send any', async () => {
    const rig = await startShell({ environment: { TRUST_PROXY: '1' } });
    rigs.push(rig);
    const write = async (name: string) => {
      const headers = { 'Content-Type': 'application/json', 'X-Requested-With': 'forecourt' };
      const body = JSON.stringify({ emailAddress: 'ada@example.com', brand: 'atc' });
      return rig.send(`/cars-for-sale/api/call/${name}`, { method: 'POST', headers, body });
    };
    for (let n = 0; n < 50; n += 1) {
      expect((await write('emailCapture')).status).toBe(200);
      expect((await write('shareListing')).status).toBe(400);
    }
    const refused = await write('emailCapture');
    expect(refused.status).toBe(429);
    expect(refused.headers['ratelimit-policy']).toContain('"mails"; q=100; w=3600');
  });
});
