import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { z } from 'zod';
import { errorResponse, jsonContent, openApiDocument, SchemaComponents } from './openApi.ts';
import { openApiRoutes } from './openApiRoutes.ts';

const book = z.object({ title: z.string(), '<b>': z.string().optional() });

function describeShelf() {
  const components = new SchemaComponents();
  components.name('Book', book);
  return openApiDocument({
    title: 'Shelf <&>',
    description: 'Books.',
    operations: [
      {
        path: '/books/{id}',
        method: 'get',
        operation: {
          operationId: 'book',
          summary: 'One <i>book</i>',
          tags: ['books'],
          parameters: [{ $ref: '#/components/parameters/limit' }],
          responses: {
            200: { description: 'The response.', content: jsonContent(components.of(book, 'output')) },
            '4XX': { $ref: '#/components/responses/Rejected' },
          },
        },
      },
    ],
    error: z.object({ error: z.string() }),
    components,
    parameters: {
      limit: {
        name: 'limit',
        in: 'query',
        description: 'How many.',
        schema: { type: 'integer', maximum: 9 },
      },
    },
    responses: { Rejected: errorResponse('Rejected.') },
    securitySchemes: {},
    tags: { books: 'Books on the shelf' },
  });
}
const headers: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-cache');
  next();
};

async function get(path: string, isLocal: boolean): Promise<Response> {
  const app = express().use(openApiRoutes(describeShelf, { isLocal, headers }));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  } finally {
    server.close();
  }
}

describe('openApiRoutes', () => {
  it('serves the document with the given headers', async () => {
    const response = await get('/openapi.json', false);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(describeShelf())));
  });

  it('shows the document in local mode on a page that runs and loads nothing', async () => {
    const response = await get('/openapi', true);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'/,
    );
    const page = await response.text();
    expect(page).not.toMatch(/<script|<link|<img|https?:\/\/|url\(|@import/);
    expect(page).toContain('<h2>Books on the shelf</h2>');
    expect(page).toContain('<code>/books/{id}</code> <span>One &lt;i&gt;book&lt;/i&gt;</span>');
    expect(page).toContain('<td><code>limit</code><td>query<td>integer to 9<td>How many.');
    expect(page).toContain('<b>4XX</b> Rejected.');
    expect(page).toContain('<a href="#schema-Book">Book</a>');
    expect(page).toContain('<h3 id="schema-Book">Book</h3>');
    expect(page).toContain('&quot;&lt;b&gt;&quot;');
  });

  it('has no page outside of local mode', async () => {
    expect((await get('/openapi', false)).status).toBe(404);
  });
});
