import type { Body, Point } from './bodies.data.ts';
import { type Grille, type Lamps, PLAIN_FACE, type TailLamps } from './faces.data.ts';
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

/** A patch of the nose or tail: its corners by height and by share of the half width. */
function patch(scene: Scene, isNose: boolean, corners: readonly Point[]): Point[] {
  const outline = isNose ? scene.nose : scene.tail;
  const out = isNose ? -0.012 : 0.012;
  return corners.map(([share, y]) => {
    const x = xAt(outline, y);
    return scene.project([x + out, y, halfWidth(scene.body, x, y) * share]);
  });
}

type Span = readonly [low: number, high: number];
type Width = readonly [from: number, to: number];

const panel = (scene: Scene, isNose: boolean, [low, high]: Span, [from, to]: Width): Point[] =>
  patch(scene, isNose, [
    [from, low],
    [from, high],
    [to, high],
    [to, low],
  ]);

/** A disc between two heights, about a share of the width. */
function disc(scene: Scene, isNose: boolean, [low, high]: Span, share: number): Point[] {
  const [middle, up] = [(low + high) / 2, (high - low) / 2];
  const across = up / (scene.body.width / 2);
  const turns = Array.from({ length: 12 }, (_, index) => (Math.PI * index) / 6);
  return patch(
    scene,
    isNose,
    turns.map((turn): Point => [share + Math.cos(turn) * across, middle + Math.sin(turn) * up]),
  );
}

const faceOf = ({ body }: Scene) => body.face ?? PLAIN_FACE;

function frontLamp(scene: Scene): Span {
  const { body } = scene;
  const hood = body.nose[3]?.[1] ?? 0.8;
  const { lamps } = faceOf(scene);
  const top = hood - (isTall(body) ? 0.1 : 0.05);
  const heights: Readonly<Record<Lamps, number>> = {
    usual: isTall(body) ? 0.18 : 0.11,
    slim: isTall(body) ? 0.1 : 0.07,
    double: isTall(body) ? 0.22 : 0.14,
    round: isTall(body) ? 0.24 : 0.17,
    tall: isTall(body) ? 0.32 : 0.2,
  };
  return [top - heights[lamps], top];
}

function rearLamp(scene: Scene): Span {
  const deck = scene.body.tail[0]?.[1] ?? 1;
  const isUpright = deck > 1.1;
  const { tail } = faceOf(scene);
  const top = deck - (isUpright ? 0.1 : 0.12);
  const heights: Readonly<Record<TailLamps, number>> = {
    usual: isUpright ? 0.32 : 0.15,
    slim: 0.12,
    bar: 0.1,
    round: isUpright ? 0.2 : 0.15,
    tall: isUpright ? 0.46 : 0.24,
  };
  return [top - heights[tail], top];
}

function isTall(body: Body): boolean {
  return (body.nose[3]?.[1] ?? 0.8) > 0.9;
}

const LAMP = 'fill="url(#h)" stroke="#2b3137" stroke-width="2"';
const TAIL_LAMP = 'fill="#b3161f" stroke="#5e0b10" stroke-width="2"';

/** Parts of the lamps that wrap around the corners. */
export function sideLamps(scene: Scene): string {
  const { body, seesNose, seesTail } = scene;
  const { lamps, tail } = faceOf(scene);
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
  return (
    (seesTail || lamps === 'round' ? '' : shape(on(front), LAMP)) +
    (seesNose || tail === 'round' ? '' : shape(on(rear), TAIL_LAMP))
  );
}

/** The openings of a grille within its span, and the lines in it. */
function grilleParts(
  scene: Scene,
  kind: Grille,
  [low, high]: Span,
): { openings: Point[][]; bars: Point[][] } {
  const height = high - low;
  const on = (span: Span, width: Width) => panel(scene, true, span, width);
  const barsAt = (shares: readonly number[], half: number): Point[][] =>
    shares.flatMap((share) => {
      const y = low + height * share;
      const [left, , , right] = on([y, y + 0.01], [half, -half]);
      return left && right ? [[left, right]] : [];
    });
  switch (kind) {
    case 'none':
      return { openings: [], bars: barsAt([0.12], 0.5) };
    case 'bars':
      return { openings: [on([low, high], [0.54, -0.54])], bars: barsAt([0.25, 0.5, 0.75], 0.5) };
    case 'tall':
      return {
        openings: [on([low - 0.08, high + 0.03], [0.44, -0.44])],
        bars: barsAt([0, 0.22, 0.44, 0.66, 0.88], 0.42),
      };
    case 'slots':
      return {
        openings: [-3, -2, -1, 0, 1, 2, 3].map((at) =>
          on([low, high], [at * 0.14 + 0.045, at * 0.14 - 0.045]),
        ),
        bars: [],
      };
    case 'kidneys':
      return {
        openings: [
          [0.3, 0.03],
          [-0.03, -0.3],
        ].map(([from = 0, to = 0]) => on([low + height * 0.1, high + 0.02], [from, to])),
        bars: [],
      };
    case 'shield':
      return {
        openings: [
          patch(scene, true, [
            [0.46, low - 0.08],
            [0.34, low + height * 0.5],
            [0.42, high + 0.02],
            [-0.42, high + 0.02],
            [-0.34, low + height * 0.5],
            [-0.46, low - 0.08],
          ]),
        ],
        bars: [],
      };
    case 'low':
      return {
        openings: [
          on([low - 0.06, low + height * 0.45], [0.62, -0.62]),
          on([low + height * 0.72, low + height * 0.9], [0.56, -0.56]),
        ],
        bars: barsAt([0.2], 0.56),
      };
    case 'split':
      return {
        openings: [
          on([low + height * 0.62, high + 0.02], [0.56, -0.56]),
          on([low - 0.04, low + height * 0.46], [0.6, -0.6]),
        ],
        bars: barsAt([0.12, 0.3, 0.82], 0.54),
      };
  }
}

/** The near and the far headlight. */
function headlights(scene: Scene): Point[][] {
  const [low, high] = frontLamp(scene);
  const widths: readonly Width[] = [
    [-0.6, -0.94],
    [0.98, 0.6],
  ];
  const { lamps } = faceOf(scene);
  if (lamps === 'round') return [-0.74, 0.74].map((share) => disc(scene, true, [low, high], share));
  if (lamps !== 'double') return widths.map((width) => panel(scene, true, [low, high], width));
  const third = (high - low) / 3;
  return widths.flatMap((width) => [
    panel(scene, true, [high - third, high], width),
    panel(scene, true, [low, low + third], width),
  ]);
}

/** Headlights, grille, lower intake and plate. */
export function face(scene: Scene): string {
  const { body, paint } = scene;
  const hood = body.nose[3]?.[1] ?? 0.8;
  const base = scene.nose[0]?.[1] ?? 0.3;
  const span: Span = isTall(body) ? [base + 0.26, hood - 0.08] : [base + 0.2, hood - 0.1];
  const { openings, bars } = grilleParts(scene, faceOf(scene).grille, span);
  return [
    shape(panel(scene, true, [base + 0.01, base + 0.14], [1, -1]), 'fill="#1a1d21"'),
    shapes(openings, `fill="#15181b" stroke="${lit(paint, 0.45)}" stroke-width="2.5"`),
    lines(bars, '#6c747b', 1.8, 0.8),
    shapes(headlights(scene), LAMP),
    shape(panel(scene, true, [base + 0.17, base + 0.25], [0.16, -0.16]), 'fill="#e9ecee"'),
  ].join('');
}

/** Both tail lights, in one where they are a bar. */
function tailLights(scene: Scene, inner: number): Point[][] {
  const lamp = rearLamp(scene);
  switch (faceOf(scene).tail) {
    case 'bar':
      return [panel(scene, false, lamp, [0.98, -0.98])];
    case 'round':
      return [-0.78, -0.54, 0.54, 0.78].map((share) => disc(scene, false, lamp, share));
    case 'tall':
      return [panel(scene, false, lamp, [0.98, 0.84]), panel(scene, false, lamp, [-0.84, -0.98])];
    default:
      return [panel(scene, false, lamp, [0.98, inner]), panel(scene, false, lamp, [-inner, -0.98])];
  }
}

/** Tail lights, gate lines, plate and exhaust side of the bumper. */
export function back(scene: Scene): string {
  const { body, paint } = scene;
  const deck = body.tail[0]?.[1] ?? 1;
  const base = scene.tail.at(-1)?.[1] ?? 0.3;
  const isUpright = deck > 1.1;
  const plate: Span = isUpright ? [deck - 0.4, deck - 0.28] : [deck - 0.42, deck - 0.3];
  const gate = panel(scene, false, [base + 0.32, deck - 0.05], [0.8, -0.8]);
  return [
    line([...gate, gate[0] ?? [0, 0]], lit(paint, -0.4), 1.6, 0.7),
    shape(panel(scene, false, [base + 0.01, base + 0.18], [0.9, -0.9]), 'fill="#1d2024"'),
    shapes(tailLights(scene, isUpright ? 0.8 : 0.55), TAIL_LAMP),
    shape(panel(scene, false, plate, [0.2, -0.2]), 'fill="#e9ecee" stroke="#8f979d"'),
  ].join('');
}
