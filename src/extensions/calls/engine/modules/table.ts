import { type JsonObject, valueAt } from '../../../../base/json.ts';
import { moduleData, moduleNames } from '../../../../contract/module-data.ts';
import type { CallModule } from '../outcome.ts';
import { type CoverageRow, hasEffect } from '../setting-table.ts';
import { audioModules } from './audio.ts';
import { callerIdModules } from './caller-ids.ts';
import { carrierModules } from './carriers.ts';
import { roomModules } from './conferences.ts';
import { entryModules } from './entries.ts';
import { menuModules } from './menus.ts';
import { noteModules } from './notes.ts';
import { parkingModules } from './parking.ts';
import { pickupModules } from './pickup.ts';
import { queueModules } from './queues.ts';
import { recordingModules } from './recordings.ts';
import { ringingModules } from './ringing.ts';
import { settingModules } from './settings.ts';
import { timeModules } from './time.ts';
import { voicemailModules } from './voicemail.ts';

export const callModules: Readonly<Record<string, CallModule>> = {
  ...ringingModules,
  ...menuModules,
  ...timeModules,
  ...audioModules,
  ...voicemailModules,
  ...carrierModules,
  ...callerIdModules,
  ...noteModules,
  ...recordingModules,
  ...settingModules,
  ...roomModules,
  ...pickupModules,
  ...parkingModules,
  ...queueModules,
  ...entryModules,
};

export const moduleNamed = (name: string): CallModule | undefined =>
  Object.hasOwn(callModules, name) ? callModules[name] : undefined;

/** Describes data of a step that is not simulated. */
export function describeStepGaps(name: string, data: JsonObject): readonly string[] {
  const { named = {} } = moduleNamed(name) ?? {};
  return Object.entries(named)
    .filter(([key]) => hasEffect(valueAt(data, key)))
    .map(([key, why]) => `"${key}" of ${name} is not simulated: ${why}.`);
}

/** Returns a row for each data key of each callflow module, sorted by name. */
export function moduleRows(): readonly CoverageRow[] {
  return moduleNames('callflow').flatMap((name) =>
    Object.keys(moduleData('callflow', name)?.properties ?? {})
      .filter((key) => key !== 'skip_module')
      .toSorted()
      .map((key) => coverageRow(name, key)),
  );
}

function coverageRow(name: string, key: string): CoverageRow {
  const { simulated = '', named = {}, none = {} } = callModules[name] ?? {};
  if (simulated.split(' ').includes(key)) return { of: name, key, how: 'simulated' };
  if (named[key] !== undefined) return { of: name, key, how: 'named', why: named[key] };
  return { of: name, key, how: 'none', why: none[key] };
}

/** Returns the share of simulated keys among keys that affect calls, in percent. */
export function shareSimulated(rows: readonly CoverageRow[]): number {
  const withEffect = rows.filter(({ how }) => how !== 'none');
  return (100 * withEffect.filter(({ how }) => how === 'simulated').length) / withEffect.length;
}
