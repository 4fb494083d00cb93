import { documentFormats } from '../../client/session/settings.ts';
import type { InputOf } from '../command/command.ts';

/** Options of every command, before or after its words. Settings can also be set with `TELCTL_*` variables. */
export const globalOptions = {
  profile: { flag: 'profile', value: 'NAME', doc: 'Stored profile to use', completes: 'profile' },
  baseUrl: { flag: 'base-url', value: 'URL', doc: 'Address of the service' },
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
  noInput: { flag: 'no-input', doc: 'Never ask questions' },
  yes: { flag: 'yes', short: 'y', doc: 'Answer yes to ordinary confirmations' },
  allowEmergencyShadow: {
    flag: 'allow-emergency-shadow',
    doc: 'Allow changes that remove emergency numbers or block emergency calls',
  },
  dryRun: { flag: 'dry-run', doc: 'Show the requests that would change records, without sending them' },
  timeout: {
    flag: 'timeout',
    value: 'SECONDS',
    type: 'number',
    minimum: 0.001,
    doc: 'Fail a request that takes longer',
  },
  deadline: { flag: 'deadline', value: 'DURATION', doc: 'Stop the command after this time: 90s, 10m' },
  retries: {
    flag: 'retries',
    value: 'N',
    type: 'integer',
    minimum: 0,
    doc: 'Number of retries of a request that is safe to repeat',
  },
  concurrency: {
    flag: 'concurrency',
    value: 'N',
    type: 'integer',
    minimum: 1,
    doc: 'Number of parallel requests in bulk work',
  },
  note: { flag: 'note', value: 'TEXT', doc: 'Reason for the change, for the log' },
  state: {
    flag: 'state',
    value: 'URL',
    doc: 'Location of the state: file:DIR or postgres://USER@HOST/DB',
  },
  country: {
    flag: 'country',
    value: 'CC',
    doc: 'Country of national numbers, as a two-letter code',
  },
  caFile: {
    flag: 'ca-file',
    value: 'FILE',
    doc: 'Additional certificates to trust',
    completes: 'file',
  },
  clientCert: {
    flag: 'client-cert',
    value: 'FILE',
    doc: 'Client certificate to present to the service',
    completes: 'file',
  },
  clientKey: {
    flag: 'client-key',
    value: 'FILE',
    doc: 'Key of the client certificate, if it is in another file',
    completes: 'file',
  },
  insecure: { flag: 'insecure', doc: 'Accept any certificate in this run' },
  allowHttp: { flag: 'allow-http', doc: 'Send secrets over plain http to another machine' },
  noPager: { flag: 'no-pager', doc: 'Do not page long output' },
  quiet: { flag: 'quiet', short: 'q', doc: 'Print fewer messages' },
  verbose: { flag: 'verbose', short: 'v', doc: 'Trace every request on stderr, without secrets' },
  color: {
    flag: 'color',
    value: 'WHEN',
    choices: ['auto', 'always', 'never'],
    doc: 'When to color the output',
  },
  help: { flag: 'help', short: 'h', doc: 'Show help' },
  version: { flag: 'version', short: 'V', doc: 'Show the version' },
} as const;

export type GlobalInput = InputOf<typeof globalOptions>;
