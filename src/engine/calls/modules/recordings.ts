import { pause } from '../clock.ts';
import { dataOf, on } from '../outcome.ts';
import { record } from '../recording.ts';
import { amount, flagOf, said } from '../records.ts';
import { answer, note } from '../run.ts';
import type { CallModule } from './module.ts';

const recordCall: CallModule = {
  simulated: 'action format time_limit record_min_sec record_on_answer record_on_bridge label origin url',
  named: { should_follow_transfer: 'a recording stays with the leg that is recorded' },
  none: {
    media_name: 'it names the file alone',
    method: 'nothing is sent anywhere',
    record_sample_rate: 'it changes the sound alone',
  },
  run(route, step) {
    const { run, leg, recordings } = route;
    const data = dataOf(step);
    if (said(data.action) === 'stop') {
      recordings.pop()?.();
      return on();
    }
    const origin = said(data.origin) ?? `callflow : ${said(data.label) ?? said(route.flow?.name) ?? ''}`;
    const waits = flagOf(data.record_on_answer, false) || flagOf(data.record_on_bridge, false);
    if (!waits || leg.answered !== undefined) recordings.push(record(run, leg, data, origin));
    else
      leg.onAnswer.push(() => {
        recordings.push(record(run, leg, data, origin));
      });
    return on();
  },
};

const longest = 3600;

const recordCaller: CallModule = {
  simulated: 'time_limit url format',
  none: { method: 'nothing is sent anywhere' },
  *run({ run, leg }, step) {
    const data = dataOf(step);
    answer(run, leg);
    const seconds = Math.min(run.input.leaves ?? 0, amount(data.time_limit, longest));
    yield* pause(run.clock, seconds);
    if (seconds > 0)
      note(run, {
        at: run.clock.now(),
        kind: 'left',
        what: 'recording',
        seconds,
        facts: { leg: leg.id, format: said(data.format) ?? 'mp3', url: said(data.url) ?? '' },
      });
    return on();
  },
};

export const recordingModules = { record_call: recordCall, record_caller: recordCaller };
