import type { Body, Point } from './bodies.data.ts';
import { beltAt, halfWidth, hull, type Point3 } from './geometry.ts';
import { lit } from './materials.ts';
import { affine, line, lines, onSide, shape, shapes, type Scene } from './scene.ts';

/** Meters from the side's face to a wheel's outer face. */
const INSET = 0.015;
const TIRE_WIDTH = 0.24;
/** Angles in radians of the points that outline a tire. */
const RIM = Array.from({ length: 16 }, (_, index) => (Math.PI * index) / 8);

/** The wheels between their faces: what shows of them below the body. */
export function tires({ body, project }: Scene, sign: 1 | -1): string {
  const outer = sign * (body.width / 2 - INSET);
  const radius = body.wheelRadius;
  const outlines = body.axles.map((x) =>
    hull(
      [outer, outer - sign * TIRE_WIDTH].flatMap((z) =>
        RIM.map((angle) => project([x + Math.cos(angle) * radius, radius + Math.sin(angle) * radius, z])),
      ),
    ),
  );
  return shapes(outlines, 'fill="#0e1012"');
}

/** A near wheel's outer face; its drawing is defined once, in a circle of radius 1. */
export function wheel(scene: Scene, x: number): string {
  return `<use href="#w" transform="${circleAt(scene, x, scene.body.width / 2 - INSET)}"/>`;
}

/** The transformation that lays the unit circle into a wheel's plane. */
function circleAt({ body, project }: Scene, x: number, z: number): string {
  const radius = body.wheelRadius;
  const center = project([x, radius, z]);
  const right = project([x + radius, radius, z]);
  const down = project([x, 0, z]);
  return affine(center, right, down);
}

/** The dark opening in the side above a wheel, with its lip. */
export function wheelArch(scene: Scene, x: number): string {
  const { body, paint } = scene;
  const size = body.wheelRadius * 1.12;
  const angles = Array.from({ length: 11 }, (_, index) => (Math.PI * (index * 19.6 - 8)) / 180);
  const rim = (radius: number): Point[] =>
    angles.map((angle) =>
      onSide(scene, [x + Math.cos(angle) * radius, body.wheelRadius + Math.sin(angle) * radius], 1, 0.004),
    );
  const lip = body.cladding
    ? line(rim(size + 0.035), '#22262b', 9)
    : line(rim(size + 0.01), lit(paint, 0.35), 2, 0.6);
  return shape(rim(size), 'fill="#0c0e10"') + lip;
}

/** Of the near side (1) or of the far one (-1). */
export function mirror(scene: Scene, sign: 1 | -1 = 1): string {
  const { body, paint, project } = scene;
  const x = (body.doorLines[0] ?? 1) + (body.cockpit ? 0.12 : 0.2);
  const y = beltAt(body, x) + 0.1;
  const z = halfWidth(body, x, y) + 0.02;
  const glass: Point3[] = [
    [x, y - 0.06, z],
    [x - 0.05, y + 0.08, z + 0.04],
    [x + 0.02, y + 0.09, z + 0.18],
    [x + 0.1, y + 0.07, z + 0.18],
    [x + 0.1, y - 0.05, z + 0.12],
  ];
  return shape(
    glass.map(([along, up, out]) => project([along, up, sign * out])),
    `fill="${lit(paint, -0.12)}" stroke="${lit(paint, -0.3)}" stroke-width="2"`,
  );
}

/** x of the front or rear outline at a height. */
function xAt(outline: readonly Point[], y: number): number {
  for (let index = 1; index < outline.length; index += 1) {
    const [from, to] = [outline[index - 1], outline[index]];
    if (!from || !to || (y - from[1]) * (y - to[1]) > 0 || from[1] === to[1]) continue;
    return from[0] + ((to[0] - from[0]) * (y - from[1])) / (to[1] - from[1]);
  }
  return outline[0]?.[0] ?? 0;
}

/** A panel on the nose or tail between two heights and two shares of the width. */
function panel(
  scene: Scene,
  isNose: boolean,
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): Point[] {
  const outline = isNose ? scene.nose : scene.tail;
  const out = isNose ? -0.012 : 0.012;
  const at = (y: number, share: number): Point => {
    const x = xAt(outline, y);
    return scene.project([x + out, y, halfWidth(scene.body, x, y) * share]);
  };
  return [at(low, from), at(high, from), at(high, to), at(low, to)];
}

type Span = readonly [low: number, high: number];

function frontLamp({ body }: Scene): Span {
  const hood = body.nose[3]?.[1] ?? 0.8;
  return isTall(body) ? [hood - 0.28, hood - 0.1] : [hood - 0.16, hood - 0.05];
}

function rearLamp({ body }: Scene): Span {
  const deck = body.tail[0]?.[1] ?? 1;
  return deck > 1.1 ? [deck - 0.42, deck - 0.1] : [deck - 0.27, deck - 0.12];
}

function isTall(body: Body): boolean {
  return (body.nose[3]?.[1] ?? 0.8) > 0.9;
}

const LAMP = 'fill="url(#h)" stroke="#2b3137" stroke-width="2"';
const TAIL_LAMP = 'fill="#b3161f" stroke="#5e0b10" stroke-width="2"';

/** Parts of the lamps that wrap around the corners. */
export function sideLamps(scene: Scene): string {
  const { body, seesNose, seesTail } = scene;
  const [low, high] = frontLamp(scene);
  const [rearLow, rearHigh] = rearLamp(scene);
  const end = body.length;
  const isUpright = rearHigh - rearLow > 0.2;
  const front: Point[] = [
    [0.05, low + 0.01],
    [0.06, high],
    [0.46, high + 0.03],
    [0.3, low + 0.04],
  ];
  const rear: Point[] = [
    [end - 0.04, rearLow],
    [end - 0.05, rearHigh],
    [end - (isUpright ? 0.2 : 0.42), rearHigh],
    [end - 0.2, rearLow + 0.02],
  ];
  const on = (points: readonly Point[]): Point[] => points.map((point) => onSide(scene, point, 1, 0.006));
  return (seesTail ? '' : shape(on(front), LAMP)) + (seesNose ? '' : shape(on(rear), TAIL_LAMP));
}

/** Headlights, grille, lower intake and plate. */
export function face(scene: Scene): string {
  const { body, paint } = scene;
  const hood = body.nose[3]?.[1] ?? 0.8;
  const base = scene.nose[0]?.[1] ?? 0.3;
  const lamp = frontLamp(scene);
  const grille: Span = isTall(body) ? [base + 0.26, hood - 0.08] : [base + 0.2, hood - 0.1];
  const bars = [0.25, 0.5, 0.75].flatMap((share) => {
    const y = grille[0] + (grille[1] - grille[0]) * share;
    const [left, , , right] = panel(scene, true, [y, y + 0.01], [0.5, -0.5]);
    return left && right ? [[left, right]] : [];
  });
  return [
    shape(panel(scene, true, [base + 0.01, base + 0.14], [1, -1]), 'fill="#1a1d21"'),
    shape(
      panel(scene, true, grille, [0.54, -0.54]),
      `fill="#15181b" stroke="${lit(paint, 0.45)}" stroke-width="2.5"`,
    ),
    lines(bars, '#6c747b', 1.8, 0.8),
    shape(panel(scene, true, lamp, [-0.6, -0.94]), LAMP),
    shape(panel(scene, true, lamp, [0.98, 0.6]), LAMP),
    shape(panel(scene, true, [base + 0.17, base + 0.25], [0.16, -0.16]), 'fill="#e9ecee"'),
  ].join('');
}

/** Tail lights, gate lines, plate and exhaust side of the bumper. */
export function back(scene: Scene): string {
  const { body, paint } = scene;
  const deck = body.tail[0]?.[1] ?? 1;
  const base = scene.tail.at(-1)?.[1] ?? 0.3;
  const isUpright = deck > 1.1;
  const lamp = rearLamp(scene);
  const inner = isUpright ? 0.8 : 0.55;
  const plate: Span = isUpright ? [deck - 0.4, deck - 0.28] : [deck - 0.42, deck - 0.3];
  const gate = panel(scene, false, [base + 0.32, deck - 0.05], [0.8, -0.8]);
  return [
    line([...gate, gate[0] ?? [0, 0]], lit(paint, -0.4), 1.6, 0.7),
    shape(panel(scene, false, [base + 0.01, base + 0.18], [0.9, -0.9]), 'fill="#1d2024"'),
    shapes([panel(scene, false, lamp, [0.98, inner]), panel(scene, false, lamp, [-inner, -0.98])], TAIL_LAMP),
    shape(panel(scene, false, plate, [0.2, -0.2]), 'fill="#e9ecee" stroke="#8f979d"'),
  ].join('');
}
