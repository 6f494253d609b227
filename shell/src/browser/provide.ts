/**
 * The runtime singletons that remotes share. webpack provides a shared module
 * only when the host itself imports it, so the host imports every one here.
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
