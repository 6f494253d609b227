/**
 * Reads a response body of at most `limit` bytes. Throws `tooLarge()` at the
 * limit, so that an endless body cannot exhaust memory.
 */
export async function readBody(
  { body }: Pick<Response, 'body'>,
  limit: number,
  tooLarge: () => Error = () => new Error(`the body is larger than ${limit} bytes`),
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > limit) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
