import { createConfig, lintFromString } from '@redocly/openapi-core';

// Reads an OpenAPI document from stdin and prints every problem as a line.
const rules = {
  // '/searchbookmarks/{id}/opened' and '/searchbookmarks/share-bookmark/{id}': the paths of the specifications.
  'no-ambiguous-paths': 'off',
  // Reads without input that nothing refuses.
  'operation-4xx-response': 'off',
  'operation-summary': 'error',
  'operation-tag-defined': 'error',
  'tag-description': 'error',
  'no-unused-components': 'error',
};
const config = await createConfig({ extends: ['recommended'], rules });
const parts = [];
for await (const part of process.stdin) parts.push(part);
const problems = await lintFromString({ source: Buffer.concat(parts).toString('utf8'), config });
for (const { ruleId, message, location } of problems)
  process.stdout.write(`${ruleId} at ${location[0]?.pointer ?? ''}: ${message}\n`);
