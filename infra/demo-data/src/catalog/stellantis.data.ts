import { diesel, electric, flexFuel, gas, make, model, plugIn } from './define.ts';

export const RAM = make('Ram', { wmi: '1C6' }, [
  model(
    '1500',
    {
      body: 'TRUCKS',
      years: [2011],
      sales: 300,
      seats: 6,
      cabs: ['EXTCAB', 'CREWCAB'],
      beds: ['SHORT', 'STANDARD'],
    },
    gas('3.6L V6', 'RA', [20, 25], {
      Tradesman: 40275,
      'Big Horn': 44900,
      'Lone Star': 44900,
      Laramie: 57500,
    }),
    gas(
      '5.7L V8',
      'RA',
      [17, 22],
      {
        Tradesman: 43500,
        'Big Horn': 47500,
        'Lone Star': 47500,
        Laramie: 59500,
        Rebel: 62500,
        Sport: 53500,
        Limited: 70500,
        Longhorn: 68500,
      },
      { years: [2011, 2024] },
    ),
    gas(
      '3.0L I6 Turbo',
      'RA',
      [18, 25],
      { 'Big Horn': 49500, Laramie: 61500, Rebel: 66500, Limited: 76500, Tungsten: 88500, RHO: 71500 },
      { years: [2025], cabs: ['CREWCAB'] },
    ),
    gas(
      '6.2L V8 Supercharged',
      'A',
      [10, 14],
      { TRX: 95500 },
      { years: [2021, 2024], cabs: ['CREWCAB'], beds: ['SHORT'], seats: 5 },
    ),
    diesel('3.0L V6 Turbo', 'RA', [22, 29], { 'Big Horn': 49900, Laramie: 60500 }, { years: [2014, 2023] }),
    flexFuel(
      '3.6L V6',
      'RA',
      [17, 25],
      { Tradesman: 35500, Express: 36500 },
      { years: [2013, 2018], cabs: ['REGCAB', 'EXTCAB'], beds: ['STANDARD', 'LONG'] },
    ),
  ),
  model(
    '2500',
    {
      body: 'TRUCKS',
      years: [2011],
      sales: 100,
      seats: 6,
      cabs: ['REGCAB', 'CREWCAB', 'CREWMAX'],
      beds: ['STANDARD', 'LONG'],
    },
    gas(
      '6.4L V8',
      'RA',
      [],
      { Tradesman: 46500, 'Big Horn': 52500, Laramie: 63500, 'Power Wagon': 72500 },
      { years: [2014] },
    ),
    diesel(
      '6.7L I6 Turbo',
      'RA',
      [],
      { Tradesman: 58500, 'Big Horn': 64500, Laramie: 75500, Longhorn: 85500, Limited: 89500 },
      { cabs: ['CREWCAB', 'CREWMAX'] },
    ),
  ),
  model(
    '3500',
    {
      body: 'TRUCKS',
      years: [2011],
      sales: 55,
      seats: 6,
      cabs: ['REGCAB', 'CREWCAB', 'CREWMAX'],
      beds: ['LONG'],
      commercial: true,
    },
    diesel('6.7L I6 Turbo', 'RA', [], { Tradesman: 60500, 'Big Horn': 66500, Laramie: 77500 }),
    gas('6.4L V8', 'RA', [], { Tradesman: 48500, 'Big Horn': 54500 }, { years: [2014] }),
  ),
  model(
    '5500 Chassis',
    {
      body: 'TRUCKS',
      years: [2011],
      sales: 12,
      doors: 2,
      seats: 3,
      cabs: ['REGCAB', 'CREWCAB'],
      commercial: true,
    },
    diesel('6.7L I6 Turbo', 'RA', [], { Tradesman: 66500, SLT: 70500 }),
  ),
  model(
    'ProMaster 1500',
    { body: 'VANS', years: [2014], sales: 18, subtype: 'CARGOVAN', commercial: true, series: 'ProMaster' },
    gas('3.6L V6', 'F', [], { 'Low Roof': 45500, 'High Roof': 48500 }),
  ),
  model(
    'ProMaster 2500',
    { body: 'VANS', years: [2014], sales: 40, subtype: 'CARGOVAN', commercial: true, series: 'ProMaster' },
    gas('3.6L V6', 'F', [], { 'High Roof': 50500, 'High Roof SLT': 52500 }),
  ),
  model(
    'ProMaster 3500',
    { body: 'VANS', years: [2014], sales: 15, subtype: 'CARGOVAN', commercial: true, series: 'ProMaster' },
    gas('3.6L V6', 'F', [], { 'High Roof Extended': 53500 }),
    gas('3.6L V6', 'F', [], { Cutaway: 45900 }, { subtype: 'CUTAWAYVAN' }),
  ),
  model(
    'ProMaster City',
    { body: 'VANS', years: [2015, 2022], sales: 13, subtype: 'CARGOVAN', commercial: true },
    gas('2.4L I4', 'F', [21, 28], { Tradesman: 27500, SLT: 29500 }),
  ),
]);

export const JEEP = make('Jeep', { wmi: '1C4' }, [
  model(
    'Wrangler',
    { body: 'SUVCROSS', years: [1987], sales: 160, subtype: 'MIDSIZESUV' },
    gas(
      '3.6L V6',
      'A',
      [17, 23],
      { Sport: 33690, 'Sport S': 37500, Sahara: 47500, Rubicon: 48500, Willys: 41500 },
      { years: [2012], gearbox: ['AUT', 'MAN'] },
    ),
    gas('2.0L I4 Turbo', 'A', [21, 22], { Sport: 36500, Sahara: 49500, Rubicon: 50500 }, { years: [2018] }),
    gas('6.4L V8', 'A', [13, 16], { 'Rubicon 392': 96000 }, { years: [2021, 2025] }),
  ),
  model(
    'Wrangler 4xe',
    { body: 'SUVCROSS', years: [2021, 2025], sales: 55, subtype: 'MIDSIZESUV', series: 'Wrangler' },
    plugIn('2.0L I4 Turbo Plug-in Hybrid', 'A', [20, 20, 21], {
      'Sport S': 50695,
      Willys: 54500,
      Sahara: 58500,
      Rubicon: 63500,
    }),
  ),
  model(
    'Gladiator',
    { body: 'TRUCKS', years: [2020], sales: 60, cabs: ['CREWCAB'], beds: ['SHORT'] },
    gas(
      '3.6L V6',
      'A',
      [17, 22],
      { Sport: 38500, Overland: 47500, Mojave: 52500, Rubicon: 52500 },
      { gearbox: ['AUT', 'MAN'] },
    ),
  ),
  model(
    'Grand Cherokee',
    { body: 'SUVCROSS', years: [1993], sales: 220, subtype: 'MIDSIZESUV' },
    gas(
      '3.6L V6',
      'RA',
      [19, 26],
      { Laredo: 38500, Altitude: 43500, Limited: 46500, Overland: 56500, Summit: 61500 },
      { years: [2011] },
    ),
    gas('5.7L V8', 'A', [14, 22], { Overland: 57500, Summit: 62500 }, { years: [2011, 2022] }),
    gas('6.4L V8', 'A', [13, 19], { SRT: 69500 }, { years: [2012, 2021] }),
    gas('6.2L V8 Supercharged', 'A', [11, 17], { Trackhawk: 89500 }, { years: [2018, 2021] }),
  ),
  model(
    'Grand Cherokee 4xe',
    { body: 'SUVCROSS', years: [2022, 2025], sales: 35, subtype: 'MIDSIZESUV', series: 'Grand Cherokee' },
    plugIn('2.0L I4 Turbo Plug-in Hybrid', 'A', [23, 24, 25], {
      Base: 60490,
      Overland: 68500,
      Summit: 73500,
      Trailhawk: 65500,
    }),
  ),
  model(
    'Grand Cherokee L',
    { body: 'SUVCROSS', years: [2021], sales: 60, subtype: 'MIDSIZESUV', seats: 7, series: 'Grand Cherokee' },
    gas('3.6L V6', 'RA', [18, 25], { Laredo: 41500, Limited: 48500, Overland: 58500, Summit: 63500 }),
  ),
  model(
    'Cherokee',
    { body: 'SUVCROSS', years: [2014, 2023], sales: 150, subtype: 'COMPACTSUV' },
    gas('2.4L I4', 'FA', [22, 31], { Latitude: 29500, 'Latitude Plus': 31500, Altitude: 30500 }),
    gas('3.2L V6', 'FA', [20, 29], { Limited: 37500, Trailhawk: 38500, Overland: 40500 }),
  ),
  model(
    'Compass',
    { body: 'SUVCROSS', years: [2007], sales: 110, subtype: 'COMPACTSUV' },
    gas(
      '2.4L I4',
      'FA',
      [22, 30],
      { Sport: 26500, Latitude: 28500, Limited: 32500, Trailhawk: 33500 },
      { years: [2017, 2022] },
    ),
    gas(
      '2.0L I4 Turbo',
      'A',
      [24, 32],
      { Sport: 27900, Latitude: 30500, Limited: 34500, Trailhawk: 35500 },
      { years: [2023] },
    ),
  ),
  model(
    'Renegade',
    { body: 'SUVCROSS', years: [2015, 2023], sales: 70, subtype: 'SUBCOMPACTSUV' },
    gas(
      '2.4L I4',
      'FA',
      [22, 30],
      { Sport: 24500, Latitude: 26500, Limited: 29500 },
      { years: [2015, 2021] },
    ),
    gas(
      '1.3L I4 Turbo',
      'A',
      [23, 29],
      { Latitude: 29500, Trailhawk: 32500, Limited: 32900 },
      { years: [2019, 2023] },
    ),
  ),
  model(
    'Wagoneer',
    { body: 'SUVCROSS', years: [2022], sales: 20, subtype: 'FULLSIZESUV', seats: 8 },
    gas('3.0L I6 Turbo', 'RA', [17, 23], { Base: 62500, 'Series II': 69500, 'Series III': 76500 }),
  ),
  model(
    'Grand Wagoneer',
    { body: 'SUVCROSS', years: [2022], sales: 11, subtype: 'FULLSIZESUV', seats: 7 },
    gas('3.0L I6 Turbo', 'A', [14, 20], { Base: 86500, 'Series II': 94500, 'Series III': 108500 }),
  ),
  model(
    'Patriot',
    { body: 'SUVCROSS', years: [2007, 2017], sales: 80, subtype: 'COMPACTSUV', gearbox: ['AUT', 'MAN'] },
    gas('2.4L I4', 'FA', [22, 28], { Sport: 18500, Latitude: 22500, 'High Altitude': 25500 }),
  ),
  model(
    'Liberty',
    { body: 'SUVCROSS', years: [2008, 2012], sales: 65, subtype: 'MIDSIZESUV' },
    gas('3.7L V6', 'RA', [15, 21], { Sport: 23500, Latitude: 26000, Limited: 27500 }),
  ),
  model(
    'Wagoneer S',
    { body: 'SUVCROSS', years: [2024], sales: 10, subtype: 'MIDSIZESUV' },
    electric('Dual Motor', 'A', [104, 87, 294], { Limited: 66995, Launch: 71995 }),
  ),
]);

export const DODGE = make('Dodge', { wmi: '2C3' }, [
  model(
    'Challenger',
    { body: 'COUPE', years: [2008, 2023], sales: 55, seats: 5, gearbox: ['AUT', 'MAN'] },
    gas('3.6L V6', 'RA', [19, 30], { SXT: 32500, GT: 35500 }, { years: [2011, 2023], gearbox: ['AUT'] }),
    gas('5.7L V8', 'R', [15, 23], { 'R/T': 39500 }),
    gas('6.4L V8', 'R', [14, 23], { 'R/T Scat Pack': 48500 }, { years: [2015, 2023] }),
    gas(
      '6.2L V8 Supercharged',
      'R',
      [13, 21],
      { 'SRT Hellcat': 71500, 'SRT Hellcat Redeye': 83500 },
      { years: [2015, 2023] },
    ),
  ),
  model(
    'Charger',
    { body: 'SEDAN', years: [2006], sales: 80, subtype: 'FULLSIZESEDAN' },
    gas('3.6L V6', 'RA', [19, 30], { SXT: 33500, GT: 36500 }, { years: [2011, 2023] }),
    gas('5.7L V8', 'R', [16, 25], { 'R/T': 42500 }, { years: [2006, 2023] }),
    gas('6.4L V8', 'R', [15, 24], { 'Scat Pack': 50500 }, { years: [2015, 2023] }),
    gas('6.2L V8 Supercharged', 'R', [12, 21], { 'SRT Hellcat': 79500 }, { years: [2015, 2023] }),
    electric(
      'Dual Motor',
      'A',
      [81, 73, 308],
      { 'Daytona R/T': 59595, 'Daytona Scat Pack': 73190 },
      { body: 'COUPE', years: [2024], seats: 5 },
    ),
  ),
  model(
    'Durango',
    { body: 'SUVCROSS', years: [1998], sales: 65, subtype: 'MIDSIZESUV', seats: 7 },
    gas('3.6L V6', 'RA', [19, 26], { SXT: 38500, GT: 43500, Citadel: 51500 }, { years: [2011] }),
    gas('5.7L V8', 'RA', [14, 22], { 'R/T': 52500 }, { years: [2011] }),
    gas('6.2L V8 Supercharged', 'A', [12, 17], { 'SRT Hellcat': 81500 }, { years: [2021] }),
    gas(
      '3.6L V6',
      'A',
      [18, 25],
      { Pursuit: 42500 },
      { body: 'SUV', subtype: 'COMMERCIALSUV', years: [2018], seats: 5, commercial: true },
    ),
  ),
  model(
    'Journey',
    { body: 'SUVCROSS', years: [2009, 2020], sales: 85, subtype: 'MIDSIZESUV', seats: 7 },
    gas('2.4L I4', 'F', [19, 25], { SE: 24500, SXT: 27500, Crossroad: 29500 }),
    flexFuel('3.6L V6', 'FA', [17, 25], { 'R/T': 34500, GT: 34500 }, { years: [2011, 2019] }),
  ),
  model(
    'Grand Caravan',
    { body: 'VANMV', years: [1984, 2020], sales: 130, subtype: 'MINIVAN', seats: 7 },
    flexFuel('3.6L V6', 'F', [17, 25], { SE: 27500, SXT: 31500, GT: 34500 }, { years: [2011, 2019] }),
    gas('3.6L V6', 'F', [17, 25], { SE: 28500, SXT: 31900 }, { years: [2020, 2020] }),
  ),
  model(
    'Dart',
    { body: 'SEDAN', years: [2013, 2016], sales: 80, subtype: 'COMPACTSEDAN', gearbox: ['AUT', 'MAN'] },
    gas('2.4L I4', 'F', [23, 35], { SXT: 20500, GT: 22500, Limited: 23500 }),
  ),
  model(
    'Hornet',
    { body: 'SUVCROSS', years: [2023, 2025], sales: 15, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [21, 29], { GT: 31500, 'GT Plus': 36500 }),
    plugIn('1.3L I4 Turbo Plug-in Hybrid', 'A', [29, 29, 32], { 'R/T': 42500 }, { years: [2024, 2025] }),
  ),
  model(
    'Avenger',
    { body: 'SEDAN', years: [2008, 2014], sales: 75, subtype: 'MIDSIZESEDAN' },
    gas('2.4L I4', 'F', [21, 30], { SE: 20600, SXT: 22300 }),
    gas('3.6L V6', 'F', [19, 29], { 'R/T': 25800 }, { years: [2011] }),
  ),
]);

export const CHRYSLER = make('Chrysler', { wmi: '2C4' }, [
  model(
    'Pacifica',
    { body: 'VANMV', years: [2017], sales: 115, subtype: 'MINIVAN', seats: 7 },
    gas('3.6L V6', 'FA', [19, 28], { 'Touring L': 42500, Select: 44500, Limited: 49500, Pinnacle: 55500 }),
    plugIn(
      '3.6L V6 Plug-in Hybrid',
      'F',
      [29, 30, 32],
      { 'Hybrid Select': 51500, 'Hybrid Limited': 54500, 'Hybrid Pinnacle': 60500 },
      { years: [2017, 2025] },
    ),
  ),
  model(
    'Voyager',
    { body: 'VANMV', years: [2020], sales: 15, subtype: 'MINIVAN', seats: 7 },
    gas('3.6L V6', 'F', [19, 28], { LX: 39995 }),
  ),
  model(
    '300',
    { body: 'SEDAN', years: [2005, 2023], sales: 45, subtype: 'FULLSIZESEDAN' },
    gas(
      '3.6L V6',
      'RA',
      [19, 30],
      { Touring: 34500, 'Touring L': 36500, Limited: 40500, S: 42500 },
      { years: [2011, 2023] },
    ),
    gas('5.7L V8', 'R', [16, 25], { '300C': 46500, '300S V8': 45500 }, { years: [2005, 2022] }),
  ),
  model(
    '200',
    { body: 'SEDAN', years: [2011, 2017], sales: 130, subtype: 'MIDSIZESEDAN' },
    gas('2.4L I4', 'F', [23, 36], { LX: 23500, Limited: 26500, S: 27500 }),
    gas('3.6L V6', 'FA', [19, 32], { C: 30500 }),
    gas('2.4L I4', 'F', [18, 29], { Touring: 28500 }, { body: 'CONVERT', years: [2011, 2014] }),
  ),
  model(
    'Town & Country',
    { body: 'VANMV', years: [1990, 2016], sales: 110, subtype: 'MINIVAN', seats: 7 },
    flexFuel(
      '3.6L V6',
      'F',
      [17, 25],
      { Touring: 32500, 'Touring-L': 35500, Limited: 41500 },
      { years: [2011, 2016] },
    ),
  ),
]);

export const FIAT = make('FIAT', { wmi: '3C3' }, [
  model(
    '500',
    { body: 'HATCH', years: [2012, 2019], sales: 25, doors: 2, seats: 4, gearbox: ['AUT', 'MAN'] },
    gas('1.4L I4', 'F', [28, 33], { Pop: 17500, Lounge: 20500 }),
    gas('1.4L I4 Turbo', 'F', [28, 33], { Abarth: 22500 }),
  ),
  model(
    '500e',
    { body: 'HATCH', years: [2013], sales: 4, doors: 2, seats: 4 },
    electric('Single Motor', 'F', [127, 104, 149], { Base: 32500, Red: 34095 }, { years: [2024] }),
    electric('Single Motor', 'F', [121, 103, 84], { Base: 33000 }, { years: [2013, 2019] }),
  ),
  model(
    '500X',
    { body: 'SUVCROSS', years: [2016, 2023], sales: 8, subtype: 'SUBCOMPACTSUV' },
    gas('1.3L I4 Turbo', 'A', [24, 30], { Pop: 28500, Sport: 31500, Trekking: 30500 }),
  ),
]);

export const ALFA_ROMEO = make('Alfa Romeo', { wmi: 'ZAR', luxury: true }, [
  model(
    'Giulia',
    { body: 'SEDAN', years: [2017], sales: 8, subtype: 'LUXURYSEDAN' },
    gas('2.0L I4 Turbo', 'RA', [24, 33], { Sprint: 44500, Sport: 43500, Ti: 47500, Veloce: 51500 }),
    gas('2.9L V6 Turbo', 'R', [17, 25], { Quadrifoglio: 81500 }),
  ),
  model(
    'Stelvio',
    { body: 'SUVCROSS', years: [2018], sales: 9, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [22, 29], { Sprint: 47500, Sport: 46500, Ti: 50500, Veloce: 54500 }),
    gas('2.9L V6 Turbo', 'A', [17, 23], { Quadrifoglio: 89500 }),
  ),
  model(
    'Tonale',
    { body: 'SUVCROSS', years: [2024], sales: 4, subtype: 'COMPACTSUV' },
    plugIn('1.3L I4 Turbo Plug-in Hybrid', 'A', [29, 29, 33], { Sprint: 43500, Veloce: 49500 }),
  ),
]);

export const MASERATI = make('Maserati', { wmi: 'ZAM', luxury: true }, [
  model(
    'Ghibli',
    { body: 'SEDAN', years: [2014, 2024], sales: 4, subtype: 'LUXURYSEDAN' },
    gas('3.0L V6 Turbo', 'RA', [17, 25], { Base: 79500, GT: 86500, Modena: 91500, 'Modena Q4': 95500 }),
  ),
  model(
    'Levante',
    { body: 'SUVCROSS', years: [2017, 2024], sales: 5, subtype: 'MIDSIZESUV' },
    gas('3.0L V6 Turbo', 'A', [16, 22], { Base: 86500, GT: 92500, Modena: 99500 }),
  ),
  model(
    'Grecale',
    { body: 'SUVCROSS', years: [2023], sales: 3, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [22, 29], { GT: 69500, Modena: 77500 }),
  ),
  model(
    'Quattroporte',
    { body: 'SEDAN', years: [2004, 2023], sales: 2, subtype: 'LUXURYSEDAN' },
    gas('3.0L V6 Turbo', 'RA', [16, 24], { S: 109500, 'Modena Q4': 119500 }, { years: [2014, 2023] }),
  ),
]);
