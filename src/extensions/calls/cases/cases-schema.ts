import type { JsonObject } from '../../../base/json.ts';
import { behaviourWords, endWords, type expectationKeys } from './case-file.ts';

/** Text that an editor may take for a number: telctl keeps what was typed. */
const text: JsonObject = { type: ['string', 'number'] };
const texts: JsonObject = { anyOf: [text, { type: 'array', items: text }] };
const duration: JsonObject = {
  type: 'string',
  pattern: '^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$',
  description: 'A length of time: 10s, 1m30s',
};
const flag: JsonObject = { anyOf: [{ type: 'boolean' }, { enum: ['yes', 'no'] }] };

const at: JsonObject = {
  type: 'string',
  description: 'Date and time with a zone: 2026-11-23 10:00 Europe/Zurich',
  examples: ['2026-11-23 10:00 Europe/Zurich'],
};

const people: JsonObject = {
  type: 'object',
  description: 'What people do, by user or device; others answer after 6 s',
  additionalProperties: {
    anyOf: [{ enum: [...behaviourWords] }, { type: 'string', pattern: '^answers after \\S+$' }],
  },
};

const endPattern = [...endWords].map(([word, takesName]) => (takesName ? `${word}( .+)?` : word)).join('|');
const end: JsonObject = {
  type: 'string',
  pattern: `^(${endPattern})$`,
  examples: [...endWords].map(([word, takesName]) => (takesName ? `${word} NAME` : word)),
};

const described: Readonly<Record<(typeof expectationKeys)[number], JsonObject>> = {
  path: {
    ...texts,
    description:
      'Names on the way, in this order; a time route is "RULE: open" or "RULE: closed", a menu "NAME: KEY"',
  },
  rings: { ...texts, description: 'Who rings, in order of the first ring' },
  answered_by: { ...text, description: 'User, device or number that answers' },
  ends_in: { ...end, description: 'Where the caller ends' },
  cause: { type: 'string', pattern: '^[A-Z][A-Z_]+$', description: "Cause of the end of the caller's leg" },
  within: { ...duration, description: 'Longest time from the begin of the call to the answer' },
  caller_id: { ...text, description: 'Number or name that the last leg shows' },
  emergency: { ...flag, description: 'The call goes out as an emergency call' },
  hears: { ...texts, description: 'Prompts, texts and media that the caller hears, in order' },
  voicemail: { ...text, description: 'Box in which a message is left' },
  cdrs: {
    description: 'Number of call records, or fields of each leg',
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'array', items: { type: 'object' } },
    ],
  },
  events: { ...texts, description: 'Hooks, in order' },
  cost: { type: ['number', 'string'], description: 'What the call costs' },
  not: {
    description: 'What must not be: the same expectations, or words of ends_in',
    anyOf: [{ $ref: '#/$defs/expect' }, end, { type: 'array', items: end }],
  },
};

/** JSON Schema of case files, for editors. */
export const casesSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Calls as code',
  description: 'Calls and what is expected of them, for telctl test',
  type: 'object',
  required: ['cases'],
  additionalProperties: false,
  properties: { at, people, cases: { type: 'array', items: { $ref: '#/$defs/case' } } },
  $defs: {
    expect: { type: 'object', minProperties: 1, additionalProperties: false, properties: described },
    case: {
      type: 'object',
      required: ['name', 'call', 'expect'],
      additionalProperties: false,
      properties: {
        name: { ...text, description: 'One name for one case' },
        at: { ...at, description: 'Date and time; the zone is that of the file where it is left out' },
        people,
        call: {
          type: 'object',
          required: ['from', 'to'],
          additionalProperties: false,
          properties: {
            from: { ...text, description: 'A number, user:NAME or device:NAME' },
            to: { ...text, description: 'What is dialled' },
            presses: {
              ...text,
              description: 'One answer for each time that keys are asked for, separated by commas',
            },
            hangs_up_after: duration,
            leaves: { type: 'string', pattern: '^message \\S+$', examples: ['message 20s'] },
          },
        },
        // biome-ignore lint/suspicious/noThenProperty: a key of the grammar
        then: {
          type: 'array',
          description: 'What is done in the course of the call',
          items: {
            type: 'string',
            pattern: '^after \\S+ .+',
            examples: ['after 10s transfer 2002', 'after 3s park'],
          },
        },
        expect: { $ref: '#/$defs/expect' },
        gaps: { enum: ['allowed'] },
        pivot: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
});
