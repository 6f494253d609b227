import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CONTRACT_PACKAGES, createApiReport } from './apiReport.ts';

/** What a remote team must know before its first slot renders. */
const MAX_FIRST_NAMES = 15;

describe('the API report', () => {
  it.each(CONTRACT_PACKAGES)('of %s lists the names of the package', (folder) => {
    const { path, markdown } = createApiReport(folder);
    // Stale? Run `npm run api -w @forecourt/compat`.
    expect(readFileSync(path, 'utf8')).toBe(markdown);
  });

  it('describes each name in one line with a link to its source', () => {
    const { markdown } = createApiReport('slots');
    expect(markdown).toContain(
      "- [`defineSlot`](src/defineSlot.ts): Defines a remote's slot module.\n- [`useCloseOnBack`]",
    );
  });

  it('has few names that a first slot needs', () => {
    const section = createApiReport('slots').markdown.split(/^## /m)[1] ?? '';
    expect(section).toMatch(/^@forecourt\/slots\n/);
    expect(section.match(/^- /gm)!.length).toBeLessThanOrEqual(MAX_FIRST_NAMES);
  });
});
