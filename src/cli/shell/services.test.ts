import { expect, test } from 'vitest';
import { clientFor } from './services.ts';

const option = <T>(value: T) => ({ value, source: 'option', from: '' }) as const;

test('sends a client certificate to its service, but not to a sign-in provider', () => {
  const settings = {
    baseUrl: option('https://api.example'),
    clientCert: option('/c.pem'),
    clientKey: option(undefined),
  };
  expect(clientFor(settings, 'https://api.example/v2')).toEqual({ certFile: '/c.pem', keyFile: undefined });
  expect(clientFor(settings, 'https://login.example')).toEqual({});
});
