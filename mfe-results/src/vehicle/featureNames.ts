import type { Filter } from '@forecourt/upstream/entities';

const ACRONYM = /^(abs|aeb|awd|led|usb|gps)$/i;

/** 'HEATED_SEATS' → 'Heated seats'. */
function featureInWords(code: string): string {
  const text = code.replaceAll(/[_-]+/g, ' ').toLowerCase();
  return ACRONYM.test(text) ? text.toUpperCase() : text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Names features by the labels of the search's filters; a feature without a filter gets its code in words.
 */
export function featureNames(codes: readonly string[], filters: readonly Filter[] | undefined): string[] {
  const labels = new Map(
    (filters ?? [])
      .filter(({ name }) => name === 'featureCode')
      .flatMap(({ options }) => options.map(({ value, label }) => [value, label] as const)),
  );
  return codes.map((code) => labels.get(code) ?? featureInWords(code));
}
