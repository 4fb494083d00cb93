import { documentFormats } from '../../client/session/settings.ts';
import type { InputOf } from '../command/command.ts';

/** Options that every command takes, before or after its words. Those that are settings have a `TELCTL_*` variable too. */
export const globalOptions = {
  profile: { flag: 'profile', value: 'NAME', doc: 'Stored profile to use', completes: 'profile' },
  baseUrl: { flag: 'base-url', value: 'URL', doc: 'Service to talk to' },
  account: { flag: 'account', value: 'ID|NAME|REALM', doc: 'Account to act on' },
  output: {
    flag: 'output',
    short: 'o',
    value: 'FORMAT',
    choices: documentFormats,
    doc: 'Format of the result',
  },
  fields: { flag: 'fields', value: 'A,B.C', doc: 'Columns or keys to show' },
  query: { flag: 'query', value: 'EXPR', doc: 'JMESPath expression over the result' },
  reveal: { flag: 'reveal', does: ['shows-secrets'], doc: 'Show secret fields' },
  noInput: { flag: 'no-input', doc: 'Never ask' },
  yes: { flag: 'yes', short: 'y', doc: 'Answer yes to ordinary confirmations' },
  allowEmergencyShadow: {
    flag: 'allow-emergency-shadow',
    doc: 'Allow changes that take emergency numbers or bar emergency calls',
  },
  dryRun: { flag: 'dry-run', doc: 'Show the requests that would change something; send none' },
  timeout: {
    flag: 'timeout',
    value: 'SECONDS',
    type: 'number',
    minimum: 0.001,
    doc: 'Longest wait for one request',
  },
  deadline: { flag: 'deadline', value: 'DURATION', doc: 'Longest time for the whole command: 90s, 10m' },
  retries: {
    flag: 'retries',
    value: 'N',
    type: 'integer',
    minimum: 0,
    doc: 'Repeats of a request that is safe to repeat',
  },
  concurrency: {
    flag: 'concurrency',
    value: 'N',
    type: 'integer',
    minimum: 1,
    doc: 'Parallel requests in bulk work',
  },
  note: { flag: 'note', value: 'TEXT', doc: 'Why it is done, for the log' },
  state: {
    flag: 'state',
    value: 'URL',
    doc: 'Where telctl remembers what it did: file:DIR or postgres://USER@HOST/DB',
  },
  country: {
    flag: 'country',
    value: 'CC',
    doc: 'Country by which national numbers are read, in two letters',
  },
  caFile: {
    flag: 'ca-file',
    value: 'FILE',
    doc: 'Certificates to trust besides the usual ones',
    completes: 'file',
  },
  clientCert: {
    flag: 'client-cert',
    value: 'FILE',
    doc: 'Client certificate that telctl shows to the service',
    completes: 'file',
  },
  clientKey: {
    flag: 'client-key',
    value: 'FILE',
    doc: 'Key of the client certificate, if it is in another file',
    completes: 'file',
  },
  insecure: { flag: 'insecure', doc: 'Accept any certificate, for this one call' },
  allowHttp: { flag: 'allow-http', doc: 'Send secrets over plain http to another machine' },
  noPager: { flag: 'no-pager', doc: 'Do not page long output' },
  quiet: { flag: 'quiet', short: 'q', doc: 'Say less' },
  verbose: { flag: 'verbose', short: 'v', doc: 'Trace every request on stderr, without secrets' },
  color: { flag: 'color', value: 'WHEN', choices: ['auto', 'always', 'never'], doc: 'Colour the output' },
  help: { flag: 'help', short: 'h', doc: 'Show help' },
  version: { flag: 'version', short: 'V', doc: 'Show the version' },
} as const;

export type GlobalInput = InputOf<typeof globalOptions>;
