import { describe, expect, it } from '@jest/globals';
import { decodeQuery } from './codec/decode.ts';
import { recogniseUrlShape } from './shapes.ts';

const shape = (query: string) => recogniseUrlShape(decodeQuery(query).filters);
const MM = 'makeCode=FORD&modelCode=F150';

describe('recogniseUrlShape', () => {
  it('recognises one make and nothing else [B2-SHAPE-01, B2-SHAPE-02]', () => {
    expect(shape('makeCode=FORD')).toBe('make');
    expect(shape('makeCode=FORD&zip=30303&searchRadius=50&sortBy=yearASC')).toBe('make');
    expect(shape('makeCode=FORD&extColorSimple=RED')).toBeUndefined();
    expect(shape('makeCodeList=FORD,BMW')).toBeUndefined();
    expect(shape('makeCodeList=FORD,BMW&modelCode=F150')).toBeUndefined();
    expect(shape('')).toBeUndefined();
  });

  it('recognises make and model [B2-SHAPE-03]', () => {
    expect(shape(MM)).toBe('make+model');
  });

  it('recognises make, model and trim [B2-SHAPE-04]', () => {
    expect(shape(`${MM}&trimCode=F150|XLT`)).toBe('make+model+trim');
  });

  it('recognises a year before them [B2-SHAPE-05, B2-SHAPE-06]', () => {
    expect(shape(`${MM}&startYear=2019&endYear=2019`)).toBe('year+make+model');
    expect(shape(`${MM}&startYear=2019&endYear=2019&trimCode=F150|XLT`)).toBe('year+make+model+trim');
    expect(shape(`${MM}&startYear=2018&endYear=2019`)).toBe('make+model');
    expect(shape(`${MM}&startYear=2018`)).toBe('make+model');
  });

  it('recognises a city [B2-SHAPE-07]', () => {
    expect(shape(`${MM}&city=Atlanta&state=GA`)).toBe('make+model+city');
    expect(shape(`${MM}&city=Atlanta`)).toBe('make+model+city');
    expect(shape(`${MM}&state=GA`)).toBe('make+model');
  });

  it('recognises a colour [B2-SHAPE-08]', () => {
    expect(shape(`${MM}&extColorSimple=RED`)).toBe('make+model+color');
    expect(shape(`${MM}&extColorSimple=RED,BLUE`)).toBe('make+model');
  });

  it('recognises a body style [B2-SHAPE-09]', () => {
    expect(shape(`${MM}&vehicleStyleCode=TRUCKS`)).toBe('make+model+bodyStyle');
  });

  it('recognises a seller type [B2-SHAPE-10]', () => {
    expect(shape(`${MM}&sellerType=p`)).toBe('make+model+sellerType');
  });

  it('recognises one price bound [B2-SHAPE-11]', () => {
    expect(shape(`${MM}&maxPrice=20000`)).toBe('make+model+price');
    expect(shape(`${MM}&minPrice=20000`)).toBe('make+model+price');
    expect(shape(`${MM}&minPrice=1&maxPrice=20000`)).toBe('make+model');
  });

  it('recognises a fuel group [B2-SHAPE-12]', () => {
    expect(shape(`${MM}&fuelTypeGroup=ELE`)).toBe('make+model+fuel');
  });

  it('recognises a drive group [B2-SHAPE-13]', () => {
    expect(shape(`${MM}&driveGroup=AWD4WD`)).toBe('make+model+drive');
  });

  it('recognises a feature [B2-SHAPE-14]', () => {
    expect(shape(`${MM}&featureCode=1078`)).toBe('make+model+feature');
  });

  it('falls back to make and model with two extras or another filter', () => {
    expect(shape(`${MM}&featureCode=1078&driveGroup=AWD4WD`)).toBe('make+model');
    expect(shape(`${MM}&mileage=1000`)).toBe('make+model');
  });
});
