import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mappingSchema } from './mapping.ts';
import { PRESETS } from './presets.data.ts';
import { suggestMapping } from './suggestMapping.ts';
import { createMarket, importText } from './testing/importText.ts';

const folder = mkdtempSync(join(tmpdir(), 'presets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const table = (columns: Readonly<Record<string, string>>): string => {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${Object.keys(columns).map(cell).join()}\n${Object.values(columns).map(cell).join()}\n`;
};
const VIN = '1FTFW1E50MFA00001';
const PHOTOS = 'https://photos.example/1.jpg,https://photos.example/2.jpg';

/** A file of each format with one car, by the documented names; what a format lacks, its dealer, is a constant. */
const FILES: Readonly<
  Record<string, { readonly text: string; readonly extension?: string; readonly dealer?: object }>
> = {
  'Meta automotive catalog': {
    text: table({
      vehicle_id: 'A1',
      vin: VIN,
      title: '2021 Ford F-150 XLT',
      make: 'Ford',
      model: 'F-150',
      trim: 'XLT',
      year: '2021',
      'mileage.value': '35115',
      'mileage.unit': 'MI',
      image: '[{"url":"https://photos.example/1.jpg"},{"url":"https://photos.example/2.jpg"}]',
      transmission: 'AUTOMATIC',
      fuel_type: 'GASOLINE',
      body_style: 'TRUCK',
      drivetrain: '4X4',
      condition: 'EXCELLENT',
      state_of_vehicle: 'USED',
      price: '41000 USD',
      sale_price: '38000 USD',
      address: "{addr1: '1 Lake St', city: 'Chicago', region: 'IL', postal_code: '60601', country: 'US'}",
      exterior_color: 'white',
      availability: 'AVAILABLE',
      date_first_on_lot: '2026-11-01',
      dealer_name: 'Lakeside Ford',
    }),
  },
  'TikTok automotive catalog': {
    text: table({
      vehicle_id: 'A1',
      vin: VIN,
      make: 'Ford',
      model: 'F-150',
      trim: 'XLT',
      year: '2021',
      'mileage.value': '35115',
      'mileage.unit': 'MI',
      'image[0].url': 'https://photos.example/1.jpg',
      'image[1].url': 'https://photos.example/2.jpg',
      state_of_vehicle: 'USED',
      price: '38000 USD',
      'address.addr1': '1 Lake St',
      'address.city': 'Chicago',
      'address.region': 'IL',
      'address.postal_code': '60601',
      availability: 'AVAILABLE',
      dealer_name: 'Lakeside Ford',
    }),
  },
  'Google vehicle ads': {
    text: table({
      VIN,
      id: 'A1',
      store_code: 'LAKE1',
      dealership_name: 'Lakeside Ford',
      dealership_address: '1 Lake St, Chicago, IL 60601, US',
      brand: 'Ford',
      model: 'F-150',
      trim: 'XLT',
      year: '2021',
      condition: 'used',
      price: '38000 USD',
      mileage: '35115 miles',
      color: 'White',
      image_link: 'https://photos.example/1.jpg',
      additional_image_link: 'https://photos.example/2.jpg',
      link_template: 'https://lakeside.example/a1?store={store_code}',
    }),
  },
  vAuto: {
    text: table({
      'Dealer ID': '77',
      'Dealer Name': 'Lakeside Ford',
      VIN,
      'Stock #': 'A1',
      'New/Used': 'U',
      Year: '2021',
      Make: 'Ford',
      Model: 'F-150',
      Series: 'XLT',
      Body: '4D SuperCrew',
      Odometer: '35115',
      'Engine Cylinder Ct': '6',
      'Drivetrain Desc': '4WD',
      Colour: 'White',
      MSRP: '45000',
      Price: '38000',
      'Inventory Date': '11/01/2026',
      Certified: 'No',
      'Photo Url List': PHOTOS.replace(',', '|'),
    }),
    dealer: { zip: { constant: '60601' } },
  },
  HomeNet: {
    text: table({
      vin: VIN,
      stock: 'A1',
      type: 'Used',
      year: '2021',
      make: 'Ford',
      model: 'F-150',
      trim: 'XLT',
      body: 'Crew Cab Pickup',
      miles: '35115',
      ext_color: 'Oxford White',
      ext_color_generic: 'White',
      engcyls: '6',
      engfueltype: 'Gasoline Fuel',
      trans_description: '10-Speed Automatic',
      drivetrain: '4WD',
      msrp: '45000',
      sellingprice: '38000',
      certified: 'False',
      dateinstock: '11/1/2026',
      imagelist: PHOTOS,
      dealer_name: 'Lakeside Ford',
      dealer_city: 'Chicago',
      dealer_state: 'IL',
      dealer_zip: '60601',
    }),
  },
  CarGurus: {
    text: table({
      'Dealer ID': '77',
      'Dealer Name': 'Lakeside Ford',
      'Dealer City': 'Chicago',
      'Dealer State': 'IL',
      'Dealer Zip': '60601',
      VIN,
      'Stock Number': 'A1',
      Make: 'Ford',
      Model: 'F-150',
      Year: '2021',
      Trim: 'XLT',
      Price: '38000',
      MSRP: '45000',
      Mileage: '35115',
      Certified: 'N',
      'New/Used': 'Used',
      'Exterior Color': 'White',
      'Transmission Type': 'Automatic',
      'Installed Options': 'Tow Hitch|Backup Camera',
      'Picture Urls': PHOTOS,
    }),
  },
  Autotrader: {
    text: table({
      DealerId: '77',
      StockNumber: 'A1',
      Year: '2021',
      Make: 'Ford',
      Model: 'F-150',
      Trim: 'XLT',
      VIN,
      Mileage: '35115',
      Price: '38000',
      ExteriorColor: 'White',
      BodyType: 'Truck',
      FuelType: 'Gasoline',
      PhysicalImages: PHOTOS.replace(',', '|'),
    }),
    dealer: { sellerName: { constant: 'Lakeside Ford' }, zip: { constant: '60601' } },
  },
  'Dealer.com': {
    text: table({
      vin: VIN,
      stocknumber: 'A1',
      newused: 'Used',
      certified: 'false',
      year: '2021',
      make: 'Ford',
      model: 'F-150',
      trim: 'XLT',
      bodystyle: 'Truck',
      mileage: '35115',
      internetprice: '38000',
      msrp: '45000',
      exteriorcolor: 'White',
      photourls: PHOTOS,
      dealershipname: 'Lakeside Ford',
      dealershipcity: 'Chicago',
      dealershipstate: 'IL',
      dealershippostalcode: '60601',
    }),
  },
  'Cars.com': {
    text: table({
      CustomerId: '77',
      Type: 'Used',
      StockNumber: 'A1',
      VIN,
      ModelYear: '2021',
      Make: 'Ford',
      Model: 'F-150',
      Trim: 'XLT',
      Mileage: '35115',
      Price: '38000',
      ExteriorColor: 'White',
      ImageUrls: PHOTOS.replace(',', '|'),
    }),
    dealer: { sellerName: { constant: 'Lakeside Ford' }, zip: { constant: '60601' } },
  },
  Craigslist: {
    extension: 'xml',
    text: `<?xml version="1.0"?>
<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cl="http://www.craigslist.org/about/cl-bulk-ns/1.0">
<channel><items><rdf:li rdf:resource="A1"/></items><cl:auth username="x" password="y" accountID="1"/></channel>
<item rdf:about="A1"><cl:category>ctd</cl:category><cl:area>chi</cl:area><title>2021 Ford F-150 XLT</title><cl:price>38000</cl:price>
<cl:mapLocation city="Chicago" state="IL" postal="60601"/>
<cl:auto_basics auto_year="2021" auto_make_model="Ford F-150 XLT" auto_miles="35115" auto_vin="${VIN}"/></item></rdf:RDF>`,
    dealer: { sellerName: { constant: 'Lakeside Ford' } },
  },
};

describe('documented formats', () => {
  it('have a file each', () => {
    expect(Object.keys(FILES).toSorted()).toEqual(PRESETS.map(({ name }) => name).toSorted());
  });

  it.each(Object.entries(FILES))(
    'of %s are recognized and imported as proposed',
    async (name, { text, extension = 'csv', dealer }) => {
      const path = join(folder, `${name.replace(/\W/g, '')}.${extension}`);
      writeFileSync(path, text);
      const { mapping, preset, missing } = await suggestMapping(path);
      expect(preset).toBe(name);
      expect(missing.filter((field) => !(dealer && (field === 'place' || field === 'sellerName')))).toEqual(
        [],
      );
      const complete = mappingSchema.parse({ ...mapping, fields: { ...mapping.fields, ...dealer } });
      const { listings, market, rejects } = await importText(readFileSync(path), createMarket(), {
        mapping: complete,
        extension,
      });
      expect(rejects).toEqual([]);
      expect(listings).toMatchObject([
        {
          vin: VIN,
          stockNumber: 'A1',
          year: 2021,
          make: { name: 'Ford' },
          model: { name: 'F-150' },
          trim: { name: 'XLT' },
          salePrice: 38_000,
          mileage: 35_115,
          listingType: 'USED',
        },
      ]);
      if (name !== 'Craigslist') {
        expect(listings[0]?.photoUrls).toEqual(PHOTOS.split(','));
        expect(listings[0]?.extColor ?? 'WHITE').toBe('WHITE');
        expect(mapping.photoHosts).toEqual(['photos.example']);
      }
      expect([...market.owners.values()]).toMatchObject([
        { name: 'Lakeside Ford', city: 'Chicago', state: 'IL' },
      ]);
    },
  );
});
