import type { Interior } from './interiors.data.ts';
import type { Look } from './look.ts';
import { lit, mix } from './materials.ts';

/** What is seen through the windshield, by place. */
const VIEWS_AHEAD = [
  { sky: '#d9e6ee', hills: '#a9bcae', road: '#9aa3a9' },
  { sky: '#f3ddc6', hills: '#b7a487', road: '#a39a92' },
  { sky: '#b9c4e0', hills: '#7d86a8', road: '#83889a' },
  { sky: '#e9edf0', hills: '#c3cbd2', road: '#adb4ba' },
  { sky: '#cfe3f1', hills: '#7f9f76', road: '#8f9699' },
  { sky: '#dcdfe0', hills: '#b4b9bb', road: '#9ea3a6' },
] as const;

/** Upholstery: dark, gray, light and brown. */
const CABINS = [
  { seats: '#3d4248', cushions: '#474d54', plastic: '#2a2e33', lining: '#565c62' },
  { seats: '#767d84', cushions: '#878e95', plastic: '#3b4046', lining: '#8d949a' },
  { seats: '#bfae97', cushions: '#d0c1ac', plastic: '#4a443d', lining: '#cfc6b8' },
  { seats: '#6d4a36', cushions: '#7f5942', plastic: '#33291f', lining: '#9d8f80' },
] as const;

type View = (typeof VIEWS_AHEAD)[number];

/** What the parts of an interior are drawn with. */
interface Cabin {
  readonly interior: Interior;
  readonly paint: string;
  /** Of panels in the color of the vehicle. */
  readonly trim: string;
  readonly seats: string;
  readonly cushions: string;
  readonly plastic: string;
  readonly lining: string;
  /** No roof above. */
  readonly isOpen: boolean;
}

const DARK = '#17191c';
const SCREEN = '#101316';
const METAL = '#8c939a';
const GLOW = '#7fb4d6';

const fill = (d: string, color: string): string => `<path d="${d}" fill="${color}"/>`;
const stroke = (d: string, color: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}"/>`;
const block = (x: number, y: number, width: number, height: number, round: number): string =>
  `M${x + round} ${y}h${width - 2 * round}q${round} 0 ${round} ${round}v${height - 2 * round}q0 ${round}-${round} ${round}h-${width - 2 * round}q-${round} 0-${round}-${round}v-${height - 2 * round}q0-${round} ${round}-${round}z`;
const ring = (x: number, y: number, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1-${2 * radius} 0z`;

/** The sky, hills and the road, which end behind the dashboard. */
function ahead(dash: number, { sky, hills, road }: View): string {
  return (
    `<rect width="800" height="600" fill="${sky}"/>` +
    fill(`M0 ${dash - 66}Q200 ${dash - 120} 400 ${dash - 96}T800 ${dash - 88}V${dash + 30}H0Z`, hills) +
    fill(`M250 ${dash + 10}L390 ${dash - 92}H410L600 ${dash + 10}Z`, road)
  );
}

/** On both sides: an outline of the left one, as x from the middle of the picture. */
const bothSides = (outline: (x: (fromMiddle: number) => number) => string): string =>
  outline((x) => 400 - x) + outline((x) => 400 + x);

/** Headliner or windshield frame, pillars, mirror and grips. */
function roof({ interior, paint, lining, isOpen }: Cabin): string {
  const { roof: edge, dash, pillar, hasGlassRoof, hasGrips } = interior;
  const [side, foot] = [edge * 0.55, 342 - pillar];
  const [above, below] = isOpen ? [foot + 84, foot + 32] : [400, 400];
  const arc = `Q400 ${isOpen ? side - 26 : 2 * edge - side}`;
  const liner = isOpen
    ? stroke(`M${pillar - 20} ${side}${arc} ${820 - pillar} ${side}`, lit(paint, -0.1), 20)
    : fill(`M0 0H800V${side}${arc} 0 ${side}Z`, hasGlassRoof ? '#5c707d' : lining) +
      (hasGlassRoof ? stroke(`M0 ${side}${arc} 800 ${side}M400 0V${edge}`, '#2b3036', 12) : '');
  const pillars = bothSides(
    (x) =>
      `M${x(above)} ${isOpen ? side : 0}H${x(foot + 58)}L${x(foot)} ${dash + 4}V${dash + 60}H${x(400)}V${isOpen ? dash - 18 : dash}H${x(below)}Z`,
  );
  const grips = bothSides((x) => `M${x(foot + 70)} ${edge + 60}L${x(foot + 36)} ${dash - 60}`);
  const mirror = isOpen ? side - 10 : edge - 14;
  return (
    liner +
    fill(pillars, '#3a3f45') +
    (hasGrips ? stroke(grips, '#1d2024', 13) : '') +
    fill(block(344, mirror, 112, 34, 12), '#24282c') +
    fill(block(350, mirror + 5, 100, 24, 8), '#8fa3b0')
  );
}

function board({ interior, trim, plastic, lining }: Cabin): string {
  const { dash, board: kind } = interior;
  switch (kind) {
    case 'wrapped':
      return (
        fill(`M0 ${dash + 8}Q130 ${dash - 34} 400 ${dash - 34}T800 ${dash + 8}V600H0Z`, plastic) +
        fill(
          `M0 ${dash + 46}Q170 ${dash + 8} 400 ${dash + 8}T800 ${dash + 46}V${dash + 74}Q620 ${dash + 36} 400 ${dash + 36}T0 ${dash + 74}Z`,
          trim,
        )
      );
    case 'upright':
      return (
        fill(`M0 ${dash + 2}L70 ${dash - 30}H730L800 ${dash + 2}V600H0Z`, plastic) +
        fill(
          `M0 ${dash + 24}L56 ${dash + 4}H744L800 ${dash + 24}V${dash + 46}L744 ${dash + 28}H56L0 ${dash + 46}Z`,
          trim,
        ) +
        stroke(`M520 ${dash + 58}H716V${dash + 116}H520ZM590 ${dash + 74}H646`, lit(plastic, 0.16), 3)
      );
    case 'twin':
      return (
        fill(`M0 ${dash + 14}Q420 ${dash - 44} 560 ${dash - 36}T800 ${dash + 10}V600H0Z`, plastic) +
        fill(
          `M104 ${dash + 40}C112 ${dash - 52} 168 ${dash - 66} 246 ${dash - 66}S380 ${dash - 52} 388 ${dash + 40}Z`,
          lit(plastic, 0.08),
        ) +
        fill(
          `M480 ${dash + 22}Q600 ${dash + 2} 800 ${dash + 34}V${dash + 50}Q620 ${dash + 24} 480 ${dash + 48}Z`,
          trim,
        )
      );
    case 'shelf':
      return (
        fill(`M0 ${dash + 30}H800V600H0Z`, lit(plastic, -0.3)) +
        fill(
          `M0 ${dash - 2}Q400 ${dash - 34} 800 ${dash - 2}V${dash + 30}Q400 ${dash + 6} 0 ${dash + 30}Z`,
          plastic,
        ) +
        fill(
          `M0 ${dash + 30}Q400 ${dash + 6} 800 ${dash + 30}V${dash + 62}Q400 ${dash + 40} 0 ${dash + 62}Z`,
          mix(lining, '#b08d62', 0.55),
        )
      );
  }
}

function gauges({ interior }: Cabin): string {
  const { dash, gauges: kind } = interior;
  switch (kind) {
    case 'dials':
      return (
        fill(block(158, dash - 40, 176, 58, 26), '#1a1d20') +
        stroke(ring(205, dash - 10, 20) + ring(287, dash - 10, 20), GLOW, 3)
      );
    case 'digital':
      return (
        fill(block(160, dash - 50, 172, 58, 9), SCREEN) +
        stroke(`M176 ${dash - 10}h44M176 ${dash - 24}h28M268 ${dash - 10}h48M290 ${dash - 24}h26`, GLOW, 4) +
        stroke(`M232 ${dash}l10-38h8l10 38`, '#5d6a73', 3)
      );
    case 'tachometer':
      return (
        fill(block(140, dash - 44, 212, 62, 30), '#0f1113') +
        stroke(ring(246, dash - 16, 34) + ring(178, dash - 8, 17) + ring(314, dash - 8, 17), '#d7dce0', 3) +
        stroke(`M246 ${dash - 16}L270 ${dash - 38}`, '#d8433b', 5)
      );
    case 'none':
      return '';
  }
}

function screen({ interior, plastic }: Cabin): string {
  const { dash, screen: kind } = interior;
  const framed = (d: string) => `<path d="${d}" fill="${SCREEN}" stroke="#3f454b" stroke-width="3"/>`;
  const route = (x: number, y: number) =>
    stroke(`M${x} ${y}l30-34l28 16l48-30`, '#4d8fd1', 4) + fill(ring(x + 58, y - 18, 6), '#fff');
  switch (kind) {
    case 'tablet':
      return framed(block(352, dash - 62, 126, 78, 9)) + route(362, dash - 2);
    case 'inset':
      return (
        fill(`M352 ${dash + 2}H478L466 ${dash + 76}H364Z`, lit(plastic, 0.1)) +
        framed(block(366, dash + 10, 98, 54, 5)) +
        stroke(`M378 ${dash + 50}h30M378 ${dash + 38}h50M378 ${dash + 26}h22`, GLOW, 3)
      );
    case 'portrait':
      return (
        framed(block(360, dash - 36, 112, 146, 8)) +
        route(364, dash + 26) +
        stroke(`M372 ${dash + 54}h88M372 ${dash + 72}h88M372 ${dash + 90}h44`, '#5d6a73', 5)
      );
    case 'slab':
      return (
        framed(block(318, dash - 84, 208, 130, 10)) +
        fill(`M330 ${dash - 72}h72v106h-72z`, '#1d2328') +
        fill(`M356 ${dash - 10}q10-34 10-40t10 40z`, '#d7dce0') +
        route(410, dash + 4)
      );
  }
}

function vents({ interior, lining }: Cabin): string {
  const { dash, vents: kind, board: dashboard } = interior;
  const DARKER = '#15181b';
  switch (kind) {
    case 'corners':
      return fill(`M60 ${dash + 20}l92-8l2 20l-92 8zM648 ${dash + 12}l92 8l-2 20l-92-8z`, DARKER);
    case 'upright': {
      const y = dashboard === 'upright' ? dash - 18 : dash + 6;
      const outer = block(30, y + 8, 34, 62, 7) + block(736, y + 8, 34, 62, 7);
      const inner = dashboard === 'upright' ? block(488, y, 28, 66, 6) : '';
      return `<path d="${outer}${inner}" fill="${DARKER}" stroke="${METAL}" stroke-width="2.5"/>`;
    }
    case 'round':
      return `<path d="${[70, 504, 566, 730].map((x) => ring(x, dash + (x < 100 || x > 700 ? 24 : -6), 22)).join('')}" fill="${DARKER}" stroke="${METAL}" stroke-width="4"/>`;
    case 'slit':
      return stroke(`M20 ${dash + 26}Q400 ${dash + 4} 780 ${dash + 26}`, lit(lining, -0.7), 7);
  }
}

function middle({ interior, plastic, seats, cushions, trim }: Cabin): string {
  const { dash, middle: kind } = interior;
  switch (kind) {
    case 'lever':
      return (
        fill(`M352 ${dash + 62}H470L494 600H330Z`, '#222529') +
        fill(block(386, dash + 92, 52, 66, 14), '#33383d') +
        fill(block(402, dash + 78, 20, 52, 9), METAL)
      );
    case 'bridge':
      return (
        fill(`M330 ${dash + 40}H494L536 600H288Z`, '#222529') +
        stroke(`M342 ${dash + 60}L318 600M482 ${dash + 60}L506 600`, trim, 14) +
        fill(ring(412, dash + 84, 24), '#3d4349') +
        stroke(ring(412, dash + 84, 24), METAL, 4) +
        stroke(ring(388, dash + 150, 20) + ring(438, dash + 150, 20), '#0f1113', 9)
      );
    case 'tunnel':
      return (
        fill(`M336 ${dash + 74}H492L560 600H268Z`, lit(plastic, 0.1)) +
        stroke(`M344 ${dash + 78}L284 600M484 ${dash + 78}L544 600`, trim, 10) +
        fill(`M382 ${dash + 176}L404 ${dash + 112}H424L446 ${dash + 176}Z`, '#15181b') +
        fill(ring(414, dash + 104, 18), '#d7dce0') +
        stroke(`M406 ${dash + 98}v12M414 ${dash + 96}v16M422 ${dash + 98}v12M406 ${dash + 104}h16`, DARK, 2)
      );
    case 'armrest':
      return (
        fill(`M316 ${dash + 128}H512L540 600H288Z`, '#202327') +
        fill(block(326, dash + 150, 176, 130, 18), cushions) +
        stroke(`M340 ${dash + 176}H488`, seats, 4) +
        // The lever is at the steering column.
        stroke(`M300 ${dash + 44}L352 ${dash + 22}`, METAL, 8)
      );
    case 'aisle':
      return (
        fill(`M322 ${dash + 104}H500L600 600H220Z`, '#4c5157') +
        fill(block(386, dash + 34, 58, 62, 10), '#33383d') +
        fill(block(405, dash + 40, 18, 40, 8), METAL)
      );
    case 'tray':
      return (
        fill(`M346 ${dash + 148}H482L520 600H308Z`, lit(plastic, 0.12)) +
        fill(block(366, dash + 162, 96, 44, 8), '#15181b') +
        stroke(ring(390, dash + 236, 17) + ring(438, dash + 236, 17), '#0f1113', 8)
      );
  }
}

function wheel({ interior, trim }: Cabin): string {
  const { dash, wheel: kind } = interior;
  const y = dash + 34;
  const hub = fill(block(196, y - 26, 100, 66, 26), '#262a2e') + fill(ring(246, y + 6, 15), trim);
  const rim = (d: string, width: number) => stroke(d, DARK, width) + stroke(d, '#3d4248', 4);
  switch (kind) {
    case 'round':
      return (
        rim(`M142 ${y}a104 96 0 1 1 208 0a104 96 0 1 1-208 0z`, 20) +
        stroke(`M146 ${y + 6}H200M292 ${y + 6}H346M246 ${y + 42}V${y + 92}`, '#1c1f23', 20) +
        hub
      );
    case 'flat':
      return (
        rim(`M168 ${y + 74}C112 ${y - 20} 150 ${y - 100} 246 ${y - 100}S380 ${y - 20} 324 ${y + 74}Z`, 22) +
        stroke(
          `M152 ${y + 2}L204 ${y + 8}M340 ${y + 2}L288 ${y + 8}M226 ${y + 36}L214 ${y + 70}M266 ${y + 36}L278 ${y + 70}`,
          METAL,
          12,
        ) +
        stroke(`M246 ${y - 110}v20`, '#d8433b', 12) +
        fill(ring(246, y + 4, 38), '#262a2e') +
        fill(ring(246, y + 4, 15), trim)
      );
    case 'squared':
      return (
        rim(block(148, y - 82, 196, 168, 74), 15) +
        stroke(`M154 ${y + 4}H206M286 ${y + 4}H338`, '#1c1f23', 26) +
        fill(block(200, y - 22, 92, 54, 20), '#262a2e')
      );
  }
}

/** A seat from behind or beside it; its shoulders are at the origin. */
function seat({ interior, seats, cushions, trim }: Cabin): string {
  const posts = fill('M-24-20h10v32h-10zm38 0h10v32h-10z', METAL);
  const seam = '#33383d';
  switch (interior.seats) {
    case 'plain':
      return (
        fill(block(-38, -72, 76, 58, 18), seats) +
        posts +
        fill('M-92 570C-104 120-92 40-74 12Q-66 0 0 0T74 12C92 40 104 120 92 570Z', seats) +
        fill('M-52 570C-60 130-52 54-44 28H44C52 54 60 130 52 570Z', cushions) +
        stroke('M-50 100H50M-52 160H52', seam, 3)
      );
    case 'bucket':
      return (
        fill(
          'M-108 570C-116 150-118 80-90 26C-66-8-58-48-48-84Q-40-106 0-106T48-84C58-48 66-8 90 26C118 80 116 150 108 570Z',
          seats,
        ) +
        fill('M-54 570C-62 170-56 70-40 8Q0-8 40 8C56 70 62 170 54 570Z', cushions) +
        fill('M-30-62h22v22h-28zM30-62h-22v22h28z', DARK) +
        fill('M-10 6H10V570H-10Z', trim) +
        stroke('M-84 60Q-70 130-76 300M84 60Q70 130 76 300', seam, 3)
      );
    case 'broad':
      return (
        fill(block(-54, -66, 108, 54, 12), seats) +
        posts +
        fill('M-122 570V46Q-122 0-84 0H84Q122 0 122 46V570Z', seats) +
        fill('M-84 570V48Q-84 24-64 24H64Q84 24 84 48V570Z', cushions) +
        stroke('M-28 26V570M28 26V570M-84 96H84', seam, 3)
      );
    case 'captain':
      return (
        fill(block(-36, -76, 72, 58, 22), seats) +
        posts +
        fill('M-86 570C-96 130-90 50-72 14Q-62 0 0 0T72 14C90 50 96 130 86 570Z', seats) +
        fill('M-54 570C-62 130-56 60-46 26H46C56 60 62 130 54 570Z', cushions) +
        // The folding rest is at the aisle.
        fill('M80 118h42q16 0 16 16v14q0 16-16 16h-42z', lit(seats, -0.2)) +
        stroke('M-50 110H50', seam, 3)
      );
  }
}

/** A pair of seats: x from the middle, y of the shoulders, scale. */
const pair = (x: number, y: number, scale: number): string =>
  `<use href="#i" transform="matrix(${scale} 0 0 ${scale} ${400 - x} ${y})"/>` +
  `<use href="#i" transform="matrix(-${scale} 0 0 ${scale} ${400 + x} ${y})"/>`;

/** Share by which everything ahead of a second row is smaller than ahead of the viewer, and where it begins. */
const FAR = 0.68;
const [FAR_X, FAR_Y] = [400 * (1 - FAR), 58];

/** Ceiling, floor and side windows around the second row, and its seats. */
function secondRow({ interior, seats, cushions, lining, plastic }: Cabin, { sky, hills }: View): string {
  const [left, right, foot] = [FAR_X, 800 - FAR_X, FAR_Y + 600 * FAR];
  const isBench = interior.seats !== 'captain';
  const window = (y: number) =>
    `M0 ${y}L${left - 22} ${118 + (y - 96) * 0.8}V268L0 292ZM800 ${y}L${right + 22} ${118 + (y - 96) * 0.8}V268L800 292Z`;
  const bench =
    fill([150, 400, 650].map((x) => block(x - 44, 366, 88, 62, 20)).join(''), seats) +
    fill('M36 600V470Q36 424 86 424H714Q764 424 764 470V600Z', seats) +
    fill(
      'M70 600V482Q70 448 96 448H252V600ZM290 600V448H510V600ZM548 600V448H704Q730 448 730 482V600Z',
      cushions,
    );
  return (
    fill(`M0 0H800L${right} ${FAR_Y}H${left}Z`, lining) +
    fill(
      `M0 0L${left} ${FAR_Y}V${foot}L0 600ZM800 0L${right} ${FAR_Y}V${foot}L800 600Z`,
      mix(plastic, lining, 0.3),
    ) +
    fill(window(96), sky) +
    fill(window(208), hills) +
    fill(`M${left} ${foot}H${right}L800 600H0Z`, '#4c5157') +
    (isBench ? bench : fill(block(338, 46, 124, 70, 8), SCREEN) + pair(252, 404, 1.14))
  );
}

/** A view ahead between the seats of the last row: dashboard, wheel, screen and the seats before it. */
export function drawInterior(
  {
    interior,
    isOpen,
    paint,
  }: { readonly interior: Interior; readonly isOpen: boolean; readonly paint: string },
  look: Look,
): string {
  const view = VIEWS_AHEAD[look.place]!;
  const cabin: Cabin = { interior, isOpen, paint, trim: mix(paint, '#8a8f95', 0.35), ...CABINS[look.cabin]! };
  const { dash, rows } = interior;
  const front =
    ahead(dash, view) +
    roof(cabin) +
    board(cabin) +
    gauges(cabin) +
    screen(cabin) +
    vents(cabin) +
    middle(cabin) +
    wheel(cabin) +
    (rows === 1 ? pair(238, dash + 74, 1.16) : pair(212, dash + 30, 1));
  const defined = `<defs><g id="i">${seat(cabin)}</g></defs>`;
  if (rows < 3) return defined + front;
  return `${defined}<g transform="matrix(${FAR} 0 0 ${FAR} ${FAR_X} ${FAR_Y})">${front}</g>${secondRow(cabin, view)}`;
}
