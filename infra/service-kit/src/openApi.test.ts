import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { SchemaComponents } from './openApi.ts';

const author = z.object({ name: z.string() });
const book = z.object({ author, coauthor: author.nullable().optional(), pages: z.number().int().min(1) });

describe('SchemaComponents', () => {
  it('writes a named schema once and refers to it', () => {
    const components = new SchemaComponents();
    components.name('Author', author);
    components.name('Book', book);
    components.name('Ignored', book);
    expect(components.of(z.array(book), 'output')).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Book' },
    });
    expect(components.of(book.nullable(), 'output')).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Book' }, { type: 'null' }],
    });
    expect(components.written).toEqual({
      Author: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      Book: {
        type: 'object',
        properties: {
          author: { $ref: '#/components/schemas/Author' },
          coauthor: { anyOf: [{ $ref: '#/components/schemas/Author' }, { type: 'null' }] },
          pages: { type: 'integer', minimum: 1 },
        },
        required: ['author', 'pages'],
      },
    });
  });

  it('keeps what a schema says of itself, also of one that has a name', () => {
    const components = new SchemaComponents();
    const html = z.string().meta({ contentMediaType: 'text/html' });
    const text = z.string().describe('A text.');
    components.name('Text', text);
    expect(components.of(z.object({ html, text }), 'output')).toMatchObject({
      properties: { html: { contentMediaType: 'text/html' } },
    });
    expect(components.written).toEqual({ Text: { type: 'string', description: 'A text.' } });
  });

  it.each([
    ['two schemas', () => [author, z.object({ title: z.string() })] as const, 'output'],
    [
      'a schema that differs between requests and responses',
      () => {
        const withDefault = z.object({ pages: z.number().default(1) });
        return [withDefault, withDefault] as const;
      },
      'input',
    ],
  ] as const)('refuses one name for %s', (_, schemas, io) => {
    const [one, other] = schemas();
    const components = new SchemaComponents();
    components.name('Thing', one);
    components.of(one, 'output');
    if (one !== other) components.name('Thing', other);
    expect(() => components.of(other, io)).toThrow('Thing');
  });
});
