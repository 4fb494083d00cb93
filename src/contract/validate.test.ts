import { describe, expect, it } from 'vitest';
import { resourceByName } from './catalogue.ts';
import { requiredFields } from './schema.ts';
import { createNormaliser, createValidator, sourcesByRules } from './validate.ts';

const users = resourceByName('users');
const webhooks = resourceByName('webhooks');
const callflows = resourceByName('callflows');
const ports = resourceByName('ports');

it('validates each value by its own keys when a validator is reused', () => {
  const rulesOf = (value: object) =>
    createValidator(users.schema, 'conventions', { partial: true })(value).map(({ path }) => path);
  expect(rulesOf({ first_name: 'Alice' })).toEqual([]);
  expect(rulesOf({ first_name: 1 })).toEqual(['first_name']);
  expect(rulesOf({ enabled: 'perhaps' })).toEqual(['enabled']);
  expect(rulesOf({ first_name: 1, caller_id: { internal: { name: 2 } } })).toEqual([
    'first_name',
    'caller_id.internal.name',
  ]);
  expect(rulesOf({})).toEqual([]);
});

it.each(['female/en-US', 'en-US-Standard-B', 'cmn-CN-Wavenet-A', 'female/en-us', 'female', 'en_US'])(
  'accepts the media voice %s if services do',
  (voice) => {
    const check = createValidator(resourceByName('media').schema, 'conventions', { partial: true });
    const isTaken = /[a-z]-[A-Z]{2}/.test(voice);
    expect(check({ tts: { voice } }).map(({ path }) => path)).toEqual(isTaken ? [] : ['tts.voice']);
  },
);

describe('a validator for the specification', () => {
  const check = createValidator(webhooks.schema, 'specification', {
    required: requiredFields(webhooks, 'create', sourcesByRules.specification),
  });

  it('names each missing field', () => {
    expect(check({ name: 'CRM' })).toEqual([
      { path: 'uri', rule: 'required', message: 'is required' },
      { path: 'hook', rule: 'required', message: 'is required' },
    ]);
  });

  it('lists the allowed values', () => {
    expect(check({ name: 'CRM', uri: 'https://crm.example', hook: 'sms', format: 'xml' })).toEqual([
      {
        path: 'format',
        rule: 'enum',
        message: 'must be one of form-data, json',
        target: ['form-data', 'json'],
        value: 'xml',
      },
    ]);
  });

  it('does not convert values', () => {
    expect(check({ name: 'CRM', uri: 'x', hook: 'sms', retries: '2' })).toEqual([
      { path: 'retries', rule: 'type', message: 'must be a whole number', target: ['integer'], value: '2' },
    ]);
  });

  it('ignores constraints of compatible services', () => {
    expect(check({ name: '', uri: 'no uri', hook: 'new_hook', retries: 99, modifiers: 3 })).toEqual([]);
  });

  it('does not modify the value', () => {
    const value = Object.freeze({ name: 'CRM', uri: 'https://crm.example', hook: 'sms' });
    expect(check(value)).toEqual([]);
    expect(value).not.toHaveProperty('retries');
  });
});

describe('a validator with the conventions', () => {
  it('reports formats, lengths and patterns by rule name', () => {
    const problems = createValidator(
      users.schema,
      'conventions',
    )({
      email: 'nobody',
      first_name: '',
      username: 'a b',
    });
    expect(problems.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      'username pattern',
      'first_name minLength',
      'email wrong_format',
    ]);
  });

  it('accepts the extra types of compatible services', () => {
    const vmboxes = resourceByName('vmboxes').schema;
    expect(createValidator(vmboxes, 'specification')({ operator_number: '0100' })).toHaveLength(1);
    expect(createValidator(vmboxes, 'conventions')({ operator_number: '0100' })).toEqual([]);
  });

  it('validates flows at any depth and the keys of maps', () => {
    const check = createValidator(callflows.schema, 'conventions');
    expect(
      check({ flow: { module: 'menu', children: { '1': { module: 7 }, 'a.b': { module: '' } } } }),
    ).toMatchObject([
      { path: 'flow.children.1.module', rule: 'type' },
      { path: 'flow.children.a%2Eb.module', rule: 'minLength' },
    ]);
    expect(createValidator(ports.schema, 'conventions')({ numbers: { 'no-number': {} } })).toMatchObject([
      { path: 'numbers.no-number', rule: 'additionalProperties' },
    ]);
  });

  it('never includes a secret in a problem', () => {
    const problems = [
      ...createValidator(resourceByName('vmboxes').schema, 'conventions')({ pin: 'canary-secret' }),
      ...createValidator(
        users.schema,
        'conventions',
      )({ password: 4711, hotdesk: { pin: 'canary-secret-long' } }),
    ];
    expect(problems).toHaveLength(3);
    expect(JSON.stringify(problems)).not.toMatch(/canary|4711/);
  });
});

describe('a validator for partial records', () => {
  const check = createValidator(ports.schema, 'conventions', { partial: true });

  it('requires no fields and lets null remove a key', () => {
    expect(check({ name: null, bill: { pin: null }, notifications: { email: null } })).toEqual([]);
    expect(createValidator(webhooks.schema, 'conventions', { partial: true })({ format: null })).toEqual([]);
  });

  it('validates the given fields, and list items as whole records', () => {
    expect(check({ signing_date: 'soon', comments: [{ content: null }] })).toMatchObject([
      { path: 'comments.0.author', rule: 'required' },
      { path: 'comments.0.timestamp', rule: 'required' },
      { path: 'comments.0.content', rule: 'type' },
      { path: 'signing_date', rule: 'type', message: 'must be a whole number', target: ['integer'] },
    ]);
  });

  it('rejects null as the record', () => {
    expect(check(null)).toMatchObject([{ path: '', rule: 'type' }]);
  });
});

describe('a normaliser', () => {
  it('fills in defaults and converts text in a copy', () => {
    const value = Object.freeze({ retries: '3', enabled: 'false', name: '5' });
    expect(createNormaliser(webhooks.schema, 'conventions')(value)).toEqual({
      value: {
        name: '5',
        retries: 3,
        enabled: false,
        http_verb: 'post',
        format: 'form-data',
        include_subaccounts: false,
        include_internal_legs: true,
      },
      problems: [],
    });
  });

  it('keeps and reports text that is not a number', () => {
    const { value, problems } = createNormaliser(webhooks.schema, 'conventions')({ retries: 'many' });
    expect(value).toMatchObject({ retries: 'many' });
    expect(problems).toMatchObject([{ path: 'retries', rule: 'type', value: 'many' }]);
  });

  it('adds no defaults to partial records', () => {
    const { value } = createNormaliser(webhooks.schema, 'conventions', { partial: true })({
      enabled: 'true',
    });
    expect(value).toEqual({ enabled: true });
  });
});
