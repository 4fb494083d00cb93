import { moduleData, moduleNames } from '../../contract/module-data.ts';
import { callModules } from './modules/table.ts';
import type { CoverageRow } from './setting-table.ts';

/** Returns a row for each key of the data of each module of callflows, in order of their names. */
export function moduleRows(): readonly CoverageRow[] {
  return moduleNames('callflow').flatMap((name) =>
    Object.keys(moduleData('callflow', name)?.properties ?? {})
      .filter((key) => key !== 'skip_module')
      .toSorted()
      .map((key) => rowOf(name, key)),
  );
}

function rowOf(name: string, key: string): CoverageRow {
  const { simulated = '', named = {}, none = {} } = callModules[name] ?? {};
  if (simulated.split(' ').includes(key)) return { of: name, key, how: 'simulated' };
  if (named[key] !== undefined) return { of: name, key, how: 'named', why: named[key] };
  const why = none[key];
  return { of: name, key, how: 'none', ...(why === undefined ? {} : { why }) };
}

/** The share of the keys with an effect that have it here, in per cent. */
export function shareSimulated(rows: readonly CoverageRow[]): number {
  const withEffect = rows.filter(({ how }) => how !== 'none');
  return (100 * withEffect.filter(({ how }) => how === 'simulated').length) / withEffect.length;
}
