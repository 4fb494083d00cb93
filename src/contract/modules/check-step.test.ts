import { describe, expect, test } from 'vitest';
import { resourceByName } from '../catalogue.ts';
import { createNormaliser, createValidator } from '../validate.ts';

const { schema } = resourceByName('callflows');
const found = (flow: object, partial = false) =>
  createValidator(schema, 'conventions', { partial })({ flow }).map(({ path, rule }) => `${path} ${rule}`);

describe('step data', () => {
  test.each<[string, object, string[]]>([
    ['an unknown module', { module: 'nosuch' }, ['flow.module error']],
    ['text instead of a number', { module: 'user', data: { timeout: 'abc' } }, ['flow.data.timeout type']],
    ['tts data without text', { module: 'tts', data: {} }, ['flow.data.text required']],
    ['no data', { module: 'tts' }, ['flow.data.text required']],
    [
      'a value that is not in the enum',
      { module: 'record_call', data: { action: 'bogus' } },
      ['flow.data.action enum'],
    ],
    [
      'a number below the minimum',
      { module: 'sleep', data: { duration: -1 } },
      ['flow.data.duration minimum'],
    ],
    [
      'an invalid list item',
      { module: 'ring_group', data: { endpoints: [{ id: 'x', endpoint_type: 'phone' }] } },
      ['flow.data.endpoints.0.endpoint_type enum'],
    ],
    ['text instead of an object', { module: 'answer', data: 'x' }, ['flow.data type']],
    ['unknown keys', { module: 'answer', data: { colour: 'red' } }, []],
    ...['', 'x'.repeat(700)].map((uri): [string, object, string[]] => [
      `an invalid address of ${uri.length} letters`,
      { module: 'webhook', data: { uri } },
      ['flow.data.uri wrong_format'],
    ]),
    ['a missing key that has a default', { module: 'record_call', data: {} }, []],
    ['a mailbox that the caller dials', { module: 'voicemail', data: { action: 'compose' } }, []],
    [
      'a nested step',
      { module: 'menu', children: { 1: { module: 'user', children: { _: { module: 'tts', data: {} } } } } },
      ['flow.children.1.children._.data.text required'],
    ],
  ])('with %s has the expected problems', (_, flow, expected) => {
    expect(found(flow)).toEqual(expected);
  });

  test('is validated against the metaflow modules inside a metaflow', () => {
    const check = createValidator(resourceByName('metaflows').schema, 'conventions');
    expect(check({ numbers: { 1: { module: 'hold' } } })).toEqual([]);
    expect(check({ numbers: { 1: { module: 'menu' } } })).toMatchObject([
      { path: 'numbers.1.module', rule: 'error', message: 'is not a module of metaflows' },
    ]);
  });

  test('suggests the nearest module name', () => {
    expect(createValidator(schema, 'conventions')({ flow: { module: 'voicemial' } })).toMatchObject([
      { message: 'is not a module of callflows; did you mean "voicemail"?' },
    ]);
  });

  test('may lack a module in a partial record, and null removes a key', () => {
    expect(found({ data: { timeout: 'abc' } }, true)).toEqual([]);
    expect(found({ module: 'user', data: { timeout: null } }, true)).toEqual([]);
    expect(found({ module: 'user', data: { timeout: 'abc' } }, true)).toEqual(['flow.data.timeout type']);
    expect(found({ children: {} })).toEqual(['flow.module required']);
  });

  test('gets the defaults of its module, and converts digits to numbers', () => {
    const normalise = createNormaliser(schema, 'conventions');
    expect(normalise({ flow: { module: 'user', data: { id: 'x', delay: '5' } } })).toEqual({
      problems: [],
      value: {
        flow: { module: 'user', data: { id: 'x', delay: 5, strategy: 'simultaneous', timeout: 20 } },
      },
    });
  });

  test('is not validated under the specification', () => {
    expect(createValidator(schema, 'specification')({ flow: { module: 'nosuch', data: { a: 1 } } })).toEqual(
      [],
    );
  });
});
