/** Mixes two colours of the form '#rrggbb'; 0 is the first, 1 the second. */
export function mix(from: string, to: string, share: number): string {
  const channel = (at: number): string => {
    const a = parseInt(from.slice(at, at + 2), 16);
    const b = parseInt(to.slice(at, at + 2), 16);
    return Math.round(a + (b - a) * Math.max(0, Math.min(1, share)))
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** Lit (above 0, towards the sky's white) or in shade (below 0). */
export function lit(paint: string, light: number): string {
  return light >= 0 ? mix(paint, '#ffffff', light) : mix(paint, '#0b0d12', -light);
}

/** Perceived lightness, 0 to 1. */
export function lightness(paint: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(paint.slice(at, at + 2), 16) / 255);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
