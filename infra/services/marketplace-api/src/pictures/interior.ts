import type { Body } from './bodies.ts';
import { lit, mix } from './paint.ts';

/** The view from the rear bench: dashboard, wheel, screen and front seats. Tall bodies sit upright. */
export function drawInterior(body: Body, paint: string): string {
  const roof = Math.max(...body.cabin.map(([, y]) => y));
  const isTall = roof > 1.6;
  const dash = isTall ? 330 : 310;
  const trim = mix(paint, '#8a8f95', 0.35);
  const sky = body.cockpit ? '#cfe3f1' : '#d9e6ee';
  const pillar = (flip: string): string =>
    `<path d="M0 0H${isTall ? 92 : 118}L${isTall ? 150 : 176} ${dash + 4}V${dash + 40}H0Z" fill="#3a3f45" ${flip}/>`;
  const seat = (x: number): string =>
    `<g transform="translate(${x} 0)"><rect x="-38" y="${dash - 42}" width="76" height="58" rx="18" fill="#33373c"/>` +
    `<path d="M-24 ${dash + 12}h10v28h-10zm38 0h10v28h-10z" fill="#8c939a"/>` +
    `<path d="M-92 600C-104 ${dash + 150}-92 ${dash + 70}-74 ${dash + 42}Q-66 ${dash + 30} 0 ${dash + 30}T74 ${dash + 42}C92 ${dash + 70} 104 ${dash + 150} 92 600Z" fill="#3d4248"/>` +
    `<path d="M-52 600C-60 ${dash + 160}-52 ${dash + 84}-44 ${dash + 58}H44C52 ${dash + 84} 60 ${dash + 160} 52 600Z" fill="#474d54"/>` +
    `<path d="M-50 ${dash + 130}H50M-52 ${dash + 190}H52" stroke="#3a3f45" stroke-width="3"/></g>`;
  return (
    `<rect width="800" height="600" fill="${sky}"/>` +
    `<path d="M0 ${dash - 66}Q200 ${dash - 120} 400 ${dash - 96}T800 ${dash - 88}V${dash + 10}H0Z" fill="#a9bcae"/>` +
    `<path d="M250 ${dash}L390 ${dash - 92}H410L600 ${dash}Z" fill="#9aa3a9"/>` +
    `<path d="M0 0H800V46Q400 ${body.cockpit ? 18 : 82} 0 46Z" fill="${body.cockpit ? lit(paint, -0.1) : '#4a5056'}"/>` +
    pillar('') +
    pillar('transform="matrix(-1 0 0 1 800 0)"') +
    '<rect x="344" y="62" width="112" height="34" rx="12" fill="#24282c"/><rect x="350" y="67" width="100" height="24" rx="8" fill="#8fa3b0"/>' +
    `<path d="M0 ${dash + 8}Q130 ${dash - 34} 400 ${dash - 34}T800 ${dash + 8}V600H0Z" fill="#2a2e33"/>` +
    `<path d="M0 ${dash + 46}Q170 ${dash + 8} 400 ${dash + 8}T800 ${dash + 46}V${dash + 74}Q620 ${dash + 36} 400 ${dash + 36}T0 ${dash + 74}Z" fill="${trim}"/>` +
    `<rect x="158" y="${dash - 40}" width="176" height="58" rx="26" fill="#1a1d20"/>` +
    `<circle cx="205" cy="${dash - 10}" r="20" fill="none" stroke="#7fb4d6" stroke-width="3"/><circle cx="287" cy="${dash - 10}" r="20" fill="none" stroke="#7fb4d6" stroke-width="3"/>` +
    `<rect x="352" y="${dash - 62}" width="126" height="78" rx="9" fill="#101316" stroke="#3f454b" stroke-width="3"/>` +
    `<path d="M362 ${dash - 2}L392 ${dash - 36}L420 ${dash - 20}L468 ${dash - 50}" fill="none" stroke="#4d8fd1" stroke-width="4"/>` +
    `<circle cx="420" cy="${dash - 20}" r="6" fill="#fff"/>` +
    [0, 1]
      .map(
        (side) =>
          `<rect x="${side ? 632 : 60}" y="${dash + 12}" width="92" height="20" rx="6" fill="#15181b" transform="rotate(${side ? 5 : -5} ${side ? 678 : 106} ${dash + 22})"/>`,
      )
      .join('') +
    `<path d="M352 ${dash + 62}H470L494 600H330Z" fill="#222529"/><rect x="386" y="${dash + 92}" width="52" height="66" rx="14" fill="#33383d"/><rect x="402" y="${dash + 78}" width="20" height="52" rx="9" fill="#8c939a"/>` +
    `<ellipse cx="246" cy="${dash + 34}" rx="104" ry="96" fill="none" stroke="#17191c" stroke-width="20"/><ellipse cx="246" cy="${dash + 34}" rx="104" ry="96" fill="none" stroke="#3d4248" stroke-width="4"/>` +
    `<path d="M146 ${dash + 40}H200M292 ${dash + 40}H346M246 ${dash + 76}V${dash + 126}" stroke="#1c1f23" stroke-width="20"/>` +
    `<rect x="196" y="${dash + 8}" width="100" height="66" rx="26" fill="#262a2e"/><circle cx="246" cy="${dash + 40}" r="15" fill="${trim}"/>` +
    seat(188) +
    seat(612)
  );
}
