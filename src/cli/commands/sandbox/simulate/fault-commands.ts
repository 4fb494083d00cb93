import { type Command, defineCommand } from '../../../command/command.ts';
import { nameOptions } from '../options.ts';

export const advanceArguments = {
  duration: { name: 'DURATION', doc: 'How far: 90s, 55m, 2h, 30d' },
} as const;

export const setArguments = {
  time: { name: 'TIME', doc: 'Date and time; UTC where it names no zone' },
} as const;

export const faultOptions = {
  match: {
    value: 'PATTERN',
    doc: 'Which requests, by method and path, * for anything: "PUT /users*", "/v2/api_auth"; all by default',
  },
  status: {
    value: 'STATUS',
    type: 'integer',
    minimum: 400,
    maximum: 599,
    doc: 'Answer with this error; the request is not carried out',
  },
  retryAfter: {
    value: 'SECONDS',
    type: 'integer',
    minimum: 0,
    doc: 'Seconds that Retry-After names',
    needs: ['status'],
  },
  drop: {
    value: 'WHEN',
    choices: ['before', 'after'],
    doc: 'Cut the connection: before anything happens, or after the request was carried out',
  },
  delay: { value: 'DURATION', doc: "Wait first, by the sandbox's clock: 2s, 1m" },
  body: {
    value: 'KIND',
    choices: ['garbage'],
    doc: 'Carry the request out and break its reply off in the middle',
  },
  times: {
    value: 'COUNT',
    type: 'integer',
    minimum: 1,
    doc: 'Number of requests that meet it; all by default',
  },
  rate: {
    value: 'RATE',
    type: 'number',
    minimum: 0,
    maximum: 1,
    doc: 'Share of the requests, 0 to 1: 0.05 is one in twenty',
  },
  seed: {
    value: 'NUMBER',
    type: 'integer',
    minimum: 0,
    maximum: 4_294_967_295,
    doc: 'Number that chooses the requests: the same one, the same requests',
    needs: ['rate'],
  },
  ...nameOptions,
} as const;

export const clearArguments = {
  id: { name: 'ID', doc: 'The fault, by its number; all by default', optional: true },
} as const;

export const clockAndFaultCommands: readonly Command[] = [
  defineCommand({
    path: ['sandbox', 'clock', 'status'],
    summary: 'Show what time it is in the sandbox',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox clock status': 'Its time, and how far it is ahead' },
    load: async () => (await import('./faults.ts')).showClock,
  }),
  defineCommand({
    path: ['sandbox', 'clock', 'advance'],
    summary: "Turn the sandbox's clock forward",
    description:
      'Moves all that depends on time: tokens expire, deliveries are tried again, fax jobs go on. It goes forward only; telctl sandbox snapshot load and reset bring an earlier time back.',
    arguments: advanceArguments,
    options: nameOptions,
    effect: 'local',
    examples: {
      'telctl sandbox clock advance 55m': 'Just before tokens expire',
      'telctl sandbox clock advance 61m': 'All tokens have expired',
    },
    load: async () => (await import('./faults.ts')).advanceClock,
  }),
  defineCommand({
    path: ['sandbox', 'clock', 'set'],
    summary: "Turn the sandbox's clock forward to a date and time",
    arguments: setArguments,
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox clock set 2099-12-24T08:00Z': 'Christmas Eve, in the morning' },
    load: async () => (await import('./faults.ts')).setClock,
  }),
  defineCommand({
    path: ['sandbox', 'faults', 'add'],
    summary: 'Make requests fail, to see what happens',
    description:
      'Of several faults that fit a request, the first one added disturbs it. Paths may be written as they are, without /v2, and without /v2/accounts/ID before them.',
    options: faultOptions,
    anyOf: [['status', 'drop', 'delay', 'body']],
    effect: 'local',
    examples: {
      'telctl sandbox faults add --match "PUT /users*" --status 503 --times 2':
        'Two users cannot be created at first',
      'telctl sandbox faults add --drop after --rate 0.05 --seed 7': 'Lose one reply in twenty',
      'telctl sandbox faults add --status 429 --retry-after 2 --rate 0.3': 'A rate limit',
      'telctl sandbox faults add --match GET --delay 3s': 'A slow service',
    },
    load: async () => (await import('./faults.ts')).addFault,
  }),
  defineCommand({
    path: ['sandbox', 'faults', 'list'],
    summary: 'List the faults that are put in, and how often each struck',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox faults list': 'With the seeds that repeat them' },
    load: async () => (await import('./faults.ts')).listFaults,
  }),
  defineCommand({
    path: ['sandbox', 'faults', 'clear'],
    summary: 'Remove faults',
    arguments: clearArguments,
    options: nameOptions,
    effect: 'local',
    examples: {
      'telctl sandbox faults clear': 'All of them',
      'telctl sandbox faults clear 2': 'One of them',
    },
    load: async () => (await import('./faults.ts')).clearFaults,
  }),
];
