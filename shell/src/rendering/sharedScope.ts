import * as catalog from '@forecourt/shared-contracts/catalog';
import * as criteria from '@forecourt/shared-contracts/criteria';
import * as query from '@forecourt/shared-contracts/query';
import * as slots from '@forecourt/shared-contracts/slots';
import * as store from '@forecourt/shared-contracts/store';
import * as ui from '@forecourt/shared-contracts/ui';
import * as url from '@forecourt/shared-contracts/url';
import contracts from '@forecourt/shared-contracts/package.json' with { type: 'json' };
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as reactDomClient from 'react-dom/client';
import * as reactRedux from 'react-redux';
import reactReduxPackage from 'react-redux/package.json' with { type: 'json' };

/** What this shell shares with releases on the server: one instance and one version of each. */
const SHARED: Readonly<Record<string, { version: string; module: object }>> = {
  react: { version: react.version, module: react },
  'react/jsx-runtime': { version: react.version, module: jsxRuntime },
  'react-dom': { version: reactDom.version, module: reactDom },
  'react-dom/client': { version: reactDom.version, module: reactDomClient },
  'react-redux': { version: reactReduxPackage.version, module: reactRedux },
  '@forecourt/shared-contracts/catalog': { version: contracts.version, module: catalog },
  '@forecourt/shared-contracts/criteria': { version: contracts.version, module: criteria },
  '@forecourt/shared-contracts/query': { version: contracts.version, module: query },
  '@forecourt/shared-contracts/slots': { version: contracts.version, module: slots },
  '@forecourt/shared-contracts/store': { version: contracts.version, module: store },
  '@forecourt/shared-contracts/ui': { version: contracts.version, module: ui },
  '@forecourt/shared-contracts/url': { version: contracts.version, module: url },
};

/** Shared module to provided version, for the release gate. */
export const providedVersions = (): Record<string, string> =>
  Object.fromEntries(Object.entries(SHARED).map(([name, { version }]) => [name, version]));

/** A fresh Module Federation share scope: a container may write into it, so no two releases get the same. */
export const createShareScope = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(SHARED).map(([name, { version, module }]) => [
      name,
      { [version]: { get: () => Promise.resolve(() => module), loaded: 1, eager: true, from: 'shell' } },
    ]),
  );
