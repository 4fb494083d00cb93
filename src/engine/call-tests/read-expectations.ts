import { nearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import { type DocumentNode, type MapNode, problemAt } from '../input/document.ts';
import {
  type Expectations,
  endWords,
  entryAt,
  expectationKeys,
  mapOf,
  noSuchWord,
  type ReadNode,
  type Report,
  readFlag,
  readKey,
  readSeconds,
  readText,
  readTexts,
  type WantedEnd,
} from './case-file.ts';
import { type Parsed, readBy } from './read-call.ts';

function endIn(text: string): Parsed<WantedEnd> {
  const [, word = '', name] = /^(\S+)(?:\s+(.+))?$/.exec(text) ?? [];
  const takesName = endWords.get(word);
  if (takesName === undefined) return { wrong: noSuchWord('ends_in', word, [...endWords.keys()]) };
  if (name !== undefined && !takesName)
    return { wrong: `ends_in: ${word} takes no name, so that ${JSON.stringify(name)} is too much.` };
  return { value: { word, ...(name === undefined ? {} : { name }) } };
}

function causeIn(text: string): Parsed<string> {
  const cause = text.toUpperCase();
  return cause === text && /^[A-Z][A-Z_]+$/.test(text)
    ? { value: text }
    : {
        wrong: `cause is a word such as NORMAL_CLEARING, USER_BUSY or ORIGINATOR_CANCEL, not ${JSON.stringify(text)}.`,
      };
}

function amountIn(text: string): Parsed<number> {
  return /^\d+(?:\.\d+)?$/.test(text)
    ? { value: Number(text) }
    : { wrong: `cost is an amount such as 0.05, not ${JSON.stringify(text)}.` };
}

/** Events of a call that webhooks can be subscribed to. */
const eventWords = [
  'channel_create',
  'channel_answer',
  'channel_bridge',
  'channel_destroy',
  'parking',
  'emergency_bridge',
  'voicemail_new',
  'voicemail_saved',
  'voicemail_deleted',
  'inbound_fax',
  'notifications',
] as const;

const readEvents: ReadNode<readonly string[]> = (node, report) => {
  const events = readTexts('events')(node, report);
  const items = node.kind === 'list' ? node.items : [node];
  for (const [index, event] of (events ?? []).entries())
    if (!eventWords.some((word) => word === event))
      report(problemAt(items[index] ?? node, noSuchWord('events', event, eventWords)));
  return events;
};

/** Fields of a call record that a case may name. */
const recordFields = [
  'call_direction',
  'to',
  'hangup_cause',
  'duration_seconds',
  'ringing_seconds',
  'billing_seconds',
  'caller_id_number',
  'caller_id_name',
  'owner_id',
  'authorizing_id',
  'cost',
] as const;

const readRecords: ReadNode<number | readonly ReadonlyMap<string, string>[]> = (node, report) => {
  if (node.kind === 'scalar' && /^\d+$/.test(node.text)) return Number(node.text);
  if (node.kind !== 'list') {
    report(problemAt(node, 'cdrs is a number of call records, or a list of fields for each leg'));
    return undefined;
  }
  return node.items.flatMap((item) => {
    const map = mapOf(item, 'an item of cdrs', undefined, report);
    if (!map) return [];
    return [new Map(map.entries.flatMap((entry) => fieldOf(entry.key, entry.value, report)))];
  });
};

function fieldOf(key: string, node: DocumentNode, report: Report): readonly (readonly [string, string])[] {
  const text = readText(`cdrs: ${key}`)(node, report);
  if (!/^[a-z][a-z0-9_]*$/.test(key))
    report(problemAt(node, `a call record has no field ${JSON.stringify(key)}`));
  else if (!recordFields.some((field) => field === key) && nearest(key, recordFields) !== undefined)
    report(
      problemAt(
        node,
        `a call record has no field ${JSON.stringify(key)}.${didYouMean(nearest(key, recordFields))}`,
      ),
    );
  return text === undefined ? [] : [[key, text]];
}

const readNot: ReadNode<Expectations | readonly WantedEnd[]> = (node, report) =>
  node.kind === 'map'
    ? readExpectations(node, report)
    : (node.kind === 'list' ? node.items : [node]).flatMap((item) => readBy(endIn)(item, report) ?? []);

export function readExpectations(node: DocumentNode, report: Report): Expectations | undefined {
  const map: MapNode | undefined = mapOf(node, 'expect', expectationKeys, report);
  if (!map) return undefined;
  if (map.entries.length === 0) report(problemAt(node, 'expect names nothing that is expected'));
  const read = <T>(key: (typeof expectationKeys)[number], how: ReadNode<T>): T | undefined =>
    readKey(map, key, how, report);
  const answeredBy = read('answered_by', readText('answered_by'));
  const callerId = read('caller_id', readText('caller_id'));
  const expectations = {
    path: read('path', readTexts('path')),
    rings: read('rings', readTexts('rings')),
    answeredBy,
    endsIn: read('ends_in', readBy(endIn)),
    cause: read('cause', readBy(causeIn)),
    within: read('within', readSeconds('within')),
    callerId,
    emergency: read('emergency', readFlag('emergency')),
    hears: read('hears', readTexts('hears')),
    voicemail: read('voicemail', readText('voicemail')),
    cdrs: read('cdrs', readRecords),
    events: read('events', readEvents),
    cost: read('cost', readBy(amountIn)),
    not: entryAt(map, 'not') && read('not', readNot),
  };
  return given(expectations);
}

/** Only what is there. */
function given(all: { readonly [K in keyof Expectations]: Expectations[K] | undefined }): Expectations {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
