import { diesel, electric, gas, make, model, plugIn } from './define.ts';

export const VOLKSWAGEN = make('Volkswagen', { wmi: '3VW', aliases: ['VW'] }, [
  model(
    'Jetta',
    { body: 'SEDAN', years: [1980], sales: 75, subtype: 'COMPACTSEDAN', gearbox: ['AUT', 'MAN'] },
    gas('1.5L I4 Turbo', 'F', [29, 40], { S: 22495, Sport: 24500, SE: 25500, SEL: 29500 }, { years: [2022] }),
    gas(
      '1.4L I4 Turbo',
      'F',
      [30, 40],
      { S: 19500, SE: 22500, 'R-Line': 23500, SEL: 25500 },
      { years: [2016, 2021] },
    ),
    diesel('2.0L I4 Turbo', 'F', [31, 46], { TDI: 25500 }, { years: [2009, 2015] }),
  ),
  model(
    'Jetta GLI',
    {
      body: 'SEDAN',
      years: [2012],
      sales: 9,
      subtype: 'COMPACTSEDAN',
      gearbox: ['AUT', 'MAN'],
      series: 'Jetta',
    },
    gas('2.0L I4 Turbo', 'F', [26, 36], { S: 29500, Autobahn: 33000 }),
  ),
  model(
    'Passat',
    { body: 'SEDAN', years: [1990, 2022], sales: 55, subtype: 'MIDSIZESEDAN' },
    gas(
      '2.0L I4 Turbo',
      'F',
      [24, 36],
      { S: 24500, SE: 27900, 'R-Line': 30500, SEL: 31500 },
      { years: [2018, 2022] },
    ),
    gas('1.8L I4 Turbo', 'F', [24, 36], { S: 23500, SE: 27500, SEL: 33500 }, { years: [2014, 2017] }),
  ),
  model(
    'Golf',
    { body: 'HATCH', years: [1985, 2021], sales: 25, gearbox: ['AUT', 'MAN'] },
    gas('1.4L I4 Turbo', 'F', [29, 37], { S: 22500, SE: 25500, TSI: 24500 }, { years: [2015, 2021] }),
  ),
  model(
    'Golf GTI',
    { body: 'HATCH', years: [2006], sales: 12, gearbox: ['AUT', 'MAN'], series: 'Golf' },
    gas('2.0L I4 Turbo', 'F', [24, 33], { S: 32500, SE: 37500, Autobahn: 41000 }),
  ),
  model(
    'Golf R',
    { body: 'HATCH', years: [2012], sales: 4, gearbox: ['AUT', 'MAN'], series: 'Golf' },
    gas('2.0L I4 Turbo', 'A', [22, 31], { Base: 47500, 'Black Edition': 49000 }),
  ),
  model(
    'Beetle',
    { body: 'HATCH', years: [2012, 2019], sales: 14, doors: 2, seats: 4 },
    gas('2.0L I4 Turbo', 'F', [26, 33], { S: 21500, SE: 24500 }),
    gas('2.0L I4 Turbo', 'F', [26, 33], { S: 26500, 'Final Edition SE': 28500 }, { body: 'CONVERT' }),
  ),
  model(
    'Taos',
    { body: 'SUVCROSS', years: [2022], sales: 60, subtype: 'SUBCOMPACTSUV' },
    gas('1.5L I4 Turbo', 'FA', [28, 36], { S: 24995, SE: 27500, SEL: 33000 }),
  ),
  model(
    'Tiguan',
    { body: 'SUVCROSS', years: [2009], sales: 100, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'FA', [24, 32], {
      S: 29500,
      SE: 32500,
      'SE R-Line Black': 35500,
      SEL: 38000,
      'SEL R-Line': 39500,
    }),
  ),
  model(
    'ID.4',
    { body: 'SUVCROSS', years: [2021, 2025], sales: 30, subtype: 'COMPACTSUV' },
    electric('Single Motor', 'R', [122, 104, 291], { Limited: 45095, Pro: 45095, 'Pro S': 50195 }),
    electric('Dual Motor', 'A', [107, 96, 263], { 'AWD Pro': 49000, 'AWD Pro S': 54095 }),
  ),
  model(
    'ID. Buzz',
    { body: 'VANMV', years: [2025], sales: 8, subtype: 'MINIVAN', seats: 7 },
    electric('Single Motor', 'R', [88, 77, 234], { 'Pro S': 59995 }),
    electric('Dual Motor', 'A', [85, 74, 231], { 'Pro S 4Motion': 67995 }),
  ),
  model(
    'Atlas',
    { body: 'SUVCROSS', years: [2018], sales: 75, subtype: 'MIDSIZESUV', seats: 7 },
    gas('2.0L I4 Turbo', 'FA', [20, 27], {
      SE: 38200,
      'SE Technology': 42000,
      'Peak Edition SE': 45000,
      SEL: 47000,
      'SEL Premium R-Line': 52500,
    }),
    gas('3.6L V6', 'FA', [17, 23], { SE: 36500, SEL: 43500, 'SEL Premium': 49500 }, { years: [2018, 2023] }),
  ),
  model(
    'Atlas Cross Sport',
    { body: 'SUVCROSS', years: [2020], sales: 38, subtype: 'MIDSIZESUV' },
    gas('2.0L I4 Turbo', 'FA', [20, 28], {
      SE: 37200,
      'SE Technology': 41000,
      SEL: 46000,
      'SEL R-Line': 49000,
    }),
  ),
  model(
    'Arteon',
    { body: 'HATCH', years: [2019, 2023], sales: 5 },
    gas('2.0L I4 Turbo', 'FA', [22, 31], { SE: 36995, 'SEL R-Line': 41500, 'SEL Premium R-Line': 48500 }),
  ),
  model(
    'CC',
    { body: 'SEDAN', years: [2009, 2017], sales: 18, subtype: 'MIDSIZESEDAN', gearbox: ['AUT', 'MAN'] },
    gas('2.0L I4 Turbo', 'F', [22, 31], { Sport: 32700, 'R-Line': 34800 }),
    gas('3.6L V6', 'A', [17, 25], { 'VR6 4Motion': 43100 }),
  ),
  model(
    'Touareg',
    { body: 'SUVCROSS', years: [2011, 2017], sales: 7, subtype: 'MIDSIZESUV' },
    gas('3.6L V6', 'A', [17, 23], { Sport: 44700, Lux: 50900, Executive: 58700 }),
    diesel('3.0L V6 Diesel', 'A', [20, 29], { 'TDI Lux': 55500 }, { years: [2011, 2016] }),
  ),
]);

export const AUDI = make('Audi', { wmi: 'WAU', luxury: true }, [
  model(
    'A3',
    { body: 'SEDAN', years: [2006], sales: 10, subtype: 'LUXURYSEDAN' },
    gas('2.0L I4 Turbo', 'FA', [28, 38], { '40 Premium': 35900, '40 Premium Plus': 39500, Premium: 38500 }),
  ),
  model(
    'A4',
    { body: 'SEDAN', years: [1996, 2025], sales: 22, subtype: 'LUXURYSEDAN' },
    gas('2.0L I4 Turbo', 'A', [25, 33], {
      '40 Premium': 41500,
      '45 S line Premium': 46500,
      '45 S line Premium Plus': 50500,
      Premium: 40500,
    }),
  ),
  model(
    'A5',
    { body: 'COUPE', years: [2008, 2024], sales: 8 },
    gas('2.0L I4 Turbo', 'A', [24, 32], { '45 S line Premium': 48500, '45 S line Premium Plus': 52500 }),
    gas('2.0L I4 Turbo', 'A', [23, 31], { '45 S line Premium Plus': 60500 }, { body: 'CONVERT' }),
  ),
  model(
    'A5 Sportback',
    { body: 'HATCH', years: [2018], sales: 14, series: 'A5' },
    gas('2.0L I4 Turbo', 'A', [24, 32], { '45 S line Premium': 49500, '45 S line Premium Plus': 53500 }),
  ),
  model(
    'A6',
    { body: 'SEDAN', years: [1995], sales: 12, subtype: 'LUXURYSEDAN' },
    gas('2.0L I4 Turbo', 'A', [23, 31], { '45 Premium': 58500, '45 Premium Plus': 61500 }),
    gas('3.0L V6 Turbo', 'A', [20, 29], { '55 Prestige': 71500 }),
  ),
  model(
    'A8',
    { body: 'SEDAN', years: [1997, 2025], sales: 2, subtype: 'LUXURYSEDAN' },
    gas('3.0L V6 Turbo', 'A', [19, 27], { 'L 55': 93500 }),
  ),
  model(
    'Q3',
    { body: 'SUVCROSS', years: [2015], sales: 25, subtype: 'SUBCOMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [22, 29], {
      '40 Premium': 39500,
      '45 S line Premium': 41500,
      '45 S line Premium Plus': 44500,
    }),
  ),
  model(
    'Q5',
    { body: 'SUVCROSS', years: [2009], sales: 62, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [23, 29], {
      '40 Premium': 45500,
      '45 Premium': 47500,
      '45 S line Premium Plus': 52500,
      '45 S line Prestige': 58500,
      '2.0T Premium': 43500,
      '2.0T Premium Plus': 47500,
    }),
    plugIn(
      '2.0L I4 Turbo Plug-in Hybrid',
      'A',
      [26, 28, 23],
      { '55 e Premium Plus': 61500 },
      { years: [2020, 2025] },
    ),
    gas('3.0L V6 Turbo', 'A', [19, 24], { 'SQ5 Premium Plus': 60500, 'SQ5 Prestige': 68500 }),
  ),
  model(
    'Q7',
    { body: 'SUVCROSS', years: [2007], sales: 22, subtype: 'MIDSIZESUV', seats: 7 },
    gas('2.0L I4 Turbo', 'A', [20, 26], { '45 Premium': 60500, '45 Premium Plus': 64500 }, { years: [2017] }),
    gas('3.0L V6 Turbo', 'A', [18, 23], {
      '55 Premium Plus': 69500,
      '55 Prestige': 75500,
      '3.0T Premium Plus': 63500,
    }),
  ),
  model(
    'Q8',
    { body: 'SUVCROSS', years: [2019], sales: 10, subtype: 'MIDSIZESUV' },
    gas('3.0L V6 Turbo', 'A', [17, 23], {
      '55 Premium': 74500,
      '55 Premium Plus': 78500,
      '55 Prestige': 86500,
    }),
  ),
  model(
    'Q4 e-tron',
    { body: 'SUVCROSS', years: [2022], sales: 12, subtype: 'COMPACTSUV' },
    electric('Dual Motor', 'A', [112, 94, 258], { '50 Premium': 55200, '55 Premium Plus': 59500 }),
    electric('Single Motor', 'R', [115, 95, 265], { '40 Premium': 49800, '45 Premium': 49800 }),
  ),
  model(
    'Q8 e-tron',
    { body: 'SUVCROSS', years: [2024, 2025], sales: 7, subtype: 'MIDSIZESUV' },
    electric('Dual Motor', 'A', [80, 83, 285], { Premium: 74800, 'Premium Plus': 79000, Prestige: 85500 }),
  ),
  model(
    'e-tron GT',
    { body: 'SEDAN', years: [2022], sales: 3, subtype: 'LUXURYSEDAN' },
    electric('Dual Motor', 'A', [81, 83, 249], { 'Premium Plus': 106500, Prestige: 114500 }),
  ),
  model(
    'TT',
    { body: 'COUPE', years: [2000, 2023], sales: 2 },
    gas('2.0L I4 Turbo', 'A', [23, 31], { '45': 52500 }, { years: [2008, 2023] }),
    gas('2.0L I4 Turbo', 'A', [23, 30], { '45': 56500 }, { body: 'CONVERT', years: [2008, 2023], seats: 2 }),
  ),
  model(
    'A7',
    { body: 'HATCH', years: [2012], sales: 8 },
    gas('3.0L V6 Turbo', 'A', [21, 29], { Premium: 72800, 'Premium Plus': 76600, Prestige: 80500 }),
  ),
  model(
    'Q6 e-tron',
    { body: 'SUVCROSS', years: [2025], sales: 10, subtype: 'MIDSIZESUV' },
    electric('Dual Motor', 'A', [101, 90, 307], { Premium: 65800, 'Premium Plus': 69200, Prestige: 71800 }),
  ),
]);

export const PORSCHE = make('Porsche', { wmi: 'WP0', luxury: true }, [
  model(
    '911',
    { body: 'COUPE', years: [1965], sales: 11, gearbox: ['AUT', 'MAN'] },
    gas(
      '3.0L H6 Turbo',
      'RA',
      [18, 24],
      { Carrera: 127700, 'Carrera S': 148400, 'Carrera 4S': 156000 },
      { years: [2017] },
    ),
    gas('3.7L H6 Turbo', 'A', [15, 20], { 'Turbo S': 230400 }, { gearbox: ['AUT'] }),
    gas('4.0L H6', 'R', [14, 18], { GT3: 222500 }),
    gas('3.0L H6 Turbo', 'RA', [18, 23], { 'Carrera Cabriolet': 141500 }, { body: 'CONVERT', years: [2017] }),
  ),
  model(
    '718 Cayman',
    { body: 'COUPE', years: [2017, 2025], sales: 4, seats: 2, gearbox: ['AUT', 'MAN'] },
    gas('2.0L H4 Turbo', 'R', [21, 27], { Base: 73500, 'Style Edition': 78500 }),
    gas('4.0L H6', 'R', [19, 24], { 'GTS 4.0': 97500 }),
  ),
  model(
    '718 Boxster',
    { body: 'CONVERT', years: [2017, 2025], sales: 3, seats: 2, gearbox: ['AUT', 'MAN'] },
    gas('2.0L H4 Turbo', 'R', [21, 27], { Base: 75500, 'Style Edition': 80500 }),
  ),
  model(
    'Panamera',
    { body: 'HATCH', years: [2010], sales: 4, seats: 4 },
    gas('2.9L V6 Turbo', 'RA', [18, 25], { Base: 106800, '4': 114000 }),
    plugIn('2.9L V6 Turbo Plug-in Hybrid', 'A', [20, 23, 28], { '4 E-Hybrid': 120300 }),
  ),
  model(
    'Taycan',
    { body: 'SEDAN', years: [2020], sales: 6, subtype: 'LUXURYSEDAN', seats: 4 },
    electric('Single Motor', 'R', [90, 96, 274], { Base: 101500 }),
    electric('Dual Motor', 'A', [87, 93, 277], { '4S': 120500, Turbo: 175500 }),
  ),
  model(
    'Macan',
    { body: 'SUVCROSS', years: [2015], sales: 26, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [19, 25], { Base: 62900 }, { years: [2017, 2026] }),
    gas('2.9L V6 Turbo', 'A', [17, 22], { S: 74500, GTS: 88500 }, { years: [2019, 2026] }),
  ),
  model(
    'Macan Electric',
    { body: 'SUVCROSS', years: [2024], sales: 5, subtype: 'COMPACTSUV' },
    electric('Dual Motor', 'A', [98, 90, 308], { '4': 80450, Turbo: 106950 }),
  ),
  model(
    'Cayenne',
    { body: 'SUVCROSS', years: [2003], sales: 21, subtype: 'MIDSIZESUV' },
    gas('3.0L V6 Turbo', 'A', [17, 23], { Base: 86900 }, { years: [2019] }),
    gas('4.0L V8 Turbo', 'A', [15, 20], { S: 104500, GTS: 126500 }, { years: [2019] }),
    gas('3.6L V6', 'A', [18, 24], { Base: 63500 }, { years: [2011, 2018] }),
    plugIn('3.0L V6 Turbo Plug-in Hybrid', 'A', [21, 22, 23], { 'E-Hybrid': 99500 }, { years: [2019] }),
  ),
]);

export const BMW = make('BMW', { wmi: '5UX', luxury: true }, [
  model(
    '230i',
    { body: 'COUPE', years: [2017], sales: 6, series: '2 Series' },
    gas('2.0L I4 Turbo', 'RA', [26, 35], { Base: 39600, xDrive: 41600 }),
  ),
  model(
    'M240i',
    { body: 'COUPE', years: [2017], sales: 5, series: '2 Series' },
    gas('3.0L I6 Turbo', 'RA', [23, 32], { Base: 50600, xDrive: 52600 }),
  ),
  model(
    '330i',
    { body: 'SEDAN', years: [2017], sales: 28, subtype: 'LUXURYSEDAN', series: '3 Series' },
    gas('2.0L I4 Turbo', 'RA', [27, 35], { Base: 46500, xDrive: 48500 }),
  ),
  model(
    '328i',
    { body: 'SEDAN', years: [2007, 2016], sales: 60, subtype: 'LUXURYSEDAN', series: '3 Series' },
    gas('2.0L I4 Turbo', 'RA', [23, 34], { Base: 38500, xDrive: 40500 }, { years: [2012, 2016] }),
  ),
  model(
    'M340i',
    { body: 'SEDAN', years: [2020], sales: 9, subtype: 'LUXURYSEDAN', series: '3 Series' },
    gas('3.0L I6 Turbo', 'RA', [26, 33], { Base: 60600, xDrive: 62600 }),
  ),
  model(
    '430i',
    { body: 'COUPE', years: [2017], sales: 11, series: '4 Series' },
    gas('2.0L I4 Turbo', 'RA', [26, 34], { Base: 50700, xDrive: 52700 }),
    gas('2.0L I4 Turbo', 'RA', [25, 34], { Base: 59300 }, { body: 'CONVERT' }),
  ),
  model(
    '530i',
    { body: 'SEDAN', years: [2017], sales: 20, subtype: 'LUXURYSEDAN', series: '5 Series' },
    gas('2.0L I4 Turbo', 'RA', [27, 35], { Base: 59000, xDrive: 61300 }),
  ),
  model(
    '740i',
    { body: 'SEDAN', years: [2016], sales: 7, subtype: 'LUXURYSEDAN', series: '7 Series' },
    gas('3.0L I6 Turbo', 'RA', [25, 31], { Base: 97300, xDrive: 100300 }),
  ),
  model(
    'M3',
    {
      body: 'SEDAN',
      years: [1988],
      sales: 5,
      subtype: 'LUXURYSEDAN',
      gearbox: ['AUT', 'MAN'],
      series: '3 Series',
    },
    gas('3.0L I6 Turbo', 'RA', [16, 23], { Base: 76700, 'Competition xDrive': 85700 }, { years: [2015] }),
  ),
  model(
    'X1',
    { body: 'SUVCROSS', years: [2013], sales: 25, subtype: 'SUBCOMPACTSUV', series: 'X Models' },
    gas('2.0L I4 Turbo', 'FA', [25, 34], { xDrive28i: 42500, M35i: 51000, sDrive28i: 37500 }),
  ),
  model(
    'X3',
    { body: 'SUVCROSS', years: [2004], sales: 68, subtype: 'COMPACTSUV', series: 'X Models' },
    gas('2.0L I4 Turbo', 'RA', [23, 29], {
      sDrive30i: 47500,
      xDrive30i: 49500,
      '30 xDrive': 50900,
      xDrive28i: 43500,
    }),
    gas('3.0L I6 Turbo', 'A', [22, 28], { M40i: 60500, 'M50 xDrive': 65900 }, { years: [2018] }),
  ),
  model(
    'X5',
    { body: 'SUVCROSS', years: [2000], sales: 72, subtype: 'MIDSIZESUV', series: 'X Models' },
    gas('3.0L I6 Turbo', 'RA', [23, 27], { sDrive40i: 67500, xDrive40i: 69800, xDrive35i: 61500 }),
    plugIn(
      '3.0L I6 Turbo Plug-in Hybrid',
      'A',
      [22, 22, 39],
      { xDrive50e: 74500, xDrive45e: 68500 },
      { years: [2021] },
    ),
    gas('4.4L V8 Turbo', 'A', [17, 22], { xDrive50i: 80500, M60i: 91000 }),
  ),
  model(
    'X7',
    { body: 'SUVCROSS', years: [2019], sales: 27, subtype: 'FULLSIZESUV', seats: 7, series: 'X Models' },
    gas('3.0L I6 Turbo', 'A', [22, 26], { xDrive40i: 85500 }),
    gas('4.4L V8 Turbo', 'A', [17, 22], { M60i: 112000 }),
  ),
  model(
    'Z4',
    { body: 'CONVERT', years: [2003, 2025], sales: 2, seats: 2, series: 'Z4' },
    gas('2.0L I4 Turbo', 'R', [25, 33], { sDrive30i: 55500 }),
    gas('3.0L I6 Turbo', 'R', [23, 31], { M40i: 68500 }),
  ),
  model(
    'i4',
    { body: 'HATCH', years: [2022], sales: 23, series: 'i Models' },
    electric('Single Motor', 'R', [122, 113, 318], { eDrive35: 53000, eDrive40: 58300 }),
    electric('Dual Motor', 'A', [98, 94, 267], { xDrive40: 63000, M50: 71000 }),
  ),
  model(
    'iX',
    { body: 'SUVCROSS', years: [2022], sales: 15, subtype: 'MIDSIZESUV', series: 'i Models' },
    electric('Dual Motor', 'A', [86, 87, 324], { xDrive50: 88500, xDrive45: 75900, M60: 112500 }),
  ),
  model(
    'i3',
    { body: 'HATCH', years: [2014, 2021], sales: 6, seats: 4, series: 'i Models' },
    electric('Single Motor', 'R', [124, 102, 153], { Base: 44450, s: 47650 }),
  ),
  model(
    'X4',
    { body: 'SUVCROSS', years: [2015, 2025], sales: 9, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [21, 28], { xDrive30i: 53600 }, { years: [2019] }),
    gas('3.0L I6 Turbo', 'A', [20, 26], { M40i: 66200 }),
  ),
  model(
    'X6',
    { body: 'SUVCROSS', years: [2008], sales: 9, subtype: 'MIDSIZESUV' },
    gas('3.0L I6 Turbo', 'A', [23, 26], { xDrive40i: 75600 }),
    gas('4.4L V8 Turbo', 'A', [17, 22], { M60i: 96600 }),
  ),
  model(
    'i5',
    { body: 'SEDAN', years: [2024], sales: 9, subtype: 'LUXURYSEDAN' },
    electric('Single Motor', 'R', [104, 102, 295], { eDrive40: 67100 }),
    electric('Dual Motor', 'A', [94, 95, 270], { xDrive40: 70100, M60: 84100 }),
  ),
]);

export const MINI = make('MINI', { wmi: 'WMW' }, [
  model(
    'Hardtop',
    { body: 'HATCH', years: [2002], sales: 14, doors: 2, seats: 4, gearbox: ['AUT', 'MAN'] },
    gas('1.5L I3 Turbo', 'F', [28, 37], { Cooper: 25800 }, { years: [2014, 2024] }),
    gas('2.0L I4 Turbo', 'F', [27, 37], { 'Cooper S': 33500, 'John Cooper Works': 39500 }),
  ),
  model(
    'Convertible',
    { body: 'CONVERT', years: [2005], sales: 4 },
    gas('2.0L I4 Turbo', 'F', [27, 36], { 'Cooper S': 38500, 'Cooper C': 34500 }),
  ),
  model(
    'Clubman',
    { body: 'HATCH', years: [2008, 2024], sales: 5 },
    gas('2.0L I4 Turbo', 'FA', [24, 33], { 'Cooper S': 34500, 'Cooper S ALL4': 37500 }),
  ),
  model(
    'Countryman',
    { body: 'SUVCROSS', years: [2011], sales: 13, subtype: 'SUBCOMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [24, 32], {
      'S ALL4': 38900,
      'Cooper S ALL4': 37500,
      'John Cooper Works ALL4': 46900,
    }),
    electric('Dual Motor', 'A', [106, 89, 212], { 'SE ALL4': 45200 }, { years: [2025] }),
  ),
]);

export const MERCEDES_BENZ = make('Mercedes-Benz', { wmi: '4JG', luxury: true, aliases: ['Mercedes'] }, [
  model(
    'C-Class',
    { body: 'SEDAN', years: [1994], sales: 45, subtype: 'LUXURYSEDAN' },
    gas('2.0L I4 Turbo', 'RA', [25, 35], { 'C 300': 48450, 'C 300 4MATIC': 50450 }),
    gas(
      '2.0L I4 Turbo',
      'RA',
      [22, 29],
      { 'C 300 Cabriolet': 58500 },
      { body: 'CONVERT', years: [2017, 2023] },
    ),
    gas('2.0L I4 Turbo', 'RA', [22, 31], { 'C 300 Coupe': 51500 }, { body: 'COUPE', years: [2012, 2023] }),
  ),
  model(
    'CLA',
    { body: 'SEDAN', years: [2014], sales: 16, subtype: 'LUXURYSEDAN' },
    gas('2.0L I4 Turbo', 'FA', [26, 36], { 'CLA 250': 44400, 'CLA 250 4MATIC': 46400 }),
  ),
  model(
    'E-Class',
    { body: 'SEDAN', years: [1986], sales: 28, subtype: 'LUXURYSEDAN' },
    gas('2.0L I4 Turbo', 'RA', [24, 33], { 'E 350': 62450, 'E 350 4MATIC': 64950, 'E 300': 56500 }),
    gas('3.0L I6 Turbo', 'A', [22, 31], { 'E 450 4MATIC': 69250 }),
    diesel('3.0L V6 Turbo', 'RA', [24, 33], { 'E 250 BlueTEC': 53500 }, { years: [2011, 2016] }),
  ),
  model(
    'S-Class',
    { body: 'SEDAN', years: [1973], sales: 14, subtype: 'LUXURYSEDAN' },
    gas('3.0L I6 Turbo', 'A', [21, 30], { 'S 500 4MATIC': 119500 }, { years: [2021] }),
    gas('4.0L V8 Turbo', 'A', [16, 25], { 'S 580 4MATIC': 130500 }, { years: [2021] }),
    gas('4.7L V8 Turbo', 'RA', [16, 26], { 'S 550': 97500 }, { years: [2012, 2017] }),
  ),
  model(
    'SL-Class',
    { body: 'CONVERT', years: [1973], sales: 4 },
    gas('4.0L V8 Turbo', 'A', [14, 21], { 'SL 55 AMG': 141500 }, { years: [2022] }),
    gas('3.0L V6 Turbo', 'R', [20, 27], { 'SL 450': 92500 }, { years: [2017, 2020], seats: 2 }),
  ),
  model(
    'GLA',
    { body: 'SUVCROSS', years: [2015], sales: 24, subtype: 'SUBCOMPACTSUV' },
    gas('2.0L I4 Turbo', 'FA', [25, 34], { 'GLA 250': 43000, 'GLA 250 4MATIC': 45000 }),
  ),
  model(
    'GLB',
    { body: 'SUVCROSS', years: [2020], sales: 25, subtype: 'SUBCOMPACTSUV', seats: 7 },
    gas('2.0L I4 Turbo', 'FA', [24, 32], { 'GLB 250': 45800, 'GLB 250 4MATIC': 47800 }),
  ),
  model(
    'GLC',
    { body: 'SUVCROSS', years: [2016], sales: 60, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'RA', [24, 32], { 'GLC 300': 49250, 'GLC 300 4MATIC': 51250 }),
    plugIn('2.0L I4 Turbo Plug-in Hybrid', 'A', [25, 26, 54], { 'GLC 350e': 59900 }, { years: [2025] }),
  ),
  model(
    'GLE',
    { body: 'SUVCROSS', years: [2016], sales: 60, subtype: 'MIDSIZESUV' },
    gas('2.0L I4 Turbo', 'RA', [20, 26], { 'GLE 350': 62500, 'GLE 350 4MATIC': 64500 }),
    gas('3.0L I6 Turbo', 'A', [20, 25], { 'GLE 450 4MATIC': 71500 }, { years: [2020] }),
  ),
  model(
    'GLS',
    { body: 'SUVCROSS', years: [2017], sales: 22, subtype: 'FULLSIZESUV', seats: 7 },
    gas('3.0L I6 Turbo', 'A', [19, 24], { 'GLS 450 4MATIC': 90500 }),
    gas('4.0L V8 Turbo', 'A', [15, 21], { 'GLS 580 4MATIC': 115500 }),
  ),
  model(
    'G-Class',
    { body: 'SUVCROSS', years: [2002], sales: 10, subtype: 'MIDSIZESUV' },
    gas('3.0L I6 Turbo', 'A', [16, 20], { 'G 550': 150500 }),
    gas('4.0L V8 Turbo', 'A', [13, 16], { 'G 63 AMG': 189500 }),
  ),
  model(
    'EQS',
    { body: 'HATCH', years: [2022, 2025], sales: 7 },
    electric('Single Motor', 'R', [95, 101, 352], { 'EQS 450+': 104400 }),
    electric('Dual Motor', 'A', [91, 97, 345], { 'EQS 580 4MATIC': 125950 }),
  ),
  model(
    'EQB',
    { body: 'SUVCROSS', years: [2022, 2025], sales: 10, subtype: 'SUBCOMPACTSUV', seats: 7 },
    electric('Single Motor', 'F', [115, 98, 251], { 'EQB 250+': 53050 }),
    electric('Dual Motor', 'A', [98, 92, 221], { 'EQB 300 4MATIC': 56900 }),
  ),
  model(
    'EQE',
    { body: 'SEDAN', years: [2023, 2025], sales: 7, subtype: 'LUXURYSEDAN' },
    electric('Single Motor', 'R', [92, 101, 308], { 'EQE 350+': 74900 }),
    electric('Dual Motor', 'A', [93, 98, 298], { 'EQE 350 4MATIC': 77900 }),
  ),
  model(
    'Sprinter 2500',
    { body: 'VANS', years: [2010], sales: 35, subtype: 'CARGOVAN', commercial: true, series: 'Sprinter' },
    diesel(
      '2.0L I4 Turbo',
      'RA',
      [],
      { 'Cargo 144': 52500, 'Cargo 170': 57500, 'High Roof Cargo': 59500 },
      { years: [2023] },
    ),
    diesel('3.0L V6 Turbo', 'RA', [], { 'Cargo 144': 44500, 'Cargo 170': 49500 }, { years: [2010, 2022] }),
    diesel(
      '2.0L I4 Turbo',
      'RA',
      [],
      { 'Passenger 144': 60500 },
      { body: 'VANMV', subtype: 'PASSENGERVAN', seats: 12, years: [2023], commercial: false },
    ),
    electric('Single Motor', 'R', [], { 'eSprinter 170': 74500 }, { years: [2024] }),
  ),
  model(
    'Sprinter 3500',
    { body: 'VANS', years: [2010], sales: 12, subtype: 'CARGOVAN', commercial: true, series: 'Sprinter' },
    diesel('2.0L I4 Turbo', 'RA', [], { 'Cargo 170': 61500 }, { years: [2023] }),
    diesel(
      '3.0L V6 Turbo',
      'RA',
      [],
      { 'Cab Chassis': 47500 },
      { years: [2010, 2022], subtype: 'CUTAWAYVAN' },
    ),
  ),
  model(
    'Metris',
    { body: 'VANS', years: [2016, 2023], sales: 10, subtype: 'CARGOVAN', commercial: true },
    gas('2.0L I4 Turbo', 'R', [19, 23], { Cargo: 38500 }),
    gas(
      '2.0L I4 Turbo',
      'R',
      [19, 24],
      { Passenger: 43500 },
      { body: 'VANMV', subtype: 'PASSENGERVAN', seats: 8, commercial: false },
    ),
  ),
  model(
    'GLK-Class',
    { body: 'SUVCROSS', years: [2010, 2015], sales: 30, subtype: 'COMPACTSUV', series: 'GLK' },
    gas('3.5L V6', 'RA', [19, 25], { 'GLK 350': 37900 }),
    diesel('2.1L I4 Diesel', 'A', [24, 33], { 'GLK 250 BlueTEC': 39600 }, { years: [2013] }),
  ),
]);
