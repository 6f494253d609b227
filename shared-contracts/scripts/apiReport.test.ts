import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { createApiReport, REPORT_PATH } from './apiReport.ts';

// Compiles every subpath.
const TIMEOUT_MS = 180_000;

it(
  'matches api.md',
  () => {
    const { markdown } = createApiReport();
    // Stale? Run `npm run api -w @forecourt/shared-contracts`.
    expect(readFileSync(REPORT_PATH, 'utf8')).toBe(markdown);
  },
  TIMEOUT_MS,
);
