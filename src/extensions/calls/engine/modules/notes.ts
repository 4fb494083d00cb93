import { isObject, type Json, type JsonObject } from '../../../../base/json.ts';
import { type CallModules, type CallRoute, dataOf, takeBranch } from '../outcome.ts';
import { booleanOr, nonEmptyText, objects } from '../records.ts';
import { recordEvent } from '../run.ts';
import type { Cause } from '../types.ts';

const definedOnly = (values: object): readonly (readonly [string, Json])[] =>
  Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));

const publishEvent = ({ run, leg, came, req }: CallRoute, hook: string, facts: JsonObject): void =>
  recordEvent(run, {
    kind: 'hook',
    hook,
    facts: { leg: leg.id, caller_id_number: came.number ?? '', to: req, ...facts },
  });

const recipients = (data: JsonObject): readonly JsonObject[] => objects(data.recipients);

export const noteModules: CallModules = {
  set_variable: {
    simulated: 'variable value',
    none: { channel: 'both legs of a call have the same variables in a simulation' },
    run(route, step) {
      const data = dataOf(step);
      const name = nonEmptyText(data.variable);
      if (name === 'call_priority' || name === 'group_id') {
        const value = nonEmptyText(data.value) ?? '';
        route.variables[name] = value;
        route.leg.facts[name] = value;
      }
      return takeBranch();
    },
  },
  set_variables: {
    simulated: 'custom_application_vars export',
    run(route, step) {
      const data = dataOf(step);
      const values = isObject(data.custom_application_vars) ? data.custom_application_vars : {};
      const before = route.leg.facts.custom_application_vars;
      const all = Object.fromEntries(definedOnly({ ...(isObject(before) ? before : {}), ...values }));
      route.leg.facts.custom_application_vars = all;
      if (booleanOr(data.export, false))
        route.exported = { ...route.exported, ...Object.fromEntries(definedOnly(values)) };
      return takeBranch();
    },
  },
  set: {
    run(route, step) {
      Object.assign(route.variables, Object.fromEntries(definedOnly(dataOf(step))));
      return takeBranch();
    },
  },
  set_alert_info: {
    simulated: 'alert_info',
    run(route, step) {
      const info = nonEmptyText(dataOf(step).alert_info);
      if (info !== undefined) route.alertInfo = info;
      return takeBranch();
    },
  },
  after_bridge: {
    simulated: 'action data',
    run(route, step) {
      const data = dataOf(step);
      const target = nonEmptyText(data.data);
      route.afterBridge = { action: nonEmptyText(data.action) ?? 'hangup', target };
      return takeBranch();
    },
  },
  edr: {
    run({ run }, step) {
      recordEvent(run, { kind: 'hook', hook: 'edr', facts: dataOf(step) });
      return takeBranch();
    },
  },
  missed_call_alert: {
    simulated: 'recipients',
    run(route, step) {
      const data = dataOf(step);
      if (!route.isOffnet) return takeBranch('_', 'Notifications are only sent for calls from outside.');
      route.atEnd.set('missed_call', () => {
        if (route.leg.other === undefined && !route.isMessageLeft && !route.isTakenOver)
          publishEvent(route, 'missed_call', { recipients: recipients(data) });
      });
      return takeBranch();
    },
  },
  notification: {
    simulated: 'template_id recipients send_at comments notification_media',
    run(route, step) {
      const data = dataOf(step);
      const template = nonEmptyText(data.template_id);
      if (template === undefined) return takeBranch('_', 'The step names no template.');
      const send = (_cause?: Cause): void =>
        publishEvent(route, 'notification', {
          template_id: template,
          recipients: recipients(data),
          comments: data.comments,
          notification_media: data.notification_media,
        });
      if (nonEmptyText(data.send_at) === 'callflow_exec') send();
      else route.atEnd.set(`notification ${template}`, send);
      return takeBranch();
    },
  },
  webhook: {
    simulated: 'uri http_verb custom_data',
    named: { retries: 'the address responds immediately in a simulation' },
    run(route, step) {
      const { uri, http_verb: verb, custom_data: custom } = dataOf(step);
      publishEvent(route, 'callflow', {
        uri: nonEmptyText(uri) ?? '',
        http_verb: nonEmptyText(verb) ?? 'get',
        custom_data: custom ?? {},
      });
      return takeBranch();
    },
  },
};
