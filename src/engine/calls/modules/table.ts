import { type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { audioModules } from './audio.ts';
import { callerIdModules } from './caller-ids.ts';
import { carrierModules } from './carriers.ts';
import { entryModules } from './entries.ts';
import { flowModules } from './flows.ts';
import { menuModules } from './menus.ts';
import type { CallModule } from './module.ts';
import { noticeModules } from './notices.ts';
import { parkingModules } from './parking.ts';
import { pickupModules } from './pickup.ts';
import { queueModules } from './queues.ts';
import { recordingModules } from './recordings.ts';
import { ringingModules } from './ringing.ts';
import { roomModules } from './rooms.ts';
import { settingModules } from './settings.ts';
import { timeModules } from './time.ts';
import { variableModules } from './variables.ts';
import { voicemailModules } from './voicemail.ts';

export const callModules: Readonly<Record<string, CallModule>> = {
  ...ringingModules,
  ...menuModules,
  ...timeModules,
  ...audioModules,
  ...voicemailModules,
  ...carrierModules,
  ...flowModules,
  ...callerIdModules,
  ...variableModules,
  ...noticeModules,
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

/** What a step asks for that is passed over, in sentences. */
export function gapsOf(name: string, data: JsonObject): readonly string[] {
  const { named = {} } = moduleNamed(name) ?? {};
  return Object.entries(named)
    .filter(([key]) => saysSomething(valueAt(data, key)))
    .map(([key, why]) => `"${key}" of ${name} is passed over: ${why}.`);
}

const saysSomething = (value: Json | undefined): boolean =>
  !(value === undefined || value === null || value === false || value === '') &&
  (typeof value !== 'object' || Object.keys(value).length > 0);
