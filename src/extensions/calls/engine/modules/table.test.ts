import { expect, test } from 'vitest';
import { callflowModules } from '../../../../contract/callflow-modules.ts';
import { resourceByName } from '../../../../contract/catalogue.ts';
import { moduleData, moduleNames } from '../../../../contract/module-data.ts';
import { findFieldNode } from '../../../../contract/schema.ts';
import type { ResourceName } from '../../../../contract/types.ts';
import { settingRows } from '../setting-table.ts';
import { callModules, moduleRows, shareSimulated } from './table.ts';

test('every callflow module is simulated and declares each of its keys', () => {
  expect(Object.keys(callModules).toSorted()).toEqual([...moduleNames('callflow')].toSorted());
  for (const name of moduleNames('callflow')) {
    const known = Object.keys(moduleData('callflow', name)?.properties ?? {});
    const { simulated = '', named = {}, none = {} } = callModules[name] ?? {};
    const declared = [...simulated.split(' '), ...Object.keys(named), ...Object.keys(none)].filter(
      (key) => key !== '',
    );
    expect([...declared, 'skip_module'].toSorted(), name).toEqual(
      [...known, ...(known.includes('skip_module') ? [] : ['skip_module'])].toSorted(),
    );
  }
});

test('at least 85 % of the keys and settings with an effect are simulated', () => {
  expect(shareSimulated(moduleRows())).toBeGreaterThan(85);
  expect(shareSimulated([...moduleRows(), ...settingRows()])).toBeGreaterThan(80);
});

const referred = [...callflowModules.values()].flatMap(({ refers }) => refers.flatMap(({ to }) => to ?? []));

test.each([...new Set<ResourceName>(['accounts', 'metaflows', 'callflows', ...referred])])(
  'the table has a row for each writable setting of %s, and no other rows',
  (name) => {
    const { schema } = resourceByName(name);
    const writable = Object.entries(schema.properties ?? {}).flatMap(([field, node]) =>
      node.readOnly === true ? [] : field,
    );
    const rows = settingRows().filter(({ of }) => of === name);
    expect(rows.map(({ key }) => key).filter((key) => !key.includes('.'))).toEqual(
      expect.arrayContaining(writable),
    );
    for (const { key } of rows) expect(findFieldNode(schema, key), key).toBeDefined();
  },
);
