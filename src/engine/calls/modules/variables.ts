import { isObject, type Json } from '../../../base/json.ts';
import { dataOf, on } from '../outcome.ts';
import { flagOf, said } from '../records.ts';
import { note } from '../run.ts';
import type { CallModule } from './module.ts';

const setVariable: CallModule = {
  simulated: 'variable value',
  none: { channel: 'both legs of a call show the same variables here' },
  run(route, step) {
    const data = dataOf(step);
    const name = said(data.variable);
    if (name === 'call_priority' || name === 'group_id') {
      const value = said(data.value) ?? '';
      route.variables[name] = value;
      route.leg.facts[name] = value;
    }
    return on();
  },
};

const defined = (values: object): readonly (readonly [string, Json])[] =>
  Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));

const setVariables: CallModule = {
  simulated: 'custom_application_vars export',
  run(route, step) {
    const data = dataOf(step);
    const values = isObject(data.custom_application_vars) ? data.custom_application_vars : {};
    const before = route.leg.facts.custom_application_vars;
    const all = Object.fromEntries(defined({ ...(isObject(before) ? before : {}), ...values }));
    route.leg.facts.custom_application_vars = all;
    if (flagOf(data.export, false))
      route.exported = { ...route.exported, ...Object.fromEntries(defined(values)) };
    return on();
  },
};

const set: CallModule = {
  simulated: '',
  run(route, step) {
    Object.assign(route.variables, Object.fromEntries(defined(dataOf(step))));
    return on();
  },
};

const setAlertInfo: CallModule = {
  simulated: 'alert_info',
  run(route, step) {
    const info = said(dataOf(step).alert_info);
    if (info !== undefined) route.alertInfo = info;
    return on();
  },
};

const afterBridge: CallModule = {
  simulated: 'action data',
  run(route, step) {
    const data = dataOf(step);
    const target = said(data.data);
    route.afterBridge = {
      action: said(data.action) ?? 'hangup',
      ...(target === undefined ? {} : { target }),
    };
    return on();
  },
};

const edr: CallModule = {
  simulated: '',
  run({ run }, step) {
    note(run, { at: run.clock.now(), kind: 'hook', hook: 'edr', facts: dataOf(step) });
    return on();
  },
};

export const variableModules = {
  set_variable: setVariable,
  set_variables: setVariables,
  set,
  set_alert_info: setAlertInfo,
  after_bridge: afterBridge,
  edr,
};
