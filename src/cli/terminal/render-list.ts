import { Failure, withFacts } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { neutralise } from '../../base/neutralise.ts';
import { formatCount, humanize, singularize } from '../../base/wording.ts';
import type { Column } from '../../contract/types.ts';
import type { ListResult } from '../command/result.ts';
import { OutputClosed } from './output.ts';
import {
  jsonBlock,
  jsonLine,
  presentationOf,
  renderValue,
  secretMask,
  selectFields,
  type View,
} from './render-value.ts';
import { joinColumns, measureFor } from './width.ts';

/**
 * Starts to read a list with masked secrets. An error before the first record is thrown. A later error ends the list.
 */
async function startReading(result: ListResult, view: View) {
  const mask = result.resource === undefined ? undefined : await secretMask(result.resource, view);
  let count = 0;
  let trouble: unknown;
  async function* records(): AsyncGenerator<JsonObject> {
    try {
      for await (const item of result.items) {
        count += 1;
        yield mask ? (mask(item) as JsonObject) : item;
      }
    } catch (error) {
      if (count === 0 || error instanceof OutputClosed) throw error;
      trouble = error;
    }
  }
  return { records: records(), count: () => count, trouble: () => trouble };
}

/** Prints a list: streamed as JSON, NDJSON, CSV or names, or whole as YAML, as a table, or for a query. */
export async function renderList(result: ListResult, view: View): Promise<void> {
  const isPlain = view.format === 'table' && view.query === undefined && view.fields === undefined;
  if (result.screens && isPlain && view.out.terminal && !view.style.spoken)
    return (await import('./screens.ts')).drawScreens(result.screens, view);
  if (view.format === 'table' && result.message !== undefined) view.say(result.message);
  const reading = await startReading(result, view);
  await printRecords(reading.records, result, view);
  // The line below a table goes to stderr on the same terminal, so stdout is flushed first.
  await view.out.flush();
  const noun = result.noun ?? result.resource ?? 'records';
  const trouble = reading.trouble();
  if (trouble !== undefined) throw incompleteList(trouble, reading.count(), noun);
  // Live output is always for a person at a terminal.
  if (result.live && result.summary) return view.say(result.summary());
  const cut = result.cut?.();
  if (cut !== undefined) return view.say(cut);
  if (view.format !== 'table' || view.query !== undefined) return;
  if (result.summary) return view.say(result.summary());
  const singular = result.resource === noun ? (await presentationOf(result.resource)).singular : undefined;
  const among = result.among === undefined ? '' : ` ${result.among}`;
  view.say(`${countLine(reading.count(), noun, singular)}${among}`);
}

function countLine(count: number, noun: string, singular = singularize(noun)): string {
  return count === 0 ? `No ${humanize(noun)}` : formatCount(count, singular, noun);
}

function incompleteList(trouble: unknown, count: number, noun: string): unknown {
  if (!(trouble instanceof Failure) || trouble.kind === 'interrupted') return trouble;
  const lines = `The list is incomplete. It stopped after ${count} ${humanize(noun)}: ${trouble.message}`;
  return withFacts(trouble, { kind: 'partial', lines });
}

async function printRecords(
  records: AsyncIterable<JsonObject>,
  result: ListResult,
  view: View,
): Promise<void> {
  const select = (record: JsonObject): Json => (view.fields ? selectFields(record, view.fields) : record);
  if (view.query !== undefined) return renderValue(await collectAll(records, '--query'), undefined, view);
  switch (view.format) {
    case 'ndjson':
      for await (const record of records) await view.out.write(`${jsonLine(select(record))}\n`);
      return;
    case 'json':
      return showJson(records, select, view);
    case 'name':
      return showNames(records, result, view);
    case 'csv':
      return showCsv(records, result, view);
    case 'yaml':
      return renderValue(await collectAll(records, 'YAML'), undefined, view);
    case 'table': {
      if (result.live) return showLive(records, result, result.live, view);
      const { streamRows } = await import('./render-rows.ts');
      const looks = await presentationOf(result.resource);
      const named = result.resource === undefined || looks.naturalKeys.length > 0;
      const columns = await columnsOf(result);
      const looksLike = { isOpen: result.isOpen, looks, named };
      if (view.fields !== undefined || !columns?.some(({ refers }) => refers) || !view.namesOf)
        return streamRows(records, columns, view, looksLike);
      const { namedColumns, withNames } = await import('./describe.ts');
      return streamRows(withNames(records, columns, view.namesOf), namedColumns(columns), view, looksLike);
    }
  }
}

async function showLive(
  records: AsyncIterable<JsonObject>,
  result: ListResult,
  widths: readonly number[],
  view: View,
): Promise<void> {
  const named = view.fields?.map((path) => ({ header: path.toUpperCase(), paths: [path] }));
  const { withNumberForms: formed } = await import('./render-rows.ts');
  const columns = await formed(
    named ?? (await columnsOf(result)) ?? [],
    await presentationOf(result.resource),
    view,
  );
  return printLive(records, columns, named ? [] : widths, view);
}

/**
 * Limit for records in memory, for a query, YAML, or CSV without known columns. Call records then take about 120 MB.
 */
const maxCollected = 100_000;

/** Reads all records. Throws `usage` for too many records and suggests a streaming format. */
async function collectAll(
  records: AsyncIterable<JsonObject>,
  what: '--query' | 'YAML' | 'CSV',
): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  for await (const record of records) {
    all.push(record);
    if (all.length > maxCollected)
      throw new Failure(
        'usage',
        `${what} needs all records at once, and there are more than ${maxCollected.toLocaleString('en')}.`,
        { hint: 'Read fewer records, or pipe -o ndjson to another program such as jq.' },
      );
  }
  return all;
}

async function columnsOf(result: ListResult): Promise<ListResult['columns']> {
  return result.columns ?? (await presentationOf(result.resource)).columns;
}

async function showJson(
  records: AsyncIterable<JsonObject>,
  select: (record: JsonObject) => Json,
  view: View,
): Promise<void> {
  let before = '[\n  ';
  for await (const record of records) {
    await view.out.write(before + jsonBlock(select(record), '  '));
    before = ',\n  ';
  }
  await view.out.write(before.startsWith('[') ? '[]\n' : '\n]\n');
}

async function showNames(records: AsyncIterable<JsonObject>, result: ListResult, view: View): Promise<void> {
  const [{ nameInLine, namelessFailure: nameless }, looks] = await Promise.all([
    import('./describe.ts'),
    presentationOf(result.resource),
  ]);
  // Records without a resource are named by the first column of their table.
  const naturalKeys = result.resource ? looks.naturalKeys : (result.columns?.[0]?.paths ?? []);
  for await (const record of records) {
    const name = nameInLine(record, naturalKeys);
    if (name === '') throw nameless();
    await view.out.write(`${name}\n`);
  }
}

async function showCsv(records: AsyncIterable<JsonObject>, result: ListResult, view: View): Promise<void> {
  const [{ csvRows, renderRows }, known] = await Promise.all([import('./render-rows.ts'), columnsOf(result)]);
  if (view.fields === undefined && known === undefined) {
    return renderRows(await collectAll(records, 'CSV'), undefined, view, {}, result.isOpen);
  }
  const columns = view.fields ? view.fields.map((path) => ({ header: path, paths: [path] })) : (known ?? []);
  const { head, row } = csvRows(columns, view, result.isOpen);
  let before = head;
  for await (const record of records) {
    await view.out.write(before + row(record));
    before = '';
  }
  await view.out.write(before);
}

async function printLive(
  records: AsyncIterable<JsonObject>,
  columns: readonly Column[],
  widths: readonly number[],
  { out, style, nowMs }: Pick<View, 'out' | 'style' | 'nowMs'>,
): Promise<void> {
  const line = async (cells: readonly string[]): Promise<string> => {
    const measure = await measureFor(cells);
    const text = joinColumns(cells, widths, measure);
    return out.columns === undefined ? text : measure.cut(text, out.columns);
  };
  const { cellText } = await import('./describe.ts');
  let isFirst = true;
  for await (const record of records) {
    if (isFirst)
      await out.write(`${style.bold(await line(columns.map(({ header }) => neutralise(header))))}\n`);
    isFirst = false;
    const form = { whole: !out.terminal, nowMs: out.terminal ? nowMs : undefined };
    await out.write(`${await line(columns.map((column) => cellText(record, column, form)))}\n`);
  }
}
