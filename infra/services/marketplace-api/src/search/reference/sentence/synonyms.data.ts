import type { FilterParam } from '@forecourt/search/criteria';
import { BODY_STYLES, FUEL_GROUPS } from '@forecourt/upstream/codes';
import { COLORS, INTERIOR_COLORS } from '../../../domain/labels.ts';
import { FEATURES } from '@forecourt/upstream/features';

/** What a phrase stands for. */
export type Meaning = readonly (readonly [param: FilterParam, ...values: string[]])[];

const TRUCKS = ['vehicleStyleCode', 'TRUCKS'] as const;
const SUVS = ['vehicleStyleCode', 'SUVCROSS'] as const;
const VANS = ['vehicleStyleCode', 'VANMV'] as const;
const SEDANS = ['vehicleStyleCode', 'SEDAN'] as const;

/** Phrases of shoppers, separated by commas; plurals with -s are added. */
const TABLE: readonly (readonly [phrases: string, ...meaning: Meaning])[] = [
  ['truck, pickup, pickup truck, pick up, pick up truck', TRUCKS],
  ['suv, crossover, cuv, sport utility, sport utility vehicle', SUVS],
  ['van, minivan, mini van, people mover', VANS],
  ['sedan, saloon', SEDANS],
  ['hatchback, hatch, wagon, estate', ['vehicleStyleCode', 'HATCH']],
  ['coupe', ['vehicleStyleCode', 'COUPE']],
  ['convertible, cabriolet, cabrio, roadster, drop top, soft top', ['vehicleStyleCode', 'CONVERT']],
  ['compact suv, small suv', SUVS, ['suvSubtypeCode', 'COMPACTSUV']],
  ['subcompact suv', SUVS, ['suvSubtypeCode', 'SUBCOMPACTSUV']],
  ['midsize suv, mid size suv, medium suv', SUVS, ['suvSubtypeCode', 'MIDSIZESUV']],
  ['full size suv, fullsize suv, large suv, big suv', SUVS, ['suvSubtypeCode', 'FULLSIZESUV']],
  ['compact sedan, small sedan', SEDANS, ['sedanSubtypeCode', 'COMPACTSEDAN']],
  ['midsize sedan, mid size sedan', SEDANS, ['sedanSubtypeCode', 'MIDSIZESEDAN']],
  ['full size sedan, fullsize sedan, large sedan', SEDANS, ['sedanSubtypeCode', 'FULLSIZESEDAN']],
  ['luxury sedan', SEDANS, ['sedanSubtypeCode', 'LUXURYSEDAN']],
  ['cargo van, work van', VANS, ['vanSubtypeCode', 'CARGOVAN']],
  ['passenger van', VANS, ['vanSubtypeCode', 'PASSENGERVAN']],
  ['crew cab, crewcab, double cab', TRUCKS, ['bodyStyleSubtypeCode', 'CREWCAB']],
  ['extended cab, ext cab', TRUCKS, ['bodyStyleSubtypeCode', 'EXTCAB']],
  ['regular cab, single cab', TRUCKS, ['bodyStyleSubtypeCode', 'REGCAB']],
  ['long bed, 8 foot bed, 8 ft bed', ['truckBedLength', 'LONG']],
  ['short bed', ['truckBedLength', 'SHORT']],
  ['standard bed', ['truckBedLength', 'STANDARD']],
  ['work truck, commercial, commercial vehicle', ['vehicleUseType', 'COMMERCIAL']],
  ['new, brand new', ['listingType', 'NEW']],
  ['used, pre owned, preowned, second hand, secondhand', ['listingType', 'USED']],
  ['certified, cpo, certified pre owned, certified used', ['listingType', 'CERTIFIED']],
  ['electric, ev, bev, fully electric, all electric, battery electric', ['fuelTypeGroup', 'ELE']],
  ['hybrid', ['fuelTypeGroup', 'HYB']],
  ['plug in hybrid, plugin hybrid, phev, plug in, plugin', ['fuelTypeGroup', 'PIH']],
  ['diesel', ['fuelTypeGroup', 'DSL']],
  ['gas, gasoline, petrol, gas powered', ['fuelTypeGroup', 'GSL']],
  ['hydrogen, fuel cell', ['fuelTypeGroup', 'HYD']],
  [
    'awd, 4wd, 4x4, all wheel drive, four wheel drive, 4 wheel drive, all wheel, four wheel',
    ['driveGroup', 'AWD4WD'],
  ],
  ['fwd, front wheel drive', ['driveGroup', 'FWD']],
  ['rwd, rear wheel drive', ['driveGroup', 'RWD']],
  ['automatic, automatic transmission, auto transmission', ['transmissionCode', 'AUT']],
  ['manual, stick, stick shift, manual transmission, standard transmission', ['transmissionCode', 'MAN']],
  ['3 cylinder, three cylinder', ['engineCode', '3CLDR']],
  ['4 cylinder, four cylinder, 4cyl, 4 cyl', ['engineCode', '4CLDR']],
  ['6 cylinder, six cylinder, v6, 6cyl, 6 cyl', ['engineCode', '6CLDR']],
  ['8 cylinder, eight cylinder, v8, 8cyl, 8 cyl', ['engineCode', '8CLDR']],
  ['v10', ['engineCode', '10CLDR']],
  ['v12', ['engineCode', '12CLDR']],
  ['2 door, two door', ['doorCode', '2']],
  ['4 door, four door', ['doorCode', '4']],
  ['by owner, for sale by owner, fsbo, private seller, private party, from owner', ['sellerType', 'p']],
  ['dealer, dealership', ['sellerType', 'd']],
  ['great deal, great price', ['dealType', 'greatprice']],
  ['good deal, good price', ['dealType', 'goodprice']],
  ['cheap, affordable, bargain, best deal, deal, inexpensive', ['dealType', 'greatprice', 'goodprice']],
  ['no accidents, no accident, accident free, without accidents', ['vehicleHistoryType', 'NO_ACCIDENTS']],
  ['clean title', ['vehicleHistoryType', 'CLEAN_TITLE']],
  ['one owner, 1 owner, single owner', ['vehicleHistoryType', 'ONE_OWNER']],
  ['buy online, online purchase', ['homeServices', 'BUY_ONLINE']],
  ['home delivery, delivered, delivery', ['homeServices', 'HOME_DELIVERY']],
  ['test drive at home', ['homeServices', 'TEST_DRIVE']],
  ['money back guarantee, money back', ['vehicleExchange', 'true']],
  ['leather, leather seats, leather interior', ['featureCode', 'LEATHER']],
  ['sunroof, moonroof, sun roof, moon roof', ['featureCode', 'SUNROOF']],
  ['panoramic roof, panoramic sunroof, pano roof, glass roof', ['featureCode', 'PANOROOF']],
  ['navigation, nav, gps, navigation system', ['featureCode', 'NAVIGATION']],
  [
    'backup camera, back up camera, rear camera, rearview camera, reverse camera',
    ['featureCode', 'BACKUPCAMERA'],
  ],
  ['360 camera, surround camera', ['featureCode', 'CAMERA360']],
  ['carplay, car play, apple car play', ['featureCode', 'CARPLAY']],
  [
    'third row, 3rd row, third row seating, 3rd row seating, third row seat, 3rd row seat, 3 rows, three rows, 7 seater, 7 seats, 8 seater, 7 passenger, 8 passenger, seven seater, eight seater',
    ['featureCode', 'THIRDROW'],
  ],
  ['captain chairs, captains chairs', ['featureCode', 'CAPTAINSEATS']],
  ['heated seat, seat heating, seat heaters', ['featureCode', 'HEATEDSEATS']],
  ['ventilated seat, cooled seat', ['featureCode', 'COOLEDSEATS']],
  ['heated steering wheel, heated wheel', ['featureCode', 'HEATEDWHEEL']],
  ['remote starter', ['featureCode', 'REMOTESTART']],
  ['push to start, push start, push button start', ['featureCode', 'PUSHSTART']],
  ['keyless', ['featureCode', 'KEYLESSENTRY']],
  ['blind spot, blind spot monitoring, blind spot monitor', ['featureCode', 'BLINDSPOT']],
  ['lane assist, lane departure', ['featureCode', 'LANEASSIST']],
  ['automatic braking, emergency braking', ['featureCode', 'AEB']],
  ['adaptive cruise, radar cruise', ['featureCode', 'ADAPTIVECRUISE']],
  ['parking sensor, park assist', ['featureCode', 'PARKSENSORS']],
  ['tow hitch, trailer hitch, hitch, towing', ['featureCode', 'TOWHITCH']],
  ['bedliner', ['featureCode', 'BEDLINER']],
  ['roof rails', ['featureCode', 'ROOFRACK']],
  ['hud', ['featureCode', 'HEADUP']],
  ['hotspot, wifi', ['featureCode', 'WIFI']],
  ['wireless charging, wireless charger', ['featureCode', 'WIRELESSCHARGE']],
  ['premium audio, premium sound, premium stereo', ['featureCode', 'PREMIUMAUDIO']],
  ['siriusxm, sirius', ['featureCode', 'SATRADIO']],
  ['power tailgate, power hatch', ['featureCode', 'POWERLIFTGATE']],
  ['alloys, alloy rims', ['featureCode', 'ALLOYWHEELS']],
  ['dual climate, dual zone climate', ['featureCode', 'DUALCLIMATE']],
];

/** Further names of colors. */
const SHADES: Readonly<Record<string, readonly string[]>> = {
  GRAY: ['grey', 'charcoal', 'graphite'],
  BLUE: ['navy', 'navy blue'],
  RED: ['maroon', 'burgundy', 'crimson'],
  BEIGE: ['tan', 'cream', 'champagne'],
  GREEN: ['olive'],
  BROWN: ['bronze'],
};

function* colorPhrases(): Generator<readonly [string, Meaning]> {
  const names = (code: string, label: string) => [label, ...(SHADES[code] ?? [])];
  for (const [code, { label }] of Object.entries(COLORS))
    for (const name of names(code, label)) yield [name, [['extColorSimple', code]]];
  for (const [code, label] of Object.entries(INTERIOR_COLORS))
    for (const name of names(code, label).filter((shade) => code === 'TAN' || shade !== 'tan')) {
      yield [`${name} interior`, [['intColorSimple', code]]];
      const leather: Meaning = [
        ['intColorSimple', code],
        ['featureCode', 'LEATHER'],
      ];
      yield [`${name} leather interior`, leather];
      yield [`${name} leather`, leather];
    }
}

/** Every phrase that doesn't depend on the stock. The first meaning of a phrase wins. */
export function* commonPhrases(): Generator<readonly [phrase: string, meaning: Meaning]> {
  for (const [phrases, ...meaning] of TABLE)
    for (const phrase of phrases.split(', ')) {
      yield [phrase, meaning];
      if (!phrase.endsWith('s')) yield [`${phrase}s`, meaning];
    }
  yield* colorPhrases();
  for (const [code, { label }] of Object.entries(BODY_STYLES)) yield [label, [['vehicleStyleCode', code]]];
  for (const [code, label] of Object.entries(FUEL_GROUPS)) yield [label, [['fuelTypeGroup', code]]];
  for (const [code, label] of Object.entries(FEATURES)) yield [label, [['featureCode', code]]];
}

/** Words that say nothing about the vehicle. */
export const FILLERS: ReadonlySet<string> = new Set(
  `a about all an and any anything are as at auto autos automobile automobiles best budget buy buying by can car cars
  color colored colour condition cost costs decent do drive engine excellent family find for from fully get give
  good got great has have having help hi hello i id im in interior into is it its like located looking looks me mileage
  miles model my near nice nearby need needs of offer offers on one only or other paint please preferably price
  priced really reliable ride safe sale seeking sell search seats show some something somewhere style than thanks that the
  there these this to transmission up vehicle vehicles want wanted wants we what where which who will with would
  year years you your`
    .split(/\s+/)
    .filter(Boolean),
);
