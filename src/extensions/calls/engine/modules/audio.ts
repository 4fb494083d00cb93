import { type JsonObject, valueAt } from '../../../../base/json.ts';
import { pause, type Task } from '../clock.ts';
import {
  type CallModules,
  type CallRoute,
  causeOf,
  dataOf,
  leave,
  playSound,
  promptSeconds,
  stop,
  takeBranch,
} from '../outcome.ts';
import { booleanOr, nameByKind, nonEmptyText, numberOr, objects } from '../records.ts';
import { answer, recordHeard, setPlace } from '../run.ts';
import { giveUpInTime, waitForEnd } from '../waiting.ts';

/** Returns the duration of a spoken text in seconds, at 2.5 words per second. */
const spokenSeconds = (text: string): number => Math.max(1, Math.ceil(text.split(/\s+/).length / 2.5));

/** Longer than any call. */
const endless = 100_000;

/** Plays a sound until a key is pressed. The key stays available to later steps. */
function* playUntilKey(route: CallRoute, what: string, length: number, data: JsonObject): Task<void> {
  const { run, leg } = route;
  const stopping = Array.isArray(data.terminators) ? data.terminators.join('') : '0123456789*#';
  recordHeard(run, leg, what);
  if (length >= endless) giveUpInTime(route);
  yield (resume) => {
    const cancel = run.clock.at(run.clock.now() + length, resume);
    run.keyListeners.set(leg, (keys) => {
      if (![...keys].some((key) => stopping.includes(key))) return;
      route.collections.default = keys;
      cancel();
      resume();
    });
    return cancel;
  };
  run.keyListeners.delete(leg);
}

function mediumOf({ records }: CallRoute, id: string): string | undefined {
  const medium = records.get('media', id);
  if (medium) return nameByKind('media', medium);
  const isElsewhere = /^https?:|^prompt:|^tone_stream:|^silence_stream:|^\/system_media\//.test(id);
  return isElsewhere || !/^[0-9a-f]{32}$/.test(id) ? id : undefined;
}

const seconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };
const longestSleep = 86_400;

export const audioModules: CallModules = {
  play: {
    simulated: 'id answer endless_playback loop_count terminators',
    *run(route, step) {
      const data = dataOf(step);
      const medium = mediumOf(route, nonEmptyText(data.id) ?? '');
      if (medium === undefined || medium === '') return takeBranch('_', 'The medium does not exist.');
      if (booleanOr(data.answer, true)) answer(route.run, route.leg);
      const seconds = booleanOr(data.endless_playback, false)
        ? endless
        : promptSeconds * numberOr(data.loop_count, 1);
      yield* playUntilKey(route, medium, seconds, data);
      return takeBranch();
    },
  },
  tts: {
    simulated: 'text endless_playback terminators',
    none: {
      voice: 'it only changes the sound',
      language: 'it only changes the sound',
      engine: 'it only changes the sound',
    },
    *run(route, step) {
      const data = dataOf(step);
      const text = nonEmptyText(data.text) ?? '';
      answer(route.run, route.leg);
      const seconds = booleanOr(data.endless_playback, false) ? endless : spokenSeconds(text);
      yield* playUntilKey(route, text, seconds, data);
      return takeBranch();
    },
  },
  audio_macro: {
    simulated: 'macros terminators',
    none: { language: 'it only changes the sound' },
    *run(route, step) {
      const data = dataOf(step);
      for (const item of objects(data.macros)) {
        const what = nonEmptyText(item.text) ?? nonEmptyText(item.id) ?? nonEmptyText(item.macro) ?? '';
        const heard = item.macro === 'play' ? mediumOf(route, what) : what;
        if (heard !== undefined)
          yield* playUntilKey(route, heard, item.macro === 'tts' ? spokenSeconds(what) : promptSeconds, data);
      }
      return takeBranch();
    },
  },
  sleep: {
    simulated: 'duration unit',
    *run(route, step) {
      const data = dataOf(step);
      const length = numberOr(data.duration, 0) * (seconds[nonEmptyText(data.unit) ?? 's'] ?? 1);
      yield* pause(route.run.clock, Math.min(Math.max(0, length), longestSleep));
      return takeBranch();
    },
  },
  answer: {
    run({ run, leg }) {
      answer(run, leg);
      return takeBranch();
    },
  },
  noop: { run: () => takeBranch() },
  skel: { run: () => takeBranch() },
  hangup: {
    run({ run, leg }) {
      setPlace(run, leg, { in: 'hangup' });
      run.reasons.set(leg, 'A step hangs up.');
      return { go: 'end' };
    },
  },
  response: {
    simulated: 'code media',
    none: { message: 'callers do not hear this text' },
    *run(route, step) {
      const data = dataOf(step);
      const code = numberOr(data.code, 486);
      const medium = nonEmptyText(data.media);
      if (medium !== undefined && route.leg.answered === undefined)
        yield* playSound(route, mediumOf(route, medium) ?? medium);
      setPlace(route.run, route.leg, { in: 'hangup' });
      const cause = route.leg.answered === undefined ? causeOf(code) : undefined;
      return stop(`A step responds with code ${code}.`, cause);
    },
  },
  dead_air: {
    *run(route) {
      answer(route.run, route.leg);
      yield* waitForEnd(route);
      return leave;
    },
  },
  wait_for_hangup: {
    *run(route) {
      yield* waitForEnd(route);
      return leave;
    },
  },
  language: { run: () => takeBranch(), none: { language: 'it only changes the sound' } },
  fax_detect: {
    simulated: 'duration',
    *run(route, step) {
      answer(route.run, route.leg);
      const isFax = valueAt(step.node, 'children.ON_FAX') !== undefined && route.run.input.sendsFax === true;
      yield* pause(route.run.clock, numberOr(dataOf(step).duration, 5));
      return takeBranch(isFax ? 'ON_FAX' : 'ON_VOICE', isFax ? 'A fax calls.' : 'A person calls.');
    },
  },
};
