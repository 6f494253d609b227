/** A Markdown table with right-aligned columns, except the first. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** Replaces the body of one `## heading` section, or appends the section. */
export function replaceSection(text: string, heading: string, body: string): string {
  const [top = '', ...sections] = text.split(/^(?=## )/m);
  const section = `## ${heading}\n\n${body.trim()}\n`;
  const at = sections.findIndex((one) => one.startsWith(`## ${heading}\n`));
  const others = sections.map((one) => `${one.trim()}\n`);
  const all = at < 0 ? [...others, section] : others.with(at, section);
  return [`${top.trim()}\n`, ...all].join('\n');
}

/** The body of one `## heading` section. @throws Error without it */
export function sectionOf(text: string, heading: string): string {
  const [, ...sections] = text.split(/^(?=## )/m);
  const start = `## ${heading}\n`;
  const section = sections.find((one) => one.startsWith(start));
  if (section === undefined) throw new Error(`no section “${heading}”`);
  return section.slice(start.length).trim();
}
