import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Sql } from '@forecourt/service-kit/sql';
import { openFile } from '../store/accountStore.ts';
import { createMailOutbox, type MailOutbox, createMailSender, type SendMail } from './outbox.ts';

const SECRET = 'https://id.example/reset/secret';
let directory: string;
let sql: Sql;
let at: number;
let outbox: MailOutbox;
const lines: string[] = [];
const send = jest.fn<SendMail>();
const sender = () =>
  createMailSender({
    outbox,
    send,
    now: () => at,
    logger: pino({}, { write: (line) => void lines.push(line) }),
  });

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'mails-'));
  sql = openFile(join(directory, 'identity.sqlite'));
  at = 1_800_000_000_000;
  outbox = createMailOutbox(sql, () => at);
  send.mockReset().mockResolvedValue();
  await outbox.add({ to: 'ada@example.com', subject: 'Hello', text: SECRET, html: `<p>${SECRET}</p>` });
});
afterEach(async () => {
  await sql.close();
  rmSync(directory, { recursive: true });
});

describe('account mails', () => {
  it('sends mails once and then deletes them with their secrets', async () => {
    expect(await sender().sendDue()).toBe(1);
    expect(send).toHaveBeenCalledWith(
      expect.objectContaining({ to: 'ada@example.com', text: SECRET, html: `<p>${SECRET}</p>` }),
    );
    expect(await sender().sendDue()).toBe(0);
    expect(await outbox.newest(10)).toEqual([]);
  });

  it('retries mails with backoff, drops them when their links expire, and never logs them', async () => {
    send.mockRejectedValue(new Error('no server'));
    expect(await sender().sendDue()).toBe(0);
    expect(await sender().sendDue()).toBe(0);
    expect(send).toHaveBeenCalledTimes(1);
    for (let round = 0; round < 10; round += 1) {
      at += 1_800_000;
      await sender().sendDue();
    }
    expect(send).toHaveBeenCalledTimes(7);
    expect(await outbox.newest(10)).toEqual([]);
    expect(lines.join('')).toContain('mail given up');
    expect(lines.join('')).not.toMatch(/ada@example|secret/);
  });
});
