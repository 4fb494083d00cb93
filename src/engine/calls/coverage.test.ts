import { expect, test } from 'vitest';
import { moduleData, moduleNames } from '../../contract/module-data.ts';
import { moduleRows, shareSimulated } from './coverage.ts';
import { callModules } from './modules/table.ts';
import { settingRows, unknownSettings } from './setting-table.ts';

test('every module of callflows takes part in calls, and declares each of its keys', () => {
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

test('the table of settings names settings that records have', () => {
  expect(unknownSettings()).toEqual([]);
});
