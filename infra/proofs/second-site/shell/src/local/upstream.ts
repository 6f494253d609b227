import { createServer } from 'node:http';
import type { Book } from '@forecourt/library';

const BOOKS: readonly Book[] = [
  { id: 'emma', title: 'Emma', author: 'Jane Austen', genre: 'novels' },
  { id: 'persuasion', title: 'Persuasion', author: 'Jane Austen', genre: 'novels' },
  { id: 'the-waste-land', title: 'The Waste Land', author: 'T. S. Eliot', genre: 'poetry' },
  { id: 'candida', title: 'Candida', author: 'G. B. Shaw', genre: 'plays' },
];

/** The library's upstream: `GET /books?genre=novels`. */
createServer(({ url = '/' }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (pathname === '/health/ready') return response.end();
  if (pathname !== '/books') return response.writeHead(404).end();
  const genre = searchParams.get('genre');
  const found = BOOKS.filter((book) => genre === null || book.genre === genre);
  return response.setHeader('Content-Type', 'application/json').end(JSON.stringify(found));
}).listen(Number(process.env['PORT']), '127.0.0.1');
