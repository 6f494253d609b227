import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

describe('the issuer in the environment', () => {
  it.each([
    'http://localhost:4200',
    'https://site.eu.auth0.com/',
    'https://id.example/realms/site',
    'https://id.example:8443/application/o/site/',
  ])('stays as it is written: %s', (issuer) => {
    expect(readConfig({ OIDC_ISSUER: issuer }).OIDC_ISSUER).toBe(issuer);
  });

  it.each([
    'https://user@id.example/realms/site',
    'https://id.example/realms/site?tenant=1',
    'https://id.example/#site',
    'http://id.example',
  ])('is refused: %s', (issuer) => {
    expect(() => readConfig({ OIDC_ISSUER: issuer })).toThrow('OIDC_ISSUER: must');
  });
});

describe('the search engine in the environment', () => {
  it('has the name and the number of shards of indexes in its URL', () => {
    const { SEARCH_URL, SEARCH_INDEX, SEARCH_SHARDS } = readConfig({
      SEARCH_URL: 'https://api:word@search.example:9200/cars?shards=12',
    });
    expect([SEARCH_URL, SEARCH_INDEX, SEARCH_SHARDS]).toEqual([
      'https://api:word@search.example:9200',
      'cars',
      12,
    ]);
    expect(readConfig({ SEARCH_URL: 'https://search.example' })).toMatchObject({
      SEARCH_INDEX: 'listings',
      SEARCH_SHARDS: 1,
    });
    expect(() => readConfig({ SEARCH_URL: 'https://search.example?shards=0' })).toThrow('SEARCH_URL: must');
  });
});
