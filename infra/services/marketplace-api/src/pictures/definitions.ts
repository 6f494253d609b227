import type { Body } from './bodies.ts';
import { shadowGradient } from './groundShadow.ts';
import { lightness, lit, mix } from './paint.ts';
import { wheelFace } from './wheelFace.ts';

/** Gradients and the face of the wheels, to which the drawings refer. */
export function definitions(body: Body, paint: string): string {
  const wall = lightness(paint) > 0.75 ? '#c3ccd4' : '#e4e9ee';
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
    shadowGradient() +
    wheelFace(body.rim === 'car' ? 5 : 6)
  );
}
