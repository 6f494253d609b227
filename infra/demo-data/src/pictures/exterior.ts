import type { Body, Point } from './bodies.data.ts';
import { back, face, mirror, sideLamps, tires, wheel, wheelArch } from './fittings.ts';
import { beltAt, halfWidth, heightAt, sillAt, type Camera, type Frame, type Point3 } from './geometry.ts';
import { groundShadow, lit } from './materials.ts';
import {
  band,
  between,
  createScene,
  line,
  lines,
  onSide,
  shape,
  shapes,
  strip,
  type Scene,
} from './scene.ts';

/** Draws a body from outside: an outline extruded across its width, with glass, wheels and lights. */
export function drawExterior(
  body: Body,
  paint: string,
  camera: Camera,
  frame: Frame,
  extent?: Frame,
): string {
  const scene = createScene(body, paint, camera, frame, extent);
  return [
    groundShadow(scene),
    tires(scene, -1),
    underside(scene),
    tires(scene, 1),
    scene.seesSide ? '' : mirror(scene) + mirror(scene, -1),
    // Before the camera the cab hides what lies behind it.
    ...(scene.seesNose && body.bed
      ? [skin(scene, behindCabin(scene)), bed(scene, body.bed), skin(scene, beforeBed(scene))]
      : [skin(scene, outlineOf(scene)), body.bed ? bed(scene, body.bed) : '']),
    panes(scene),
    body.cockpit ? cockpit(scene, body.cockpit) : '',
    scene.seesSide ? flank(scene) + windows(scene) + creases(scene) : '',
    scene.seesNose ? face(scene) : '',
    scene.seesTail ? back(scene) : '',
    scene.seesSide ? side(scene) : '',
  ].join('');
}

/** Parts mounted on the near side. */
const side = (scene: Scene): string =>
  scene.body.axles.map((x) => wheelArch(scene, x) + wheel(scene, x)).join('') +
  sideLamps(scene) +
  mirror(scene);

const beforeBed = ({ nose, cabin }: Scene): Point[] => [...nose, ...cabin.slice(1)];
const behindCabin = ({ tail }: Scene): readonly Point[] => tail;
const outlineOf = (scene: Scene): Point[] => [...beforeBed(scene), ...scene.tail.slice(1)];

function underside({ body, project }: Scene): string {
  const half = body.width * 0.44;
  const floor: Point3[] = [
    [0.3, 0.3, half],
    [body.length - 0.3, 0.3, half],
    [body.length - 0.3, 0.3, -half],
    [0.3, 0.3, -half],
  ];
  return shape(floor.map(project), 'fill="#15181c" stroke="#15181c" stroke-width="16"');
}

/** Fascia, hood, windshield, roof and rear: the surfaces between the two sides, farthest first. */
function skin(scene: Scene, outline: readonly Point[]): string {
  const parts: { points: Point[]; light: number; depth: number }[] = [];
  for (const [index, to] of outline.entries()) {
    const from = outline[index - 1];
    if (!from || !isFacing(strip(scene, from, to))) continue;
    const light = Math.round(lightOn(from, to) * 16) / 16;
    const last = parts.at(-1);
    if (last?.light === light && last.points.at(-1) === from) last.points.push(to);
    else parts.push({ points: [from, to], light, depth: scene.depth([from[0], from[1], 0]) });
  }
  parts.sort((a, b) => b.depth - a.depth);
  const surfaces = parts.map(({ points, light }) => {
    const fill = lit(scene.paint, light);
    return shape(band(scene, points), `fill="${fill}" stroke="${fill}"`);
  });
  return surfaces.join('');
}

/** Seen from its outer face: the corners run clockwise on the screen. */
function isFacing(corners: readonly Point[]): boolean {
  let area = 0;
  for (const [index, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [0, 0];
    area += x * nextY - nextX * y;
  }
  return area < 0;
}

/** Windshield or rear window, with a sheen. */
function panes(scene: Scene): string {
  if (scene.body.cockpit || !(scene.seesNose || scene.seesTail)) return '';
  const pane = scene.seesNose
    ? scene.cabin.slice(0, scene.windshieldEnd + 1)
    : scene.cabin.slice(scene.rearWindowStart);
  const inset = pane.slice(scene.seesNose ? 0 : 1, scene.seesNose ? undefined : -1);
  if (inset.length < 2) return '';
  const at = (share: number, points: readonly Point[]): Point[] =>
    points.map(([x, y]) => scene.project([x, y, halfWidth(scene.body, x, y) * share]));
  return (
    shape(band(scene, inset, 0.88), 'fill="url(#g)" stroke="#222b33" stroke-width="2"') +
    shape([...at(0.45, inset), ...at(0, [...inset].reverse())], 'fill="#fff" fill-opacity=".12"')
  );
}

/** Light from the sky: full on horizontal surfaces, less on vertical ones, little near the ground. */
function lightOn(from: Point, to: Point): number {
  const slope = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const height = (from[1] + to[1]) / 2;
  return Math.cos(slope) * 0.36 - 0.06 - Math.max(0, 0.62 - height) * 0.7;
}

function bed(scene: Scene, [from, to]: readonly [number, number]): string {
  const y = beltAt(scene.body, from);
  return (
    shape(strip(scene, [from, y], [to, y], 0.88), 'fill="#1b1e22"') +
    shape(strip(scene, [from + 0.5, y - 0.12], [to, y - 0.02], 0.8), 'fill="#2b2f34"')
  );
}

function cockpit(scene: Scene, [from, to]: readonly [number, number]): string {
  const { body, paint, project } = scene;
  const y = beltAt(body, from);
  const seats = [-0.4, 0.4].flatMap(
    (z) =>
      [
        [from + 1.75, z * 0.9],
        [from + 1.0, z],
      ] as const,
  );
  const frame: Point3[] = [
    [from - 0.12, y, 0.78],
    [from + 0.46, y + 0.33, 0.6],
    [from + 0.46, y + 0.33, -0.6],
    [from - 0.12, y, -0.78],
  ];
  return [
    shape(strip(scene, [from, y], [to, y + 0.01], 0.84), 'fill="#1d1f23"'),
    shapes(
      seats.flatMap(([x, z]) => seatAt(x, y, z).map((part) => part.map(project))),
      'fill="#7a5a44" stroke="#7a5a44" stroke-width="6"',
    ),
    shape(
      frame.map(project),
      `fill="#6f8593" fill-opacity=".5" stroke="${lit(paint, -0.35)}" stroke-width="4"`,
    ),
  ].join('');
}

/** A seat's backrest and headrest at the position of its base. */
const seatAt = (x: number, y: number, z: number): Point3[][] => [
  [
    [x - 0.1, y - 0.1, z - 0.25],
    [x + 0.1, y + 0.13, z - 0.2],
    [x + 0.1, y + 0.13, z + 0.2],
    [x - 0.1, y - 0.1, z + 0.25],
  ],
  [
    [x + 0.12, y + 0.17, z - 0.1],
    [x + 0.14, y + 0.23, z - 0.09],
    [x + 0.14, y + 0.23, z + 0.09],
    [x + 0.12, y + 0.17, z + 0.1],
  ],
];

/** The near side: below the shoulder, and the pillars and roof edge above it. */
function flank(scene: Scene): string {
  const { body, nose, cabin, tail, paint } = scene;
  const sill = between(body.length - 0.1, 0.1, 6).map((x): Point => [x, sillAt(body, x)]);
  const [foot = [0, 0], end = [0, 0]] = [cabin[0], cabin.at(-1)];
  const shoulder = [foot[0], end[0]].map((x): Point => [x, beltAt(body, x)]);
  const lower = [...nose, ...shoulder.slice(1), ...tail.slice(1), ...sill].map((point) =>
    onSide(scene, point),
  );
  const upper = [...cabin, ...shoulder.reverse()].map((point) => onSide(scene, point));
  const pillars = body.cockpit ? '' : shape(upper, `fill="${lit(paint, 0.04)}"`);
  return pillars + shape(lower, 'fill="url(#s)"') + cladding(scene);
}

function cladding(scene: Scene): string {
  const { body } = scene;
  const xs = between(0.1, body.length - 0.1, 5);
  const height = body.cladding ? 0.15 : 0.06;
  const lower = xs.map((x): Point => [x, sillAt(body, x)]);
  const upper = [...xs].reverse().map((x): Point => [x, sillAt(body, x) + height]);
  return shape(
    [...lower, ...upper].map((point) => onSide(scene, point)),
    'fill="#22262b" fill-opacity=".9"',
  );
}

function windows(scene: Scene): string {
  const { body, cabin, seesNose } = scene;
  const on = (points: readonly Point[]): Point[] => points.map((point) => onSide(scene, point));
  const sillLine = (x: number): number => beltAt(body, x) + 0.03;
  const top = (x: number): number =>
    Math.max(sillLine(x), heightAt(cabin, x) - (body.rim === 'rugged' ? 0.12 : 0.085));
  const panes = body.windows.map(([from, to]) => {
    const xs = between(from, to, 4);
    return on([
      ...xs.map((x): Point => [x, top(x)]),
      ...[...xs].reverse().map((x): Point => [x, sillLine(x)]),
    ]);
  });
  const sheens = body.windows
    .filter(([from, to]) => to - from > 0.6)
    .map(([from, to]) => {
      const sheenAt = seesNose ? [0.55, 0.8] : [0.2, 0.45];
      const [a = 0, b = 0] = sheenAt.map((share) => from + (to - from) * share);
      return on([
        [a + 0.16, top(a + 0.16)],
        [b + 0.16, top(b + 0.16)],
        [b, sillLine(b)],
        [a, sillLine(a)],
      ]);
    });
  return (
    shapes(panes, 'fill="url(#g)" stroke="#1c2228" stroke-width="2.5"') +
    shapes(sheens, 'fill="#fff" fill-opacity=".12"')
  );
}

/** Door cuts, handles, the shoulder's highlight and what slides or carries. */
function creases(scene: Scene): string {
  const { body, paint } = scene;
  const dark = lit(paint, -0.5);
  const on = (points: readonly Point[]): Point[] => points.map((point) => onSide(scene, point));
  const doors = body.doorLines.map((x, index) => {
    const isLast = index === body.doorLines.length - 1;
    const bottom = sillAt(body, x) + (body.cladding ? 0.16 : 0.08);
    const overWheel = isLast && Math.abs(x - body.axles[1]) < body.wheelRadius * 1.7;
    const foot = overWheel ? body.wheelRadius * 1.9 : bottom;
    return on([
      [x, beltAt(body, x)],
      [x + (overWheel ? -0.12 : 0.03), foot],
    ]);
  });
  const handlesAt = (up: number): Point[][] =>
    body.doorLines.slice(1).map((x) => {
      const y = beltAt(body, x) - 0.12 + up;
      return on([
        [x - 0.26, y],
        [x - 0.08, y + 0.005],
      ]);
    });
  const shoulder = on(between(0.35, body.length - 0.3, 5).map((x): Point => [x, beltOrHood(scene, x) - 0.2]));
  const crease = on(
    between(body.axles[0] + 0.5, body.axles[1] - 0.5, 4).map((x): Point => [x, body.wheelRadius * 1.25]),
  );
  const rails = body.roofRails
    ? line(
        on(between(2.2, body.length - 0.9, 5).map((x): Point => [x, heightAt(scene.cabin, x) + 0.03])),
        '#2a2e33',
        5,
      )
    : '';
  const slide = body.slidingDoor
    ? line(on(between(...body.slidingDoor, 2).map((x): Point => [x, beltAt(body, x) - 0.06])), dark, 2.2, 0.7)
    : '';
  return [
    line(shoulder, lit(paint, 0.55), 2.2, 0.5),
    line(crease, lit(paint, -0.4), 2, 0.45),
    lines(doors, dark, 1.6, 0.75),
    lines(handlesAt(0), lit(paint, -0.38), 4.5),
    lines(handlesAt(0.015), lit(paint, 0.4), 1.4),
    rails,
    slide,
  ].join('');
}

function beltOrHood(scene: Scene, x: number): number {
  const foot = scene.cabin[0]?.[0] ?? 0;
  const end = scene.cabin.at(-1)?.[0] ?? 0;
  if (x < foot) return heightAt(scene.nose.slice(4), x);
  return x > end ? heightAt(scene.tail.slice(0, 5), x) : beltAt(scene.body, x);
}
