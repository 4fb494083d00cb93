import { Failure } from '../base/failure.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { counted } from '../base/wording.ts';
import type { ListResult } from '../command/result.ts';
import { OutputClosed } from './output.ts';
import { jsonBlock, jsonLine, looksOf, renderValue } from './render-value.ts';
import type { View } from './view.ts';
import { selectFields } from './view.ts';

/** The records of a list as they come, and what broke it off, if anything did. */
interface Reading {
  readonly records: AsyncIterable<JsonObject>;
  readonly count: () => number;
  readonly trouble: () => unknown;
}

/** Reads a list, masking secrets. Trouble before the first record is thrown; later trouble ends the list. */
async function readingOf(result: ListResult, reveal: boolean): Promise<Reading> {
  const mask = reveal || result.resource === undefined ? undefined : (await import('./view.ts')).maskRecord;
  let count = 0;
  let trouble: unknown;
  async function* records(): AsyncGenerator<JsonObject> {
    try {
      for await (const item of result.items) {
        count += 1;
        yield mask && result.resource ? (mask(item, result.resource) as JsonObject) : item;
      }
    } catch (error) {
      if (count === 0 || error instanceof OutputClosed) throw error;
      trouble = error;
    }
  }
  return { records: records(), count: () => count, trouble: () => trouble };
}

/** Shows a list: streamed as JSON, NDJSON, CSV and names, whole as YAML, as a table, or for a query. */
export async function renderList(result: ListResult, view: View): Promise<void> {
  if (view.format === 'table' && result.message !== undefined) view.say(result.message);
  const reading = await readingOf(result, view.reveal);
  await show(reading.records, result, view);
  const noun = result.noun ?? result.resource ?? 'records';
  const trouble = reading.trouble();
  if (trouble !== undefined) throw brokenOff(trouble, reading.count(), noun);
  // Who watches something live is at the terminal, whatever the format.
  if (result.live && result.summary) return view.say(result.summary());
  if (view.format !== 'table' || view.query !== undefined) return;
  if (result.summary) return view.say(result.summary());
  const singular = result.resource === noun ? (await looksOf(result.resource)).singular : undefined;
  const among = result.among === undefined ? '' : ` ${result.among}`;
  view.say(`${countLine(reading.count(), noun, singular)}${among}`);
}

function countLine(count: number, noun: string, singular = noun.replace(/s$/, '')): string {
  return count === 0 ? `No ${noun}` : counted(count, singular, noun);
}

function brokenOff(trouble: unknown, count: number, noun: string): unknown {
  if (!(trouble instanceof Failure) || trouble.kind === 'interrupted') return trouble;
  const { message, hint, status, code, requestId } = trouble;
  return new Failure('partial', `The list is not complete; it broke off after ${count} ${noun}: ${message}`, {
    hint,
    status,
    code,
    requestId,
    cause: trouble,
  });
}

async function show(records: AsyncIterable<JsonObject>, result: ListResult, view: View): Promise<void> {
  const chosen = (record: JsonObject): Json => (view.fields ? selectFields(record, view.fields) : record);
  if (view.query !== undefined) return renderValue(await collected(records), undefined, view);
  switch (view.format) {
    case 'ndjson':
      for await (const record of records) await view.out.write(`${jsonLine(chosen(record))}\n`);
      return;
    case 'json':
      return showJson(records, chosen, view);
    case 'name':
      return showNames(records, result, view);
    case 'csv':
      return showCsv(records, result, view);
    case 'yaml':
      return renderValue(await collected(records), undefined, view);
    case 'table': {
      if (result.live) return showLive(records, result, result.live, view);
      const { renderRows } = await import('./render-rows.ts');
      return renderRows(await collected(records), await columnsOf(result), view, result.isOpen);
    }
  }
}

async function showLive(
  records: AsyncIterable<JsonObject>,
  result: ListResult,
  widths: readonly number[],
  view: View,
): Promise<void> {
  const { renderLive } = await import('./render-live.ts');
  const named = view.fields?.map((path) => ({ header: path.toUpperCase(), paths: [path] }));
  return renderLive(records, named ?? (await columnsOf(result)) ?? [], named ? [] : widths, view);
}

async function collected(records: AsyncIterable<JsonObject>): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  for await (const record of records) all.push(record);
  return all;
}

async function columnsOf(result: ListResult): Promise<ListResult['columns']> {
  return result.columns ?? (await looksOf(result.resource)).columns;
}

/** One document, written as the records come and closed even where they break off. */
async function showJson(
  records: AsyncIterable<JsonObject>,
  chosen: (record: JsonObject) => Json,
  view: View,
): Promise<void> {
  let before = '[\n  ';
  for await (const record of records) {
    await view.out.write(before + jsonBlock(chosen(record), '  '));
    before = ',\n  ';
  }
  await view.out.write(before.startsWith('[') ? '[]\n' : '\n]\n');
}

async function showNames(records: AsyncIterable<JsonObject>, result: ListResult, view: View): Promise<void> {
  const [{ nameOf, nameless }, looks] = await Promise.all([
    import('./describe.ts'),
    looksOf(result.resource),
  ]);
  // Records of no resource are named by what stands first in their table.
  const naturalKeys = result.resource ? looks.naturalKeys : (result.columns?.[0]?.paths ?? []);
  for await (const record of records) {
    const name = nameOf(record, naturalKeys);
    if (name === '') throw nameless();
    await view.out.write(`${name}\n`);
  }
}

async function showCsv(records: AsyncIterable<JsonObject>, result: ListResult, view: View): Promise<void> {
  const [{ csvRows, renderRows }, known] = await Promise.all([import('./render-rows.ts'), columnsOf(result)]);
  if (view.fields === undefined && known === undefined) {
    return renderRows(await collected(records), undefined, view, result.isOpen);
  }
  const columns = view.fields ? view.fields.map((path) => ({ header: path, paths: [path] })) : (known ?? []);
  const { head, row } = await csvRows(columns, view, result.isOpen);
  let before = head;
  for await (const record of records) {
    await view.out.write(before + row(record));
    before = '';
  }
  await view.out.write(before);
}
