import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { brotliCompressSync, constants } from 'node:zlib';

const API = process.env['MARKETPLACE_API_URL'];

/**
 * The listing call of the marketplace API, as the composed page makes it.
 *
 * @param {string} query e.g. 'makeCode=FORD&zip=60601'
 */
export async function findListings(query) {
  const response = await fetch(`${API}/rest/lsc/listing?${query}`, { headers: { prefer: 'return=minimal' } });
  if (!response.ok) throw new Error(`the API responded ${response.status}`);
  return response.json();
}

/** As the composed page compresses: files once and well, the rest quickly. */
const compress = (bytes, quality) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

function respond(request, response, type, bytes, quality = 5) {
  const isCompressed = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
  const body = isCompressed ? compress(bytes, quality) : bytes;
  response.writeHead(200, {
    'content-type': type,
    'content-length': body.length,
    ...(isCompressed && { 'content-encoding': 'br' }),
  });
  response.end(body);
}

/** The script of the page, if it has one: built by the bench. */
const SCRIPT = process.env['PEER_SCRIPT'];

async function route({ render, answer }, request, response) {
  const [path, query = ''] = request.url.split('?');
  if (path === '/app.js' && SCRIPT)
    return respond(request, response, 'text/javascript', readFileSync(SCRIPT), 9);
  if (path.startsWith('/pictures/')) {
    const picture = await fetch(API + request.url);
    const bytes = await buffer(picture.body);
    return respond(request, response, picture.headers.get('content-type'), bytes);
  }
  if (path === '/search' && answer) {
    const found = Buffer.from(JSON.stringify(await answer(query, await json(request))));
    return respond(request, response, 'application/json', found);
  }
  return respond(request, response, 'text/html; charset=utf-8', Buffer.from(await render(query)));
}

/** Serves `render(query)` as HTML on PORT, for any other path the pictures of the API, and what the page's script asks for. */
export function serve(page) {
  createServer((request, response) => {
    route(page, request, response).catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      response.writeHead(500).end();
    });
  }).listen(Number(process.env['PORT']), process.env['HOST']);
}
