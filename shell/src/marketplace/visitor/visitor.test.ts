import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../config.ts';
import { FLAGS } from '@forecourt/search/brands';
import { flagOverrides, readVisitor, withFlags } from './visitor.ts';

const NOW = new Date('2026-12-31T23:59:59Z');
const ID = '01234567-89ab-cdef-0123-456789abcdef';
function visitor(headers: Record<string, string>, environment: Record<string, string> = {}) {
  const request = { headers } as unknown as IncomingMessage;
  const config = readConfig(environment);
  return withFlags(readVisitor(request, config, NOW), FLAGS, flagOverrides(request, config));
}

describe('readVisitor', () => {
  it("is anonymous without cookies, with today's date in UTC", () => {
    expect(visitor({})).toMatchObject({
      hidesAlpha: false,
      session: { brand: 'atc', signedIn: false, isBot: false, visitorZip: null, today: '2026-12-31' },
    });
  });

  it('keeps the session id and replaces an invalid one', () => {
    const id = '01234567-89ab-cdef-0123-456789abcdef';
    expect(visitor({ cookie: `sid=${id}` }).id).toBe(id);
    for (const sid of ['', 'x', '<script>', id.toUpperCase(), `${id}0`])
      expect(visitor({ cookie: `sid=${sid}` }).id).toMatch(/^[0-9a-f-]{36}$/);
    expect(visitor({}).id).not.toBe(visitor({}).id);
  });

  // rows: A5-RULE-01
  it('has the stored ZIP, cut to five digits, or none', () => {
    expect(visitor({ cookie: 'zip=303031' }).session.visitorZip).toBe('30303');
    expect(visitor({ cookie: 'zip=303' }).session.visitorZip).toBeNull();
    expect(visitor({ cookie: 'zip=%E0%A4%A' }).session.visitorZip).toBeNull();
  });

  // rows: A1-ROLE-01, A6-ROLE-01, B6-ROLE-01, B6-ROLE-02
  it('is signed in with the signed-in cookie and signed out without it', () => {
    expect(visitor({}).session.signedIn).toBe(false);
    expect(visitor({ cookie: 'signedIn=true' }).session.signedIn).toBe(true);
    for (const value of ['false', '', 'TRUE', '1'])
      expect(visitor({ cookie: `signedIn=${value}` }).session.signedIn).toBe(false);
  });

  it('has the channel of its campaign and ignores unknown ones', () => {
    expect(visitor({ cookie: 'campaign=OEM' }).channel).toBe('OEM');
    expect(visitor({ cookie: 'campaign=EVIL' }).channel).toBeUndefined();
    expect(visitor({}).channel).toBeUndefined();
  });

  it("has the browser's id, unless it is a bot or sends Sec-GPC", () => {
    expect(visitor({ cookie: `pixallId=${ID}` })).toMatchObject({ pixallId: ID, needsPixallId: false });
    expect(visitor({ cookie: 'pixallId=x' }).pixallId).toMatch(/^[0-9a-f-]{36}$/);
    expect(visitor({}).needsPixallId).toBe(true);
    const unknown: Record<string, string>[] = [{ 'sec-gpc': '1' }, { 'user-agent': 'Googlebot/2.1' }];
    for (const headers of unknown)
      expect(visitor({ cookie: `pixallId=${ID}`, ...headers })).toMatchObject({
        pixallId: undefined,
        needsPixallId: false,
      });
  });

  it('is a bot by its user agent', () => {
    expect(visitor({ 'user-agent': 'Googlebot/2.1' }).session.isBot).toBe(true);
    expect(
      visitor({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' }).session.isBot,
    ).toBe(false);
  });

  it('has the brand of the host, ignoring case and port', () => {
    const hosts = { BRAND: 'valuation.example=kbb,maker.example=oem' };
    expect(visitor({ host: 'Valuation.Example:3000' }, hosts).session.brand).toBe('kbb');
    expect(visitor({ host: 'maker.example' }, hosts).session.brand).toBe('oem');
    expect(visitor({ host: 'constructor' }, hosts).session.brand).toBe('atc');
  });

  it('can override brand and flags by cookie in local mode only', () => {
    const headers = { cookie: 'brand=oem; flags=compare%3Dfalse' };
    const local = visitor(headers, { LOCAL_MODE: 'true' }).session;
    expect(local).toMatchObject({ brand: 'oem', flags: { compare: false } });
    expect(visitor(headers).session).toMatchObject({ brand: 'atc', flags: { compare: true } });
  });

  it('can override brand and flags by header in local mode only', () => {
    const headers = {
      'x-brand': 'kbb',
      'x-flags': 'compare=false,__proto__=true,compare2=true,fluidAds=maybe',
    };
    const local = visitor(headers, { LOCAL_MODE: 'true' }).session;
    expect(local.brand).toBe('kbb');
    expect(local.flags['compare']).toBe(false);
    expect(Object.keys(local.flags)).not.toContain('compare2');
    const remote = visitor(headers).session;
    expect(remote.brand).toBe('atc');
    expect(remote.flags['compare']).not.toBe(false);
    expect(visitor({ 'x-brand': 'toString' }, { LOCAL_MODE: 'true' }).session.brand).toBe('atc');
  });
});
