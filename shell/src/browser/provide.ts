/**
 * The singletons that remotes share, as listed in the contract's package.json. webpack provides a shared module only if
 * the host itself imports it.
 */
import '@forecourt/shared-contracts/catalog';
import '@forecourt/shared-contracts/criteria';
import '@forecourt/shared-contracts/query';
import '@forecourt/shared-contracts/slots';
import '@forecourt/shared-contracts/store';
import '@forecourt/shared-contracts/ui';
import '@forecourt/shared-contracts/url';
import 'react';
import 'react-dom';
import 'react-dom/client';
import 'react-redux';
import 'react/jsx-runtime';
