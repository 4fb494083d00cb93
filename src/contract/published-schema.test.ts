import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { resources } from './catalogue.ts';
import { jsonSchema } from './published-schema.ts';
import { callflows } from './resources/callflows.ts';
import { users } from './resources/users.ts';
import { webhooks } from './resources/webhooks.ts';

const annotations = [
  'x-secret',
  'x-source',
  'x-ref',
  'x-key-ref',
  'x-outward',
  'x-sign-in',
  'x-support',
  'x-conventions',
];

// Its rules of schemas are compiled once.
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
});
ajv.addVocabulary(annotations);
ajvFormats.default(ajv, ['email', 'uri']);
const compiled = (schema: object) => ajv.compile(schema);

test.each(resources.map((resource) => [resource.name, resource] as const))(
  '%s is valid JSON Schema 2020-12 under both rule sets, with only standard keywords',
  (_, resource) => {
    for (const rules of ['specification', 'conventions'] as const) {
      const schema = jsonSchema(resource, rules);
      expect(schema.description).toContain(resource.summary);
      expect(() => compiled(schema)).not.toThrow();
    }
  },
);

test('the specification schema requires documented fields and allows undocumented values', () => {
  const check = compiled(jsonSchema(webhooks, 'specification'));
  expect(check({ name: 'crm', uri: 'no url', hook: 'something_new' })).toBe(true);
  expect(check({ name: 'crm', uri: 'https://crm.example' })).toBe(false);
  expect(check({ name: 'crm', uri: 'https://crm.example', hook: 'sms', http_verb: 'head' })).toBe(false);
});

test('merges and marks the conventions', () => {
  const schema = jsonSchema(users, 'conventions');
  const check = compiled(schema);
  expect(check({ first_name: 'A', last_name: 'B' })).toBe(true);
  expect(check({ first_name: 'A' })).toBe(false);
  expect(check({ first_name: 'A', last_name: 'B', priv_level: 'king' })).toBe(false);
  expect(schema).toMatchObject({
    'x-conventions': ['required'],
    properties: {
      priv_level: { 'x-conventions': ['enum', 'default'] },
      hotdesk: { properties: { pin: { 'x-source': 'convention', 'x-secret': true } } },
    },
  });
});

test('validates nested flows at any depth', () => {
  const check = compiled(jsonSchema(callflows, 'conventions'));
  const flow = (module: unknown) => ({
    flow: { module: 'menu', children: { 1: { module: 'user', children: { _: { module } } } } },
  });
  expect(check(flow('hangup'))).toBe(true);
  expect(check(flow(7))).toBe(false);
  expect(check(flow('hang-up'))).toBe(false);
});

test('validates step data by its module', () => {
  const check = compiled(jsonSchema(callflows, 'conventions'));
  const flow = (module: string, data: object) => ({ flow: { module, data } });
  expect(check(flow('tts', { text: 'Hello', colour: 'red' }))).toBe(true);
  expect(check(flow('tts', {}))).toBe(false);
  expect(check(flow('user', { timeout: 'abc' }))).toBe(false);
  expect(check(flow('menu', { timeout: 'abc' }))).toBe(true);
});
