import { describe, expect, test } from 'vitest';
import { callSettings, type Part, unheeded } from './call-settings.ts';
import { callflowModules } from './callflow-modules.ts';
import { resourceByName } from './catalogue.ts';
import { fieldAt } from './schema.ts';
import type { ResourceName } from './types.ts';

const referred = [...callflowModules.values()].flatMap(({ refers }) => refers.flatMap(({ to }) => to ?? []));
/** Records that a call can come past: the account, its callflows, and whatever steps refer to. */
const passed = new Set<ResourceName>(['accounts', 'metaflows', 'callflows', ...referred]);

describe.each([...passed])('%s', (name) => {
  const { schema } = resourceByName(name);
  const rows = callSettings[name] ?? {};

  test('have a line for every field that can be written', () => {
    const fields = Object.entries(fieldAt(schema, '')?.properties ?? Object(schema).properties);
    const writable = fields.flatMap(([field, node]) => (Object(node).readOnly === true ? [] : field));
    expect(writable.length).toBeGreaterThan(0);
    expect(Object.keys(rows).filter((path) => !path.includes('.'))).toEqual(expect.arrayContaining(writable));
  });

  test('have no line for a field that there is not', () => {
    for (const path of Object.keys(rows)) expect(fieldAt(schema, path), path).toBeDefined();
  });

  test('name what matters and is not heeded, and nothing else', () => {
    for (const [path, { when, heededBy }] of Object.entries(rows)) {
      const [field = '', inner] = path.split('.');
      const record = { [field]: inner === undefined ? 'said' : { [inner]: 'said' } };
      const named = (parts: readonly Part[]): readonly string[] =>
        unheeded('call', [{ resource: name, name: 'x', record, parts: new Set(parts) }]).map(
          ({ setting }) => setting,
        );
      const isNamed = when !== undefined && !heededBy.includes('call');
      expect(when === undefined ? [] : named([when]), path).toEqual(
        isNamed
          ? expect.arrayContaining([`${name}.${path}`])
          : expect.not.arrayContaining([`${name}.${path}`]),
      );
      expect(named([])).toEqual([]);
    }
  });
});

test('what is empty, switched off or usual is not named', () => {
  const account = {
    metaflows: {},
    dial_plan: { system: [] },
    call_waiting: { enabled: false },
    enabled: true,
  };
  const parts = new Set<Part>(['passed', 'calls', 'rings', 'talks', 'goes out', 'message']);
  expect(unheeded('trace', [{ resource: 'accounts', name: 'acme', record: account, parts }])).toEqual([]);
  const user = { dial_plan: { '^(\\d{4})$': { prefix: '+1555123' } } };
  expect(unheeded('trace', [{ resource: 'users', name: 'alice', record: user, parts }])).toEqual([
    { setting: 'users.dial_plan', of: 'alice', words: 'dial plan of alice' },
  ]);
});
