import { type Command, defineCommand } from '../../../command/command.ts';
import { nameOptions } from '../options.ts';

export const logOptions = {
  match: {
    flag: 'match',
    value: 'PATTERN',
    doc: 'Only these, by method and path, * for anything: "PUT /users*"; deliveries by address or hook: "object"',
  },
  failed: { flag: 'failed', doc: 'Only what failed: errors, lost connections, receivers that took nothing' },
  requests: { flag: 'requests', doc: 'Only requests' },
  deliveries: { flag: 'deliveries', doc: 'Only deliveries' },
  follow: { flag: 'follow', short: 'f', doc: 'Go on with all that comes, until Ctrl-C' },
  limit: {
    flag: 'limit',
    value: 'COUNT',
    type: 'integer',
    minimum: 0,
    doc: 'The last so many; 50 by default, 10 with --follow',
  },
  ...nameOptions,
} as const;

export const pageOptions = {
  noBrowser: { flag: 'no-browser', doc: 'Only print the address' },
  ...nameOptions,
} as const;

const page = defineCommand({
  path: ['sandbox', 'page'],
  summary: 'Look at the sandbox in a browser',
  description:
    'Prints the address of the page that shows what the sandbox holds, what it is asked and what it delivers, and opens it in the browser where the output is a terminal. The page changes nothing and shows no secrets.',
  arguments: {},
  options: pageOptions,
  effect: 'local',
  examples: [
    { line: 'telctl sandbox page', doc: 'Open it' },
    { line: 'telctl sandbox page --no-browser', doc: 'Its address, to be copied' },
  ],
  load: async () => (await import('../run/page.ts')).showPage,
});

const log = defineCommand({
  path: ['sandbox', 'log'],
  summary: 'Show what the sandbox was asked and what it delivered',
  description:
    'Remembers the last 1000 requests and deliveries since the sandbox was started. Secrets in addresses are masked, and bodies are not kept.',
  arguments: {},
  options: logOptions,
  effect: 'local',
  examples: [
    { line: 'telctl sandbox log', doc: 'The last requests and deliveries' },
    { line: 'telctl sandbox log --follow --failed', doc: 'What fails, while it happens' },
    { line: 'telctl sandbox log --deliveries --match object', doc: 'What webhooks were told of objects' },
    { line: 'telctl sandbox log --match "PUT /users*" -o ndjson', doc: 'For a script' },
  ],
  load: async () => (await import('./log.ts')).showLog,
});

/** Commands that look at what the sandbox does. */
export const watchCommands: readonly Command[] = [log, page];
