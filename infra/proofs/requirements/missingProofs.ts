/** Without what differs between a title in a document and in the code: quotes, code marks, and the rest after an ellipsis. */
const plain = (text: string) =>
  text
    .replaceAll(/\\(?=['"`])/g, '')
    .replaceAll(/[`'’“”"]/g, '')
    .replaceAll(/\s+/g, ' ');

/** Tests and titles that a text names and that don't exist: `file.test.ts`, followed by titles in quotation marks. */
export function missingProofs(text: string, sourcesNamed: (name: string) => readonly string[]): string[] {
  const missing: string[] = [];
  let sources: string[] = [];
  for (const [, file, title] of text
    .replaceAll('framed: ', '`framedSlots.e2e.ts`: ')
    .matchAll(/`([\w./-]+\.(?:test|e2e)\.tsx?)`|"([^"|]{6,})"/g)) {
    if (file !== undefined) {
      sources = sourcesNamed(file).map(plain);
      if (sources.length === 0) missing.push(file);
    } else if (title !== undefined && sources.length > 0) {
      const [start = ''] = plain(title).split('…');
      if (!sources.some((source) => source.includes(start.trim()))) missing.push(title);
    }
  }
  return missing;
}
