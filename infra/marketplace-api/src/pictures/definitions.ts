import type { Body } from './bodies.ts';
import { lightness, lit, mix } from './paint.ts';

/** Gradients, the shadow's blur and the wheel, to which the drawings refer. */
export function definitions(body: Body, paint: string): string {
  const wall = lightness(paint) > 0.75 ? '#c3ccd4' : '#e4e9ee';
  const spokes = body.rim === 'car' ? 5 : 6;
  const gaps = Array.from(
    { length: spokes },
    (_, index) => `<use href="#p" transform="rotate(${(360 / spokes) * index})"/>`,
  ).join('');
  const stops = (colors: readonly (readonly [offset: number, color: string])[]): string =>
    colors
      .map(([offset, color]) => `<stop offset="${String(offset).replace('0.', '.')}" stop-color="${color}"/>`)
      .join('');
  const flank = stops([
    [0, lit(paint, 0.34)],
    [0.2, lit(paint, 0.12)],
    [0.48, paint],
    [0.76, lit(paint, -0.2)],
    [1, lit(paint, -0.46)],
  ]);
  return (
    `<linearGradient id="s" x2="0" y2="1">${flank}</linearGradient>` +
    `<linearGradient id="g" x2=".2" y2="1">${stops([
      [0, '#7d919e'],
      [0.5, '#43535e'],
      [1, '#222b33'],
    ])}</linearGradient>` +
    `<linearGradient id="h" x2="0" y2="1">${stops([
      [0, '#ffffff'],
      [1, '#b4c5d2'],
    ])}</linearGradient>` +
    `<linearGradient id="r" x2="1" y2="1">${stops([
      [0, '#f1f3f4'],
      [1, '#9aa2a9'],
    ])}</linearGradient>` +
    `<linearGradient id="k" x2="0" y2="1">${stops([
      [0, mix(wall, paint, 0.08)],
      [0.64, mix(wall, '#ffffff', 0.5)],
      [0.68, mix(wall, '#8d99a5', 0.22)],
      [1, mix(wall, '#ffffff', 0.25)],
    ])}</linearGradient>` +
    '<filter id="b" x="-20%" y="-80%" width="140%" height="260%"><feGaussianBlur stdDeviation="12"/></filter>' +
    '<path id="p" d="M-.1-.22L-.29-.58A.65.65 0 0 1 .29-.58L.1-.22Z"/><g id="w"><circle r="1" fill="#16181b"/><circle r=".93" fill="#25292d"/><circle r=".73" fill="#0f1113"/>' +
    `<circle r=".7" fill="url(#r)"/><g fill="#2a2e33">${gaps}</g><circle r=".12" fill="#c9ced2"/><circle r=".06" fill="#4a5056"/></g>`
  );
}
