/**
 * Metropolitan markets: principal city, its center, population of its area in
 * thousands, and Nielsen's DMA code. A ZIP code belongs to the market with the
 * nearest center, which approximates the published county lists.
 */
export interface Metro {
  readonly name: string;
  readonly state: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Thousands of people. */
  readonly population: number;
  readonly dma: string;
}

const TABLE: readonly (readonly [string, string, number, number, number, string])[] = [
  ['New York', 'NY', 40.7506, -73.9972, 19500, '501'],
  ['Los Angeles', 'CA', 34.0522, -118.2437, 12800, '803'],
  ['Chicago', 'IL', 41.8858, -87.6181, 9260, '602'],
  ['Dallas', 'TX', 32.7876, -96.7994, 8100, '623'],
  ['Houston', 'TX', 29.7604, -95.3698, 7500, '618'],
  ['Atlanta', 'GA', 33.7525, -84.3888, 6300, '524'],
  ['Washington', 'DC', 38.9072, -77.0369, 6300, '511'],
  ['Philadelphia', 'PA', 39.9526, -75.1652, 6250, '504'],
  ['Miami', 'FL', 25.7743, -80.1937, 6180, '528'],
  ['Phoenix', 'AZ', 33.4484, -112.074, 5070, '753'],
  ['Boston', 'MA', 42.3584, -71.0598, 4920, '506'],
  ['San Francisco', 'CA', 37.7749, -122.4194, 6500, '807'],
  ['Detroit', 'MI', 42.3314, -83.0458, 4340, '505'],
  ['Seattle', 'WA', 47.6062, -122.3321, 4040, '819'],
  ['Minneapolis', 'MN', 44.9778, -93.265, 3710, '613'],
  ['Tampa', 'FL', 27.9506, -82.4572, 3340, '539'],
  ['San Diego', 'CA', 32.7157, -117.1611, 3270, '825'],
  ['Denver', 'CO', 39.7392, -104.9903, 3000, '751'],
  ['Baltimore', 'MD', 39.2904, -76.6122, 2830, '512'],
  ['Orlando', 'FL', 28.5384, -81.3789, 2820, '534'],
  ['Charlotte', 'NC', 35.2271, -80.8431, 2800, '517'],
  ['St. Louis', 'MO', 38.627, -90.1994, 2800, '609'],
  ['San Antonio', 'TX', 29.4241, -98.4936, 2700, '641'],
  ['Portland', 'OR', 45.5152, -122.6784, 2510, '820'],
  ['Austin', 'TX', 30.2672, -97.7431, 2470, '635'],
  ['Pittsburgh', 'PA', 40.4406, -79.9959, 2430, '508'],
  ['Sacramento', 'CA', 38.5816, -121.4944, 2420, '862'],
  ['Las Vegas', 'NV', 36.1716, -115.1391, 2340, '839'],
  ['Cincinnati', 'OH', 39.1031, -84.512, 2270, '515'],
  ['Kansas City', 'MO', 39.0997, -94.5786, 2220, '616'],
  ['Columbus', 'OH', 39.9612, -82.9988, 2180, '535'],
  ['Cleveland', 'OH', 41.4993, -81.6944, 2160, '510'],
  ['Indianapolis', 'IN', 39.7684, -86.1581, 2140, '527'],
  ['Nashville', 'TN', 36.1627, -86.7816, 2100, '659'],
  ['Norfolk', 'VA', 36.8508, -76.2859, 1790, '544'],
  ['Providence', 'RI', 41.824, -71.4128, 1680, '521'],
  ['Jacksonville', 'FL', 30.3322, -81.6557, 1710, '561'],
  ['Milwaukee', 'WI', 43.0389, -87.9065, 1560, '617'],
  ['Raleigh', 'NC', 35.7796, -78.6382, 1510, '560'],
  ['Oklahoma City', 'OK', 35.4676, -97.5164, 1480, '650'],
  ['Louisville', 'KY', 38.2527, -85.7585, 1370, '529'],
  ['Richmond', 'VA', 37.5407, -77.436, 1350, '556'],
  ['Memphis', 'TN', 35.1495, -90.049, 1340, '640'],
  ['Salt Lake City', 'UT', 40.7608, -111.891, 1270, '770'],
  ['Birmingham', 'AL', 33.5186, -86.8104, 1180, '630'],
  ['Fresno', 'CA', 36.7378, -119.7871, 1170, '866'],
  ['Grand Rapids', 'MI', 42.9634, -85.6681, 1160, '563'],
  ['Hartford', 'CT', 41.7658, -72.6734, 1150, '533'],
  ['Buffalo', 'NY', 42.8864, -78.8784, 1150, '514'],
  ['Tucson', 'AZ', 32.2226, -110.9747, 1060, '789'],
  ['Tulsa', 'OK', 36.154, -95.9928, 1040, '671'],
  ['Rochester', 'NY', 43.1566, -77.6088, 1050, '538'],
  ['Omaha', 'NE', 41.2565, -95.9345, 980, '652'],
  ['Honolulu', 'HI', 21.3069, -157.8583, 990, '744'],
  ['New Orleans', 'LA', 29.9511, -90.0715, 960, '622'],
  ['Greenville', 'SC', 34.8526, -82.394, 975, '567'],
  ['Knoxville', 'TN', 35.9606, -83.9207, 940, '557'],
  ['Albuquerque', 'NM', 35.0844, -106.6504, 920, '790'],
  ['Bakersfield', 'CA', 35.3733, -119.0187, 915, '800'],
  ['Albany', 'NY', 42.6526, -73.7562, 905, '532'],
  ['Baton Rouge', 'LA', 30.4515, -91.1871, 870, '716'],
  ['El Paso', 'TX', 31.7619, -106.485, 870, '765'],
  ['Columbia', 'SC', 34.0007, -81.0348, 850, '546'],
  ['Charleston', 'SC', 32.7765, -79.9311, 850, '519'],
  ['Boise', 'ID', 43.615, -116.2023, 820, '757'],
  ['Dayton', 'OH', 39.7589, -84.1916, 815, '542'],
  ['Fort Myers', 'FL', 26.6406, -81.8723, 830, '571'],
  ['Greensboro', 'NC', 36.0726, -79.792, 790, '518'],
  ['Colorado Springs', 'CO', 38.8339, -104.8214, 770, '752'],
  ['Little Rock', 'AR', 34.7465, -92.2896, 765, '693'],
  ['Des Moines', 'IA', 41.5868, -93.625, 735, '679'],
  ['Madison', 'WI', 43.0731, -89.4012, 690, '669'],
  ['Syracuse', 'NY', 43.0481, -76.1474, 655, '555'],
  ['Wichita', 'KS', 37.6872, -97.3301, 650, '678'],
  ['Toledo', 'OH', 41.6528, -83.5379, 600, '547'],
  ['Spokane', 'WA', 47.6588, -117.426, 600, '881'],
  ['Harrisburg', 'PA', 40.2732, -76.8867, 605, '566'],
  ['Jackson', 'MS', 32.2988, -90.1848, 610, '718'],
  ['Reno', 'NV', 39.5296, -119.8138, 500, '811'],
  ['Lexington', 'KY', 38.0406, -84.5037, 520, '541'],
  ['Portland', 'ME', 43.6591, -70.2568, 565, '500'],
  ['Mobile', 'AL', 30.6954, -88.0399, 430, '686'],
  ['Savannah', 'GA', 32.0809, -81.0912, 430, '507'],
  ['Shreveport', 'LA', 32.5252, -93.7502, 380, '612'],
  ['Charleston', 'WV', 38.3498, -81.6326, 250, '564'],
  ['Anchorage', 'AK', 61.2181, -149.9003, 400, '743'],
  ['Sioux Falls', 'SD', 43.5446, -96.7311, 300, '725'],
  ['Fargo', 'ND', 46.8772, -96.7898, 265, '724'],
  ['Burlington', 'VT', 44.4759, -73.2121, 230, '523'],
  ['Billings', 'MT', 45.7833, -108.5007, 190, '756'],
  ['Cheyenne', 'WY', 41.14, -104.8202, 100, '759'],
];

export const METROS: readonly Metro[] = TABLE.map(([name, state, latitude, longitude, population, dma]) => ({
  name,
  state,
  latitude,
  longitude,
  population,
  dma,
}));

/** The market with the nearest center. */
export function nearestMetro(latitude: number, longitude: number): Metro {
  const narrowing = Math.cos((latitude * Math.PI) / 180);
  return METROS.reduce((nearest, metro) =>
    squaredDegrees(metro) < squaredDegrees(nearest) ? metro : nearest,
  );

  function squaredDegrees(metro: Metro): number {
    return (metro.latitude - latitude) ** 2 + ((metro.longitude - longitude) * narrowing) ** 2;
  }
}
