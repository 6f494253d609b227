import type { Body, Point } from './bodies.data.ts';
import { heightAt } from './geometry.ts';
import type { Profile, Proportions } from './models.data.ts';

type Along = (x: number) => number;
type Bend = (body: Body) => Body;

/** A piecewise linear map of places along the vehicle. */
const through =
  (anchors: readonly (readonly [from: number, to: number])[]): Along =>
  (x) => {
    const at = anchors.findIndex(([from], index) => index > 0 && x <= from);
    const end = at < 0 ? anchors.length - 1 : at;
    const [[fromLeft, toLeft], [fromRight, toRight]] = [anchors[end - 1]!, anchors[end]!];
    return toLeft + ((toRight - toLeft) * (x - fromLeft)) / (fromRight - fromLeft);
  };

const roofOf = ({ cabin }: Body): number => Math.max(...cabin.map(([, y]) => y));

/** Moves everything along the vehicle. */
function alongBy(body: Body, to: Along): Body {
  const point = ([x, y]: Point): Point => [to(x), y];
  const span = ([from, end]: Point): Point => [to(from), to(end)];
  return {
    ...body,
    length: to(body.length),
    axles: [to(body.axles[0]), to(body.axles[1])],
    nose: body.nose.map(point),
    cabin: body.cabin.map(point),
    tail: body.tail.map(point),
    windows: body.windows.map(span),
    doorLines: body.doorLines.map(to),
    ...(body.bed && { bed: span(body.bed) }),
    ...(body.cockpit && { cockpit: span(body.cockpit) }),
    ...(body.slidingDoor && { slidingDoor: span(body.slidingDoor) }),
  };
}

/** Moves the cabin, and the doors and windows in it; the ends of the vehicle follow. */
function cabinBy(body: Body, to: Along): Body {
  const point = ([x, y]: Point): Point => [to(x), y];
  const cabin = body.cabin.map(point);
  return {
    ...body,
    cabin,
    nose: [...body.nose.slice(0, -1), cabin[0]!],
    tail: [cabin.at(-1)!, ...body.tail.slice(1)],
    windows: body.windows.map(([from, end]): Point => [to(from), to(end)]),
    doorLines: body.doorLines.map(to),
  };
}

/** Wheels follow a taller or longer vehicle half of the way. */
function scaled(body: Body, [length, height, wheelbase]: Proportions): Body {
  const up = height / roofOf(body);
  const overhangs = length - wheelbase;
  const front = body.axles[0] / (body.length - body.axles[1] + body.axles[0]);
  const long = alongBy(
    body,
    through([
      [0, 0],
      [body.axles[0], overhangs * front],
      [body.axles[1], overhangs * front + wheelbase],
      [body.length, length],
    ]),
  );
  const raised = ([x, y]: Point): Point => [x, y * up];
  return {
    ...long,
    wheelRadius: body.wheelRadius * (1 + (up - 1) * 0.5),
    nose: long.nose.map(raised),
    cabin: long.cabin.map(raised),
    tail: long.tail.map(raised),
  };
}

/** Places of the windshield's foot and top, of the roof's end, and of the cabin's end. */
function pillars({ cabin, glass }: Body) {
  const at = (index: number) => cabin[Math.min(index, cabin.length - 1)]![0];
  return { foot: at(0), top: at(glass[0]), roofEnd: at(glass[1]), end: cabin.at(-1)![0] };
}

/** Meters of roof between the panes. */
const MIN_ROOF = 0.55;

/** Moves the windshield's foot and the cabin's end, and brings both panes to a share of their slope. */
function withPanes(
  body: Body,
  {
    footBy = 0,
    endBy = 0,
    front = 1,
    rear = 1,
  }: Partial<Record<'footBy' | 'endBy' | 'front' | 'rear', number>>,
): Body {
  const { foot, top, roofEnd, end } = pillars(body);
  const newFoot = foot + footBy;
  const newEnd = end + endBy;
  const newTop = newFoot + (top - foot) * front;
  const newRoofEnd = Math.max(newTop + MIN_ROOF, newEnd - (end - roofEnd) * rear);
  return cabinBy(
    body,
    through([
      [foot, newFoot],
      [top, newTop],
      [roofEnd, newRoofEnd],
      [end, newEnd],
    ]),
  );
}

/** Changes the height of the roof from the windshield to the rear. */
function withRoof(body: Body, change: (share: number, y: number, roof: number) => number): Body {
  const { top, end } = pillars(body);
  const roof = roofOf(body);
  const [foot, last] = [body.cabin[0]!, body.cabin.at(-1)!];
  const cabin = body.cabin.map((point): Point => {
    const [x, y] = point;
    if (point === foot || point === last) return point;
    const belt = heightAt([foot, last], x);
    return [x, Math.max(belt + 0.06, change(Math.max(0, (x - top) / (end - top)), y, roof))];
  });
  return { ...body, cabin };
}

/** Meters; lower roofs are those of sedans, coupes and hatchbacks. */
const LOW_ROOF = 1.52;

/** Meters behind the cabin. */
const SHORT_DECK = 0.25;

const PROFILES: Readonly<Record<Profile, Bend>> = {
  box(body) {
    const hood = body.cabin[0]![1];
    const upright = withPanes(body, { footBy: 0.22, front: 0.45, rear: 0.3 });
    const flat = withRoof(upright, (share, y, roof) => (share > 0 ? roof - 0.02 : y));
    const { nose } = flat;
    // A hood that is as high in front, above a face that stands upright.
    const raised = nose.map(([x, y], at): Point =>
      at === 3 ? [x, hood * 0.94] : at === 4 ? [x, hood * 0.98] : [x, y],
    );
    return { ...flat, nose: raised, tumblehome: body.tumblehome * 0.5 };
  },
  fastback(body) {
    const deck = body.tail[1]![0] - pillars(body).end;
    // Over a deck the slope goes on to its end; where there is none, it begins earlier.
    const sloping = withPanes(body, deck > SHORT_DECK ? { rear: 1.25, endBy: deck * 0.5 } : { rear: 2.1 });
    const drop = roofOf(body) < LOW_ROOF ? 0.05 : 0.1;
    return withRoof(sloping, (share, y, roof) => y - drop * roof * Math.max(0, share - 0.25) ** 1.5);
  },
  coupe: (body) =>
    withRoof(withPanes(body, { rear: 1.5 }), (share, y, roof) => y - 0.05 * roof * share ** 1.3),
  longHood: (body) => withPanes(body, { footBy: 0.2, front: 0.95 }),
  cabForward: (body) => withPanes(body, { footBy: -0.26, front: 1.25 }),
  wagon: (body) =>
    withRoof(withPanes(body, { rear: 0.45 }), (share, y, roof) => (share > 0 ? roof - 0.04 * share : y)),
  wedge(body) {
    const roof = roofOf(body);
    const { length } = body;
    const apex: Point = [length * 0.4, roof];
    const foot: Point = [length * 0.2, roof * 0.68];
    const end: Point = [length * 0.7, roof * 0.8];
    const straight = (from: Point, to: Point, share: number): Point => [
      from[0] + (to[0] - from[0]) * share,
      from[1] + (to[1] - from[1]) * share,
    ];
    const { bed: _bed, ...others } = body;
    return {
      ...others,
      glass: [3, 5],
      nose: [
        ...body.nose.slice(0, 2),
        [0.02, roof * 0.44],
        [0.06, roof * 0.5],
        straight([0.06, roof * 0.5], foot, 0.5),
        foot,
      ],
      cabin: [
        foot,
        straight(foot, apex, 0.4),
        straight(foot, apex, 0.8),
        apex,
        straight(apex, end, 0.4),
        straight(apex, end, 0.8),
        end,
      ],
      tail: [
        end,
        straight(end, [length - 0.06, roof * 0.66], 0.7),
        [length - 0.05, roof * 0.66],
        [length - 0.02, roof * 0.4],
        [length - 0.1, 0.44],
      ],
    };
  },
};

/** The outline of a body style in the proportions of a model. */
export function reshape(body: Body, proportions: Proportions): Body {
  const [length, , wheelbase, ...profiles] = proportions;
  // An open car has no roof, by which to measure it or which to bend.
  if (body.cockpit) return scaled(body, [length, roofOf(body), wheelbase]);
  return profiles.reduce((shape, profile) => PROFILES[profile](shape), scaled(body, proportions));
}
