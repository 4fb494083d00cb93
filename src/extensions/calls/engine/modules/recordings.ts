import { isObject, type JsonObject, valueAt } from '../../../../base/json.ts';
import { pause } from '../clock.ts';
import { type CallModules, type CallRoute, dataOf, takeBranch } from '../outcome.ts';
import { booleanOr, nonEmptyText, numberOr } from '../records.ts';
import { answer, type CallRun, type Leg, recordEvent } from '../run.ts';

/** Default maximum length of a recording, in seconds. */
const longest = 3600;

export const recordingModules: CallModules = {
  record_call: {
    simulated: 'action format time_limit record_min_sec record_on_answer record_on_bridge label origin url',
    named: { should_follow_transfer: 'a recording follows its leg' },
    none: {
      media_name: 'it only sets the file name',
      method: 'nothing is sent anywhere',
      record_sample_rate: 'it only changes the sound',
    },
    run(route, step) {
      const { run, leg, recordings } = route;
      const data = dataOf(step);
      if (nonEmptyText(data.action) === 'stop') {
        recordings.pop()?.();
        return takeBranch();
      }
      const origin =
        nonEmptyText(data.origin) ??
        `callflow : ${nonEmptyText(data.label) ?? nonEmptyText(route.flow?.name) ?? ''}`;
      const waits = booleanOr(data.record_on_answer, false) || booleanOr(data.record_on_bridge, false);
      if (!waits || leg.answered !== undefined) recordings.push(startRecording(run, leg, data, origin));
      else
        leg.onAnswer.push(() => {
          recordings.push(startRecording(run, leg, data, origin));
        });
      return takeBranch();
    },
  },
  record_caller: {
    simulated: 'time_limit url format',
    none: { method: 'nothing is sent anywhere' },
    *run({ run, leg }, step) {
      const data = dataOf(step);
      answer(run, leg);
      const seconds = Math.min(run.input.leaves ?? 0, numberOr(data.time_limit, longest));
      yield* pause(run.clock, seconds);
      if (seconds > 0)
        recordEvent(run, {
          kind: 'left',
          what: 'recording',
          seconds,
          facts: {
            leg: leg.id,
            format: nonEmptyText(data.format) ?? 'mp3',
            url: nonEmptyText(data.url) ?? '',
          },
        });
      return takeBranch();
    },
  },
};

/** Starts a recording of a leg. Returns a function that stops it. */
function startRecording(run: CallRun, leg: Leg, settings: JsonObject, origin: string): () => void {
  const began = run.clock.now();
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    const seconds = Math.min(run.clock.now() - began, numberOr(settings.time_limit, longest));
    if (seconds <= 0 || seconds < numberOr(settings.record_min_sec, 0)) return;
    const format = nonEmptyText(settings.format) ?? 'mp3';
    recordEvent(run, {
      kind: 'left',
      what: 'recording',
      seconds,
      facts: { origin, format, leg: leg.id, url: nonEmptyText(settings.url) },
    });
  };
  leg.onEnd.unshift(end);
  return end;
}

/** Returns recording settings for a direction and network, with `any` as the fallback. */
function recordingSettings(
  record: JsonObject | undefined,
  path: string,
  direction: string,
  network: string,
): JsonObject | undefined {
  const settings = valueAt(record, path);
  const found = [direction, 'any']
    .flatMap((way) => [network, 'any'].map((net) => valueAt(settings, `${way}.${net}`)))
    .find((each) => typeof valueAt(each, 'enabled') === 'boolean');
  return isObject(found) && found.enabled === true ? found : undefined;
}

/** Starts the recordings that the account and the caller's phone require. */
export function startRequiredRecordings(route: CallRoute): void {
  const { run, leg, isOffnet, records, party } = route;
  const from = isOffnet ? 'offnet' : 'onnet';
  const to = route.isNoMatch ? 'offnet' : 'onnet';
  const account = records.account.record;
  const incoming = recordingSettings(account, 'call_recording.account', 'inbound', from);
  const outgoing = incoming
    ? undefined
    : recordingSettings(account, 'call_recording.account', 'outbound', to);
  if (incoming) startRecording(run, leg, incoming, `inbound from ${from} to account`);
  else if (outgoing) startRecording(run, leg, outgoing, `outbound to ${to} from account`);
  if (isOffnet) return;
  const own = [party.user, party.device]
    .map((each) => recordingSettings(each, 'call_recording', 'outbound', to))
    .find((each) => each);
  const usual = own ?? recordingSettings(account, 'call_recording.endpoint', 'outbound', to);
  if (usual) startRecording(run, leg, usual, `outbound to ${to} from endpoint`);
}

/** Starts the recording that a called phone requires after the answer. */
export function startCalledRecording(route: CallRoute, leg: Leg): void {
  const { run, isOffnet, records } = route;
  const from = isOffnet ? 'offnet' : 'onnet';
  const user = records.get('users', leg.user);
  const device = records.get('devices', leg.device);
  const own = [user, device]
    .map((each) => recordingSettings(each, 'call_recording', 'inbound', from))
    .find((each) => each);
  const wanted =
    own ??
    (user || device
      ? recordingSettings(records.account.record, 'call_recording.endpoint', 'inbound', from)
      : undefined);
  if (wanted) startRecording(run, leg, wanted, `inbound from ${from} to endpoint`);
}
