import { describe, expect, it } from '@jest/globals';
import {
  pinText,
  placeNames,
  positionOf,
  roadSigns,
  scaleOf,
  shortCount,
  zoomed,
  type Cluster,
} from './mapView.ts';
import { DRAWING, outlineOf, roadsOf } from './outline.ts';

const STATES = { south: 24, west: -125.5, north: 50, east: -66 };
const NEBRASKA = { south: 40.5, west: -101, north: 42, east: -99 };

/** Points of a path in units of the drawing. */
function pointsOf(path: string): [number, number][] {
  let [x, y] = [0, 0];
  return [...path.matchAll(/([Ml])(-?\d+) ?(-?\d+)/g)].map(([, kind, right, down]) => {
    [x, y] = kind === 'M' ? [Number(right), Number(down)] : [x + Number(right), y + Number(down)];
    return [x, y];
  });
}

describe('the outline of a view', () => {
  it('has coasts and state borders, within the drawing, in a few kilobytes', () => {
    const { land, borders } = outlineOf(STATES);
    expect(land.length + borders.length).toBeLessThan(14_000);
    for (const [x, y] of [...pointsOf(land), ...pointsOf(borders)]) {
      expect(x).toBeGreaterThanOrEqual(-500);
      expect(x).toBeLessThanOrEqual(DRAWING.width + 500);
      expect(y).toBeGreaterThanOrEqual(-500);
      expect(y).toBeLessThanOrEqual(DRAWING.height + 500);
    }
    // The southernmost point of the contiguous states is in Florida, at 25.1 degrees north and 80.9 west.
    const south = pointsOf(land).filter(([x]) => x > 700 && x < 800);
    expect(Math.max(...south.map(([, y]) => y)) / DRAWING.height).toBeCloseTo((50 - 25.1) / 26, 1);
  });

  it('fills the drawing in the middle of the land, and is empty at sea', () => {
    const corners = pointsOf(outlineOf(NEBRASKA).land);
    expect(Math.min(...corners.map(([x]) => x))).toBeLessThan(0);
    expect(Math.max(...corners.map(([, y]) => y))).toBeGreaterThan(DRAWING.height);
    expect(outlineOf(NEBRASKA).borders).toBe('');
    expect(outlineOf({ south: 30, west: -140, north: 31, east: -139 })).toEqual({ land: '', borders: '' });
  });

  it('has the border of Kansas and Nebraska at 40 degrees north', () => {
    const { borders } = outlineOf({ south: 39.5, west: -100, north: 40.5, east: -98.7 });
    expect(pointsOf(borders).length).toBeGreaterThan(1);
    for (const [, y] of pointsOf(borders)) expect(y / DRAWING.height).toBeCloseTo(0.5, 1);
  });
});

describe('the roads of a view', () => {
  const ATLANTA = { south: 33, west: -85.2, north: 34.5, east: -83.4 };
  const numbersOf = (view: typeof ATLANTA) => new Set(roadsOf(view).courses.map(({ number }) => number));

  it('are the Interstates that cross it, in a few kilobytes', () => {
    expect(numbersOf(ATLANTA)).toEqual(new Set(['20', '75', '85']));
    expect(roadsOf(ATLANTA).path.length).toBeLessThan(500);
    expect(roadsOf(STATES).path.length).toBeLessThan(14_000);
    expect(numbersOf(STATES).size).toBeGreaterThan(60);
    expect(roadsOf({ south: 38.2, west: -99.6, north: 38.6, east: -98.4 }).courses).toEqual([]);
  });

  it('pass through the cities that they connect, within 10 miles', () => {
    const view = { south: 32, west: -98.5, north: 34, east: -95.5 };
    const dallas = positionOf(view, { latitude: 32.78, longitude: -96.8 });
    const points = pointsOf(roadsOf(view).path).map(([x, y]) => [
      x / DRAWING.width - dallas.left,
      y / DRAWING.height - dallas.top,
    ]);
    const degrees = points.map(([x = 1, y = 1]) => Math.hypot(x * 3, y * 2));
    expect(Math.min(...degrees)).toBeLessThan(0.15);
  });

  it('are left out where a few miles would be seen', () => {
    expect(roadsOf({ south: 33.5, west: -84.8, north: 34.1, east: -83.9 })).toEqual({
      path: '',
      courses: [],
    });
  });

  it('have signs that stand on no circle, on no name and on no other sign', () => {
    const { courses } = roadsOf(ATLANTA);
    const signs = roadSigns(ATLANTA, { clusters: [] }, { courses, names: [] });
    expect(signs.map(({ name }) => name).toSorted()).toEqual(['20', '75', '85']);
    const clusters = signs.map(({ left, top }) => ({
      longitude: ATLANTA.west + left * (ATLANTA.east - ATLANTA.west),
      latitude: ATLANTA.north - top * (ATLANTA.north - ATLANTA.south),
    })) as Cluster[];
    const others = roadSigns(ATLANTA, { clusters }, { courses, names: signs });
    for (const sign of others)
      for (const { left, top } of signs)
        expect(Math.abs(sign.left - left) > 0.05 || Math.abs(sign.top - top) > 0.05).toBe(true);
  });
});

describe('the view of the map', () => {
  it('keeps its proportions and its middle when it is zoomed, within limits', () => {
    expect(zoomed({ south: 30, west: -98, north: 33, east: -94 }, 0.5)).toEqual({
      south: 30.75,
      west: -97,
      north: 32.25,
      east: -95,
    });
    const closest = zoomed({ south: 30, west: -98, north: 33, east: -94 }, 0.001);
    expect(closest.east - closest.west).toBeCloseTo(0.2);
    const widest = zoomed(STATES, 10);
    expect(widest.east - widest.west).toBeCloseTo(90);
  });

  it('has a scale of round miles, at most a third of the width', () => {
    expect(scaleOf(STATES)).toMatchObject({ miles: 1000 });
    const { miles, share } = scaleOf({ south: 30, west: -98, north: 31, east: -97 });
    expect(miles).toBe(10);
    expect(share * 59.6).toBeCloseTo(10, 0);
  });

  it.each([
    [7, '7'],
    [999, '999'],
    [1000, '1K'],
    [1299, '1.2K'],
    [9999, '9.9K'],
    [58_700, '58K'],
  ])('shortens %d to %s without rounding up', (count, text) => expect(shortCount(count)).toBe(text));

  it('has the lowest price of a seller’s circle in a small view only', () => {
    const seller = { count: 3, sellers: 1, lowestPrice: 18_995 } as Cluster;
    const town = { south: 33.5, west: -84.8, north: 34.1, east: -83.9 };
    expect(pinText(town, seller)).toBe('$19K');
    expect(pinText(town, { ...seller, lowestPrice: 900 })).toBe('$900');
    expect(pinText(town, { ...seller, sellers: 2 })).toBeUndefined();
    expect(pinText(town, { count: 3, sellers: 1 } as Cluster)).toBeUndefined();
    expect(pinText({ ...town, east: -83 }, seller)).toBeUndefined();
  });

  it('names cities below their circle, and none over another', () => {
    const view = { south: 30, west: -98, north: 33, east: -94 };
    const cluster = { latitude: 31.5, longitude: -96 } as Cluster;
    const at = (name: string, latitude: number, longitude: number) => ({ name, latitude, longitude });
    const names = placeNames(view, {
      clusters: [cluster],
      places: [
        at('Waco', 31.55, -96.1),
        at('Hillsboro', 31.2, -96),
        at('Tyler', 32.35, -95.3),
        at('Edge', 32, -97.99),
      ],
    });
    expect(names.map(({ name }) => name)).toEqual(['Waco', 'Tyler']);
    expect(names[0]!.top).toBeGreaterThan(0.55);
    expect(names[0]!.left).toBe(0.5);
  });
});
