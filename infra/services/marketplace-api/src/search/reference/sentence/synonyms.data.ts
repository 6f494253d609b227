import type { FilterParam } from '@forecourt/search/criteria';
import { BODY_STYLES, FUEL_GROUPS } from '@forecourt/upstream/codes';
import { COLORS, INTERIOR_COLORS } from '../../../domain/labels.ts';
import { FEATURES } from '@forecourt/upstream/features';
import type { SortValue } from './reading.ts';

/** What a phrase stands for: values of filters, or an order. */
export type Meaning = readonly (
  | readonly [param: FilterParam, ...values: string[]]
  | readonly [param: 'sortBy', value: SortValue]
)[];

const TRUCKS = ['vehicleStyleCode', 'TRUCKS'] as const;
const SUVS = ['vehicleStyleCode', 'SUVCROSS'] as const;
const VANS = ['vehicleStyleCode', 'VANMV', 'VANS'] as const;
const SEDANS = ['vehicleStyleCode', 'SEDAN'] as const;
/** What 'good on gas' means. */
const ECONOMICAL = ['mpgRange', '30-MPG'] as const;
const CHEAP = ['sortBy', 'derivedpriceASC'] as const;

/** Phrases of shoppers, separated by commas; plurals with -s are added. */
const TABLE: readonly (readonly [phrases: string, ...meaning: Meaning])[] = [
  [
    'truck, truk, pickup, pickup truck, pick up, pick up truck, full size truck, fullsize truck, full size pickup, mid size truck, midsize truck, half ton truck',
    TRUCKS,
  ],
  ['suv, crossover, cross over, cuv, sport utility, sport utility vehicle, crossover suv', SUVS],
  ['van', VANS],
  [
    'minivan, mini van, people mover, people carrier, family van',
    ['vehicleStyleCode', 'VANMV'],
    ['vanSubtypeCode', 'MINIVAN'],
  ],
  ['sedan, sedn, saloon, 4 door sedan, four door sedan', SEDANS],
  [
    'hatchback, hatch, wagon, estate, station wagon, hot hatch, 5 door hatchback',
    ['vehicleStyleCode', 'HATCH'],
  ],
  ['coupe, muscle car, two door car, 2 door car', ['vehicleStyleCode', 'COUPE']],
  [
    'convertible, cabriolet, cabrio, roadster, drop top, droptop, soft top, ragtop, sports car convertible, convertible sports car',
    ['vehicleStyleCode', 'CONVERT'],
  ],
  ['sports car, sport car, sportscar, sporty car', ['vehicleStyleCode', 'COUPE', 'CONVERT']],
  ['small car, compact car, subcompact, subcompact car, city car', ['vehicleStyleCode', 'HATCH', 'SEDAN']],
  [
    'compact suv, small suv, compact crossover, small crossover, smaller suv, little suv',
    SUVS,
    ['suvSubtypeCode', 'COMPACTSUV'],
  ],
  ['subcompact suv, subcompact crossover, tiny suv', SUVS, ['suvSubtypeCode', 'SUBCOMPACTSUV']],
  [
    'midsize suv, mid size suv, medium suv, midsized suv, mid sized suv',
    SUVS,
    ['suvSubtypeCode', 'MIDSIZESUV'],
  ],
  [
    'full size suv, fullsize suv, full sized suv, large suv, big suv, huge suv',
    SUVS,
    ['suvSubtypeCode', 'FULLSIZESUV'],
  ],
  ['compact sedan, small sedan', SEDANS, ['sedanSubtypeCode', 'COMPACTSEDAN']],
  ['midsize sedan, mid size sedan, midsized sedan', SEDANS, ['sedanSubtypeCode', 'MIDSIZESEDAN']],
  ['full size sedan, fullsize sedan, large sedan, big sedan', SEDANS, ['sedanSubtypeCode', 'FULLSIZESEDAN']],
  ['luxury sedan, luxury car', SEDANS, ['sedanSubtypeCode', 'LUXURYSEDAN']],
  // Their style differs between feeds.
  ['cargo van, work van, panel van', ['vanSubtypeCode', 'CARGOVAN']],
  ['passenger van', ['vanSubtypeCode', 'PASSENGERVAN']],
  [
    'crew cab, crewcab, double cab, supercrew, super crew, quad cab, crew',
    TRUCKS,
    ['bodyStyleSubtypeCode', 'CREWCAB'],
  ],
  ['crewmax, crew max', TRUCKS, ['bodyStyleSubtypeCode', 'CREWMAX']],
  [
    'extended cab, ext cab, supercab, super cab, king cab, access cab',
    TRUCKS,
    ['bodyStyleSubtypeCode', 'EXTCAB'],
  ],
  ['regular cab, single cab, standard cab', TRUCKS, ['bodyStyleSubtypeCode', 'REGCAB']],
  ['long bed, 8 foot bed, 8 ft bed, 8ft bed, eight foot bed, long box', ['truckBedLength', 'LONG']],
  ['short bed, short box, 5.5 foot bed, 5.5 ft bed', ['truckBedLength', 'SHORT']],
  [
    'standard bed, 6 foot bed, 6 ft bed, 6.5 foot bed, 6.5 ft bed, six foot bed',
    ['truckBedLength', 'STANDARD'],
  ],
  [
    'work truck, commercial, commercial vehicle, commercial use, fleet truck',
    ['vehicleUseType', 'COMMERCIAL'],
  ],
  ['new, brand new, factory new', ['listingType', 'NEW']],
  [
    'used, pre owned, preowned, second hand, secondhand, 2nd hand, gently used, pre loved',
    ['listingType', 'USED'],
  ],
  [
    'certified, cpo, certified pre owned, certified used, certified preowned, factory certified, manufacturer certified',
    ['listingType', 'CERTIFIED'],
  ],
  [
    'electric, ev, bev, fully electric, all electric, battery electric, electric vehicle, full electric, pure electric',
    ['fuelTypeGroup', 'ELE'],
  ],
  ['hybrid, hybrid vehicle, hev', ['fuelTypeGroup', 'HYB']],
  ['plug in hybrid, plugin hybrid, phev, plug in, plugin', ['fuelTypeGroup', 'PIH']],
  ['diesel, turbo diesel, turbodiesel', ['fuelTypeGroup', 'DSL']],
  ['gas, gasoline, petrol, gas powered, gas engine', ['fuelTypeGroup', 'GSL']],
  ['hydrogen, fuel cell', ['fuelTypeGroup', 'HYD']],
  ['flex fuel, e85, cng, natural gas, propane', ['fuelTypeGroup', 'ALT']],
  [
    'good on gas, great on gas, easy on gas, light on gas, cheap on gas, excellent on gas, better on gas, gas mileage, good gas mileage, great gas mileage, decent gas mileage, better gas mileage, best gas mileage, high gas mileage, amazing gas mileage, good mpg, great mpg, high mpg, best mpg, decent mpg, better mpg, mpg, fuel efficient, fuel efficiency, fuel economy, good fuel economy, great fuel economy, best fuel economy, good on fuel, easy on fuel, gas saver, gas sipper, gas efficient, economical, economical on gas, sips gas, saves gas, save gas, save on gas, saves on gas, saving gas, save money on gas, not gas guzzler, not a gas guzzler, no gas guzzler, no gas guzzlers, not guzzle gas, not use much gas, not burn gas, good on the gas, fuel saver, not drink gas, low gas bill',
    ECONOMICAL,
  ],
  [
    'awd, 4wd, 4x4, all wheel drive, four wheel drive, 4 wheel drive, all wheel, four wheel, 4 by 4, four by four, 4 x 4, all wheels',
    ['driveGroup', 'AWD4WD'],
  ],
  ['fwd, front wheel drive, front wheel', ['driveGroup', 'FWD']],
  ['rwd, rear wheel drive, rear wheel', ['driveGroup', 'RWD']],
  ['2wd, two wheel drive, 2 wheel drive', ['driveGroup', 'FWD', 'RWD']],
  [
    'automatic, automatic transmission, auto transmission, auto trans, automatic trans',
    ['transmissionCode', 'AUT'],
  ],
  [
    'manual, stick, stick shift, manual transmission, standard transmission, manual trans, manual gearbox, standard shift, 5 speed, 6 speed, five speed, six speed, 5 speed manual, 6 speed manual, 6mt, three pedals, 3 pedals',
    ['transmissionCode', 'MAN'],
  ],
  ['6 speed automatic, 8 speed automatic, 10 speed automatic', ['transmissionCode', 'AUT']],
  ['3 cylinder, three cylinder, 3cyl, 3 cyl', ['engineCode', '3CLDR']],
  ['4 cylinder, four cylinder, 4cyl, 4 cyl, four banger, 4 banger, inline 4', ['engineCode', '4CLDR']],
  [
    '6 cylinder, six cylinder, v6, v 6, 6cyl, 6 cyl, inline 6, straight six, inline six',
    ['engineCode', '6CLDR'],
  ],
  ['8 cylinder, eight cylinder, v8, v 8, 8cyl, 8 cyl', ['engineCode', '8CLDR']],
  ['v10', ['engineCode', '10CLDR']],
  ['v12', ['engineCode', '12CLDR']],
  ['2 door, two door, 2dr', ['doorCode', '2']],
  ['4 door, four door, 4dr', ['doorCode', '4']],
  [
    'by owner, for sale by owner, fsbo, private seller, private party, from owner, private sale, private owner, individual seller, direct from owner, straight from the owner, from the owner, no dealer, not a dealer, not from a dealer, no dealership, not a dealership, skip the dealer, skip dealer',
    ['sellerType', 'p'],
  ],
  ['dealer, dealership, dealer only, no private seller', ['sellerType', 'd']],
  ['great deal, great price', ['dealType', 'greatprice']],
  ['good deal, good price', ['dealType', 'goodprice']],
  [
    'bargain, best deal, deal, best price, good value, great value, best value, below market, under market, under market value, below market value, underpriced, steal',
    ['dealType', 'greatprice', 'goodprice'],
  ],
  [
    'cheap, cheapest, cheaper, affordable, inexpensive, low price, lowest price, low priced, lower priced, low cost, low budget, tight budget, on a budget, budget friendly, budget car, dirt cheap, least expensive, less expensive, not too expensive, not expensive, not very expensive, nothing expensive, nothing too expensive, not crazy expensive, as cheap as possible, cheap as possible, beater, beater car, without breaking the bank, not break the bank, not cost a fortune, not cost too much, not too pricey, easy on the wallet',
    CHEAP,
  ],
  [
    'no accidents, no accident, accident free, without accidents, without an accident, no accident history, never been in an accident, never in an accident, never been wrecked, never wrecked, no wrecks, not wrecked, not been in an accident, not in an accident, no crashes, zero accidents, 0 accidents, no reported accidents, no prior accidents, no previous accidents, clean carfax, clean history, clean history report, never crashed, not crashed',
    ['vehicleHistoryType', 'NO_ACCIDENTS'],
  ],
  [
    'clean title, clear title, no salvage, no salvage title, not salvage, not a salvage title, no salvage titles, no rebuilt title, no rebuilt, no rebuilt titles, not rebuilt, no branded title, no branded titles, no salvage or rebuilt, no salvage or rebuilt titles, no salvage or rebuilt title, no title issues, no lemon',
    ['vehicleHistoryType', 'CLEAN_TITLE'],
  ],
  [
    'one owner, 1 owner, single owner, only one owner, one previous owner, 1 previous owner, single previous owner, first owner',
    ['vehicleHistoryType', 'ONE_OWNER'],
  ],
  [
    'personal use, no rentals, no rental, not a rental, never a rental, non rental, not a former rental, no ex rental, no former rental, no fleet, not a fleet vehicle, no fleet vehicle, not an ex rental',
    ['vehicleHistoryType', 'PERSONAL_USE'],
  ],
  ['buy online, online purchase, purchase online, order online', ['homeServices', 'BUY_ONLINE']],
  [
    'home delivery, delivered, delivery, delivered to my door, deliver to my door, delivered to my house, delivered to me, delivered home, can be delivered',
    ['homeServices', 'HOME_DELIVERY'],
  ],
  ['test drive at home, at home test drive, home test drive', ['homeServices', 'TEST_DRIVE']],
  ['virtual tour, virtual walkaround, video tour', ['homeServices', 'VIRTUAL_WALKAROUND']],
  ['money back guarantee, money back, return policy', ['vehicleExchange', 'true']],
  ['leather, leather seats, leather interior', ['featureCode', 'LEATHER']],
  ['sunroof, moonroof, sun roof, moon roof, sunroof moonroof', ['featureCode', 'SUNROOF']],
  [
    'panoramic roof, panoramic sunroof, pano roof, glass roof, panoramic moonroof, pano',
    ['featureCode', 'PANOROOF'],
  ],
  [
    'navigation, nav, gps, navigation system, built in navigation, built in nav',
    ['featureCode', 'NAVIGATION'],
  ],
  [
    'backup camera, back up camera, rear camera, rearview camera, rear view camera, reverse camera, reversing camera, backup cam, back up cam',
    ['featureCode', 'BACKUPCAMERA'],
  ],
  [
    '360 camera, surround camera, surround view, 360 degree camera, birds eye camera, bird s eye view, birds eye view, 360 view',
    ['featureCode', 'CAMERA360'],
  ],
  [
    'carplay, car play, apple car play, apple carplay, apple play, wireless carplay, wireless apple carplay',
    ['featureCode', 'CARPLAY'],
  ],
  [
    'third row, 3rd row, third row seating, 3rd row seating, third row seat, 3rd row seat, third row of seats, 3 row, three row',
    ['featureCode', 'THIRDROW'],
  ],
  ['3 row suv, three row suv', SUVS, ['featureCode', 'THIRDROW']],
  [
    'captain chairs, captains chairs, captain s chairs, captain seats, captains seats',
    ['featureCode', 'CAPTAINSEATS'],
  ],
  [
    'fold flat seats, stow and go, stow n go, stow n go seats, stow and go seating, fold flat',
    ['featureCode', 'FOLDFLATSEATS'],
  ],
  ['sport seats, sports seats, bolstered seats', ['featureCode', 'SPORTSEATS']],
  [
    'heated seat, seat heating, seat heaters, seat warmers, heated front seats, bun warmers, butt warmers, warm seats',
    ['featureCode', 'HEATEDSEATS'],
  ],
  ['heated leather seats, heated leather', ['featureCode', 'HEATEDSEATS', 'LEATHER']],
  [
    'heated and cooled seats, heated and ventilated seats, heated cooled seats',
    ['featureCode', 'COOLEDSEATS', 'HEATEDSEATS'],
  ],
  ['ventilated seat, cooled seat, air conditioned seats, cooling seats', ['featureCode', 'COOLEDSEATS']],
  ['heated steering wheel, heated wheel', ['featureCode', 'HEATEDWHEEL']],
  ['memory seat', ['featureCode', 'MEMORYSEAT']],
  ['power seat, power driver seat, power driver s seat', ['featureCode', 'POWERSEAT']],
  ['remote starter, remote start, auto start', ['featureCode', 'REMOTESTART']],
  [
    'push to start, push start, push button start, keyless start, push button ignition',
    ['featureCode', 'PUSHSTART'],
  ],
  ['keyless, keyless entry, smart key', ['featureCode', 'KEYLESSENTRY']],
  [
    'blind spot, blind spot monitoring, blind spot monitor, blind spot monitors, blind spot detection, blind spot warning, blind spot sensors, blind spot assist',
    ['featureCode', 'BLINDSPOT'],
  ],
  [
    'lane assist, lane departure, lane keep assist, lane keeping assist, lane keeping, lane departure warning',
    ['featureCode', 'LANEASSIST'],
  ],
  [
    'automatic braking, emergency braking, automatic emergency braking, auto braking, collision avoidance, forward collision, forward collision warning, collision warning',
    ['featureCode', 'AEB'],
  ],
  [
    'adaptive cruise, radar cruise, adaptive cruise control, radar cruise control, smart cruise control, smart cruise, dynamic cruise control',
    ['featureCode', 'ADAPTIVECRUISE'],
  ],
  ['rear cross traffic, cross traffic alert', ['featureCode', 'REARCROSS']],
  ['parking sensor, park assist, parking assist, park sensor, backup sensor', ['featureCode', 'PARKSENSORS']],
  [
    'tow hitch, trailer hitch, hitch, towing, tow package, towing package, tow a boat, tow a trailer, tow a camper, tow my boat, tow my camper, tow our camper, tow my trailer, pull a trailer, pull a camper, pull a boat, towing capacity, for towing, set up to tow, can tow, to tow, will tow, can pull a trailer',
    ['featureCode', 'TOWHITCH'],
  ],
  ['trailer brake, trailer brake controller, brake controller', ['featureCode', 'TRAILERBRAKE']],
  ['bedliner, bed liner, spray in bedliner, spray in bed liner', ['featureCode', 'BEDLINER']],
  ['roof rails, roof rail, roof rack, roof bars', ['featureCode', 'ROOFRACK']],
  ['running board, side steps, side step, step bars, nerf bars', ['featureCode', 'RUNNINGBOARDS']],
  ['hud, heads up display, head up display', ['featureCode', 'HEADUP']],
  ['hotspot, wifi, wi fi, wifi hotspot', ['featureCode', 'WIFI']],
  ['wireless charging, wireless charger, wireless phone charger', ['featureCode', 'WIRELESSCHARGE']],
  [
    'premium audio, premium sound, premium stereo, good sound system, great sound system, nice sound system, bose, harman kardon, bang and olufsen, burmester, jbl, good stereo',
    ['featureCode', 'PREMIUMAUDIO'],
  ],
  [
    'rear entertainment, dvd player, dvd, rear seat entertainment, rear tv, tvs in the back',
    ['featureCode', 'REARENTERTAINMENT'],
  ],
  ['siriusxm, sirius, sirius xm, xm radio', ['featureCode', 'SATRADIO']],
  [
    'power tailgate, power hatch, power liftgate, hands free liftgate, powered liftgate',
    ['featureCode', 'POWERLIFTGATE'],
  ],
  ['alloys, alloy rims, alloy wheel', ['featureCode', 'ALLOYWHEELS']],
  ['led headlights, led lights, led', ['featureCode', 'LEDLIGHTS']],
  ['dual climate, dual zone climate, dual zone ac, dual climate control', ['featureCode', 'DUALCLIMATE']],
];

/** What people call makes and models: the meaning is that of the name in the stock. */
export const NICKNAMES: readonly (readonly [nicknames: string, name: string])[] = [
  ['chevy, chevys, chevies, chev, chevrolets', 'Chevrolet'],
  ['beemer, bimmer, beamer, beemers', 'BMW'],
  ['merc, mercs, benz, mb', 'Mercedes-Benz'],
  ['vw, volkswagon, v dub, volks', 'Volkswagen'],
  ['caddy, caddie, caddys', 'Cadillac'],
  ['subie, subi, scooby', 'Subaru'],
  ['yota, toyotas', 'Toyota'],
  ['jag', 'Jaguar'],
  ['alfa', 'Alfa Romeo'],
  ['lambo', 'Lamborghini'],
  ['rolls, rolls royce', 'Rolls-Royce'],
  ['aston', 'Aston Martin'],
  ['landrover', 'Land Rover'],
  ['rover', 'Range Rover'],
  ['mini cooper, cooper', 'MINI'],
  ['dodge ram', 'Ram'],
  ['dodge ram 1500', 'Ram 1500'],
  ['dodge ram 2500', 'Ram 2500'],
  ['dodge ram 3500', 'Ram 3500'],
  ['silverado 2500', 'Silverado 2500HD'],
  ['silverado 3500', 'Silverado 3500HD'],
  ['sierra 2500', 'Sierra 2500HD'],
  ['stang', 'Mustang'],
  ['vette', 'Corvette'],
  ['miata, mx5, mx 5', 'MX-5 Miata'],
  ['taco', 'Tacoma'],
  ['burb', 'Suburban'],
  ['lightning', 'F-150 Lightning'],
  ['mach e', 'Mustang Mach-E'],
  ['caravan', 'Grand Caravan'],
  ['bolt', 'Bolt EV'],
  ['g wagon, g wagen', 'G-Class'],
  ['land cruiser, landcruiser', 'Land Cruiser'],
  ['fj', 'FJ Cruiser'],
  ['supra', 'GR Supra'],
  ['86, gr 86', 'GR86'],
  ['gti', 'Golf GTI'],
  ['cayman', '718 Cayman'],
  ['boxster', '718 Boxster'],
  ['promaster city', 'ProMaster City'],
  ['4 runner, forerunner', '4Runner'],
  ['outlander phev', 'Outlander'],
];

/** Models with the name of an ordinary word: read as the model beside its make, a year, or in very few words. */
export const ORDINARY_NAMES: ReadonlySet<string> = new Set(
  `accent air ascent avenger clarity compass crown dart defender discovery edge escape express fit flex focus ghost
  gravity insight journey juke legacy liberty ocean passport patriot quest roadster roma sonic soul spark
  spectre terrain transit vantage venue volt kicks continental forte hardtop regal`.split(/\s+/),
);

/** Facts that no filter covers, though single words of them would mean something. */
const UNSUPPORTED =
  `like new, newish, newer, newer model, late model, older, new driver, new drivers, new baby, new job, new to me, new tires,
  new brakes, new engine, new transmission, new battery, new parents, manual windows, power windows, cloth seats, cloth interior,
  fabric seats, sliding doors, power sliding doors, automatic sliding doors, high mileage, high miles, good mileage, decent mileage,
  great mileage, highway miles, highway mileage, check engine light, regular gas, premium gas, gas tank, cruise control, first car,
  starter car, all terrain tires, white walls, black rims, blacked out, black wheels, blue book, kelley blue book,
  green light, family of 3, family of 4, family of 5, family of four, family of five, two owner, two owners, 2 owner, 2 owners,
  good condition, great condition, excellent condition, mint condition, perfect condition, soft close,
  manual mode, bucket seats, bench seat, bench seats, half ton, three quarter ton, 3 4 ton, 1 2 ton, one ton, quarter ton, gas prices, gas money, gas station, dealer fees, dealership fees, new car smell, title loan, automatic windows, one pedal driving,
  trade in value, resale value, good resale, ground clearance, high ground clearance, cargo space, legroom,
  leg room, head room, headroom, car seats, car seat, car seat friendly, child seats, three car seats, 3 car seats, dog, dogs,
  service records, maintenance records, bad credit, no credit, good credit, rent to own, buy here pay here, easy to park,
  pizza delivery, food delivery, delivery driver, delivery job, delivery work, for deliveries, full size, fullsize, full sized, midsize,
  mid size, midsized, cheap insurance, cheap to insure, low insurance, cheap to maintain, low maintenance, cheap to own,
  cheap to run, cheap to fix, cheap parts, golf clubs, golf bag, golf bags, gas guzzler, dog friendly,
  two dogs, automatic sliding door, green car, dealer markup, no markup, manual doors, electric seats, electric windows,
  air conditioning, silver lining, black friday, red flags, white glove`
    .split(/,\s*/)
    .map((phrase) => phrase.replace(/\s+/g, ' '));

/** Further names of colors. */
const SHADES: Readonly<Record<string, readonly string[]>> = {
  GRAY: ['grey', 'charcoal', 'graphite', 'gunmetal', 'dark gray', 'dark grey'],
  BLUE: ['navy', 'navy blue', 'dark blue', 'light blue', 'royal blue', 'sky blue'],
  RED: ['maroon', 'burgundy', 'crimson', 'dark red', 'candy red', 'cherry red'],
  BEIGE: ['tan', 'cream', 'champagne'],
  GREEN: ['olive', 'dark green', 'forest green'],
  WHITE: ['pearl white', 'off white'],
  BLACK: ['jet black'],
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

/** Seats that shoppers ask for: a '7 seater' may have eight. */
const SEATS: readonly (readonly [names: string, ...counts: string[]])[] = [
  ['2 two', '2'],
  ['4 four', '4'],
  ['5 five', '5'],
  ['6 six', '6', '7', '8'],
  ['7 seven', '7', '8'],
  ['8 eight', '8', '9', '10', '12', '15'],
];

function* seatPhrases(): Generator<readonly [string, Meaning]> {
  for (const [names, ...counts] of SEATS)
    for (const name of names.split(' ')) {
      const phrases = `${name} seater, ${name} seat, ${name} seats, ${name} passenger, ${name} passengers, seats ${name}, seat ${name}, seating for ${name}, room for ${name}, fits ${name}, fit ${name}, fit ${name} people, ${name} people`;
      for (const phrase of phrases.split(', ')) yield [phrase, [['seatCount', ...counts]]];
      if (Number(counts[0]) > 5) yield [`family of ${name}`, [['seatCount', ...counts]]];
    }
}

/** Every phrase that doesn't depend on the stock. The first meaning of a phrase wins; one without a meaning is left out. */
export function* commonPhrases(): Generator<readonly [phrase: string, meaning: Meaning]> {
  for (const phrase of UNSUPPORTED.flatMap((text) => [text, `${text}s`])) yield [phrase, []];
  for (const [phrases, ...meaning] of TABLE)
    for (const phrase of phrases.split(', ')) {
      yield [phrase, meaning];
      if (!phrase.endsWith('s')) yield [`${phrase}s`, meaning];
    }
  yield* colorPhrases();
  yield* seatPhrases();
  for (const [code, { label }] of Object.entries(BODY_STYLES)) yield [label, [['vehicleStyleCode', code]]];
  for (const [code, label] of Object.entries(FUEL_GROUPS)) yield [label, [['fuelTypeGroup', code]]];
  for (const [code, label] of Object.entries(FEATURES)) yield [label, [['featureCode', code]]];
}

/** Words before something that is not wanted, or is only compared with. */
export const NEGATIONS: readonly string[] =
  `no, not, non, without, except, except for, excluding, exclude, avoid, avoiding, hate, never, nor, minus, anything but,
  everything but, other than, rather than, instead of, bigger than, larger than, smaller than, nothing, none of,
  replace, replacing, replacement for, trading in, trade in, trading, get rid of, getting rid of, sick of, tired of, skip, forget, coming from, moving from,
  upgrade from, upgrading from, downsizing from, sold my, sell my, selling my, totaled my, i have a, i drive a, we have a, currently drive a,
  currently driving a, currently have a, my current, my old, our old, my last, alternative to, alternatives to, cheaper than, better than`
    .split(/,\s*/)
    .map((phrase) => phrase.replace(/\s+/g, ' '));

/** Words between a negation and what it negates. */
export const NEGATION_LINKS: ReadonlySet<string> = new Set(
  `a an the any in with from to be have has having had want wanting need like really too very of my our old
  current one ones those these looking for interested into made by at on are is it too much more get getting buy buying`.split(
    /\s+/,
  ),
);

/** Words that say nothing about the vehicle. */
export const FILLERS: ReadonlySet<string> = new Set(
  `a about able actually afford after again all also although always am an and another any anybody anyone anything anyway appreciate
  are area around as ask advice asking at auto autos automobile automobiles available back be bc because been before being best
  better between both brand budget but buy buyer buyers buying by call came can car cars case come comes coming condition
  consider considering cost costs could currently dad daughter day days decent deciding deciding definitely desperately did
  do does doing done dont down drive driven driver drives driving during each either else engine especially etc even ever every
  everyday everything everyone excellent extra fairly feature features featured find finding first folks for forward friend
  friends from full fully future gave get gets getting gf gift girlfriend give given go going gonna good got gotta great grandma grandpa
  had has have having he hello help helping her here hers hey hi him his home hope hoping hopefully house how however hubby
  husband i id ideal ideally idea ideas if ill im in include included includes including inside interested interior into is
  it item its ive just kid kids kind kinda kinds know last later least let lets like liked likely liking literally
  little local located location look looked looking looks lookin lot lots love made mainly make makes making man many market may
  maybe me metro might mileage miles mine mind mom month months more most mostly mother much must my myself name near nearby nearly need
  needed needing needs new next nice not now of offer offers ok okay on once one ones only onto open option options or
  other others our out outside over own owner paint parents part past pay paying people perfect perfectly per person pick picking place
  plan planning please plus pls plz possible possibly potentially prefer preferable preferably preference preferred pretty price
  priced prices pricing probably purchase purchasing put quick quickly question quite rather ready really
  reasonable reasonably recently recommend recommendation recommendations recommended recommending replace requirement
  requirements ride rides right room running said sale same saving say search searching seat seats see seeing seek seeking sell
  seller selling set several shape she shop shopping should show since sister so solid some somebody someone something sometimes
  somewhere son soon spend spending spouse start started still stock style stuff such suggest suggestion
  suggestions suited super sure take taken taking teen teenager teenage than thank thanks thanx that the their them then there these they thing things
  think thinking this those though through thru till time times to today together too total totally toward transmission try trying type u up upgrade upto
  ur us use used-to useful using usually various vehicle vehicles very via vs wanna want wanted wanting wants was way we well went were what whatever
  when where whether which while who whoever whole whose why wife will willing wish with within would ya yall yeah year years yes yet you
  your youre ve re ll wo ca two three four five six iso wtb wtt thoughts opinions luck stay stays payment payments town fine
  starts starting summer ish rig get-go finds cash trip trips`
    .split(/\s+/)
    .filter(Boolean),
);

/** Ordinary words that differ from a name by a letter; they are never corrected. */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `while write couple civil charge charged changer track trunk trick range ranges danger weather whether commute college
  forest force food form fort port sort short sport sports report honest miles mild wild cheap sedate hatchet hunter capable
  accordingly affordably explore explored exploring escaped focused fusions cruise cruises cruising cruiser compassion bread
  beach reach teach coach could would should space spaces grace brake brakes break green greed broken golden silly table stable
  maintain mountain mountains camper campers camping camera cameras towing trailer trailers roads snow winter leash leased lease
  title titles price prices prize light lights right rights sight might night tight highway engine rouge roughly optional options
  option fits flexible fittest tundras titanic pilots passports motor motors motels models model nature mature manually automatics
  hybridize leathery heater heating heats seating seatbelt seatbelts wheels whole wheeler wagons grand brand stick sticks sticker
  manuals manager black-book blues reds grey greyed whites greens browns purple orangey golds sliders silvers dealers dealt
  deals diesels electricity electrical electronic electronics gasket gassed hatches coupes couples couped convertibles roadsters
  changes changed details letters letter account accounts company companies carry carries forever serious challenge challenges
  automated automate automation discover recover defense defend storage stored maximum compare accept accepts forth optimal roll roles
  blank stronger tracks stack stacks metric express purpose purposes breaker breakers beaten feat fashion ancient audit infinite bend
  roman blaze minimal minimalist clarify navigate rancher ranchers cleaner cheaply suburbs vintage generic defended stranger encode
  patrick charles january catalan greek clearer throwing timing timings prepare propose account transient insights employer estates vanish vans trucking trucker truckers pickups crossovers crossover suvs used user users uses usage`.split(
    /\s+/,
  ),
);
