/**
 * Reads a response body of at most `limit` bytes. Stops at the limit, so that
 * an endless body does not fill the memory, and throws `tooLarge()` then.
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
