import { affine, type Scene } from './scene.ts';

/** Share of the vehicle's length and width by which its shadow reaches beyond the middle. */
const LENGTH = 0.6;
const WIDTH = 1.02;
/** Share of its width by which it lies before the vehicle: what is near looks larger. */
const OFF = 0.08;
/** px by which it also spreads on the screen: seen from the side it is nearly a line. */
const SPREAD = 14;
/** How dark the ground is from the middle of the shadow to its rim: it ends without an edge. */
const DARKNESS = [
  [0.35, 0.62],
  [0.6, 0.4],
  [0.8, 0.14],
  [0.92, 0.03],
  [1, 0],
] as const;

/** A disc on the ground that fades to its rim. A blur took as long to paint as the vehicle. */
export function groundShadow({ body, project }: Scene): string {
  const middle = body.length / 2;
  const centre = project([middle, 0, body.width * OFF]);
  const ahead = project([middle - body.length * LENGTH, 0, 0]);
  const [x, y] = project([middle, 0, body.width * WIDTH]);
  return `<circle r="1" fill="url(#b)" transform="${affine(centre, ahead, [x, y + SPREAD])}"/>`;
}

export const shadowGradient = (): string =>
  `<radialGradient id="b">${DARKNESS.map(
    ([offset, opacity]) => `<stop offset="${offset}" stop-color="#141b26" stop-opacity="${opacity}"/>`,
  ).join('')}</radialGradient>`;
