import { describe, expect, it } from '@jest/globals';
import {
  bodyStyleCode,
  bodyStyleNamed,
  fuelCode,
  fuelNamed,
  parseColor,
  parseDrive,
  parseListingType,
  parseTransmission,
} from './vehicleWords.ts';

describe('words of dealers', () => {
  it.each([
    ['Agate Black Metallic', 'BLACK'],
    ['Magnetic Grey', 'GRAY'],
    ['Obsidian Blue Pearl', 'BLUE'],
    ['Sonic Gray Pearl', 'GRAY'],
    ['Platinum White Pearl', 'WHITE'],
    ['Titanium Metallic', 'GRAY'],
    ['Silverstone', 'SILVER'],
    ['Ivory', 'WHITE'],
    ['Pearl', 'WHITE'],
    ['Red/Black', 'RED'],
    ['Gray with Black roof', 'GRAY'],
    ['Tangerine', undefined],
    ['Unlisted', undefined],
    ['', undefined],
  ])('gives the paint %j the simple color %s', (paint, color) => {
    expect(parseColor(paint)).toBe(color);
  });

  it.each([
    ['4dr Crew Cab Pickup', 'TRUCKS'],
    ['Pickup Truck', 'TRUCKS'],
    ['SUV', 'SUVCROSS'],
    ['4D Sport Utility', 'SUVCROSS'],
    ['4dr Sedan AWD', 'SEDAN'],
    ['Minivan', 'VANMV'],
    ['Cargo Van', 'VANS'],
    ['Wagon', 'HATCH'],
    ['2dr Coupe', 'COUPE'],
    ['Spyder', 'CONVERT'],
    ['Other', undefined],
    ['', undefined],
  ])('gives %j the body style %s', (text, style) => {
    expect(bodyStyleNamed(text)).toBe(style);
  });

  it.each([
    ['Gasoline', 'GSL'],
    ['Regular Unleaded', 'GSL'],
    ['Gas', 'GSL'],
    ['Gas/Electric Hybrid', 'HYB'],
    ['Plug-In Hybrid', 'PIH'],
    ['Hydrogen Fuel Cell Electric', 'HYD'],
    ['Electric Fuel System', 'ELE'],
    ['BEV', 'ELE'],
    ['Compressed Natural Gas', 'ALT'],
    ['Flex Fuel', 'ALT'],
    ['Turbo Diesel', 'DSL'],
    ['Other', undefined],
    ['', undefined],
  ])('gives %j the fuel %s', (text, fuel) => {
    expect(fuelNamed(text)).toBe(fuel);
  });

  it('knows codes in any case, but SUV, which is a word', () => {
    expect(['trucks', ' VANS ', 'SUV', 'Truck', ''].map(bodyStyleCode)).toEqual([
      'TRUCKS',
      'VANS',
      undefined,
      undefined,
      undefined,
    ]);
    expect(['pih', 'Diesel', ''].map(fuelCode)).toEqual(['PIH', undefined, undefined]);
  });

  it.each([
    ['AWD4WD', 'SEDAN', 'AWD4WD'],
    ['All-Wheel Drive', 'SEDAN', 'AWD4WD'],
    ['4-Wheel Drive', 'TRUCKS', 'AWD4WD'],
    ['quattro', 'SEDAN', 'AWD4WD'],
    ['Front Wheel Drive', 'SEDAN', 'FWD'],
    ['RWD', 'COUPE', 'RWD'],
    ['2WD', 'TRUCKS', 'RWD'],
    ['2WD', 'SUVCROSS', undefined],
    ['small', 'SEDAN', undefined],
    ['', 'TRUCKS', undefined],
  ] as const)('takes %j of %s for the drive %s', (text, style, drive) => {
    expect(parseDrive(text, style)).toBe(drive);
  });

  it.each([
    ['8-Speed Automatic with Manual Shift Mode', 'AUT'],
    ['6-Speed Automated Manual', 'AUT'],
    ['Continuously Variable', 'AUT'],
    ['1-Speed Direct Drive', 'AUT'],
    ['6-Speed Manual', 'MAN'],
    ['Stick', 'MAN'],
    ['Other', undefined],
    ['', undefined],
  ])('takes %j for the transmission %s', (text, transmission) => {
    expect(parseTransmission(text)).toBe(transmission);
  });

  it.each([
    ['New', 'NEW'],
    ['N', 'NEW'],
    ['brand new', 'NEW'],
    ['Used', 'USED'],
    ['U', 'USED'],
    ['Pre-owned', 'USED'],
    ['Like New', 'USED'],
    ['Used, non-certified', 'USED'],
    ['Not CPO', 'USED'],
    ['Certified Pre-Owned', 'CERTIFIED'],
    ['CPO', 'CERTIFIED'],
    ['3p_cert', '3P_CERT'],
    ['', undefined],
    [' ', undefined],
  ])('takes %j for the condition %s', (text, condition) => {
    expect(parseListingType(text)).toBe(condition);
  });
});
