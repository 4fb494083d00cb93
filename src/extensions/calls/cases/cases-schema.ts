import type { JsonObject } from '../../../base/json.ts';
import { behaviourWords, endWords, type expectationKeys } from './case-file.ts';

/** A string. YAML reads an unquoted phone number as a number, so both types are valid. */
const text: JsonObject = { type: ['string', 'number'] };
const texts: JsonObject = { anyOf: [text, { type: 'array', items: text }] };
const duration: JsonObject = {
  type: 'string',
  pattern: '^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$',
  description: 'A duration such as 10s or 1m30s',
};
const flag: JsonObject = { anyOf: [{ type: 'boolean' }, { enum: ['yes', 'no'] }] };

const at: JsonObject = {
  type: 'string',
  description: 'Date and time with a time zone, such as 2026-11-23 10:00 Europe/Zurich',
  examples: ['2026-11-23 10:00 Europe/Zurich'],
};

const people: JsonObject = {
  type: 'object',
  description: 'Behavior by user or device (default: answers after 6 s)',
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
      'Names of steps in this order. A temporal route is "RULE: open" or "RULE: closed", a menu is "NAME: KEY"',
  },
  rings: { ...texts, description: 'Users and devices that ring, in order of the first ring' },
  answered_by: { ...text, description: 'User, device or number that answers' },
  ends_in: { ...end, description: 'Where the caller ends' },
  cause: { type: 'string', pattern: '^[A-Z][A-Z_]+$', description: "Hangup cause of the caller's leg" },
  within: { ...duration, description: 'Longest time from the start of the call to the answer' },
  caller_id: { ...text, description: 'Number or name that the last leg shows' },
  emergency: { ...flag, description: 'The call goes out as an emergency call' },
  hears: { ...texts, description: 'Prompts, texts and media that the caller hears, in order' },
  voicemail: { ...text, description: 'Mailbox that gets a message' },
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
    description: 'Expectations, or words of ends_in, that must not be met',
    anyOf: [{ $ref: '#/$defs/expect' }, end, { type: 'array', items: end }],
  },
};

export const casesSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Calls as code',
  description: 'Calls and their expected results, for telctl test',
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
        name: { ...text, description: 'Unique name' },
        at: { ...at, description: 'Date and time (default time zone: that of the file)' },
        people,
        call: {
          type: 'object',
          required: ['from', 'to'],
          additionalProperties: false,
          properties: {
            from: { ...text, description: 'A number, user:NAME or device:NAME' },
            to: { ...text, description: 'Dialed number' },
            presses: {
              ...text,
              description: 'Keys for each prompt, separated by commas',
            },
            hangs_up_after: duration,
            leaves: { type: 'string', pattern: '^message \\S+$', examples: ['message 20s'] },
          },
        },
        // biome-ignore lint/suspicious/noThenProperty: a key of the grammar
        then: {
          type: 'array',
          description: 'Actions during the call',
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
