import type { JsonObject } from '../../../base/json.ts';
import { dataOf, on, type Route } from '../outcome.ts';
import { objects, said } from '../records.ts';
import { note } from '../run.ts';
import type { Cause } from '../types.ts';
import type { CallModule } from './module.ts';

const tell = ({ run, leg, came, req }: Route, hook: string, facts: JsonObject): void =>
  note(run, {
    at: run.clock.now(),
    kind: 'hook',
    hook,
    facts: { leg: leg.id, caller_id_number: came.number ?? '', to: req, ...facts },
  });

const recipients = (data: JsonObject): readonly JsonObject[] => objects(data.recipients);

const missedCallAlert: CallModule = {
  simulated: 'recipients',
  run(route, step) {
    const data = dataOf(step);
    if (!route.isOffnet) return on('_', 'Only calls from outside are told of.');
    route.atEnd.set('missed_call', () => {
      if (route.leg.other === undefined && !route.isMessageLeft && !route.isTakenOver)
        tell(route, 'missed_call', { recipients: recipients(data) });
    });
    return on();
  },
};

const notification: CallModule = {
  simulated: 'template_id recipients send_at comments notification_media',
  run(route, step) {
    const data = dataOf(step);
    const template = said(data.template_id);
    if (template === undefined) return on('_', 'It names no template.');
    const send = (_cause?: Cause): void =>
      tell(route, 'notification', {
        template_id: template,
        recipients: recipients(data),
        comments: data.comments,
        notification_media: data.notification_media,
      });
    if (said(data.send_at) === 'callflow_exec') send();
    else route.atEnd.set(`notification ${template}`, send);
    return on();
  },
};

const webhook: CallModule = {
  simulated: 'uri http_verb custom_data',
  named: { retries: 'the address is taken to answer at once' },
  run(route, step) {
    const { uri, http_verb: verb, custom_data: custom } = dataOf(step);
    tell(route, 'callflow', {
      uri: said(uri) ?? '',
      http_verb: said(verb) ?? 'get',
      custom_data: custom ?? {},
    });
    return on();
  },
};

export const noticeModules = { missed_call_alert: missedCallAlert, notification, webhook };
