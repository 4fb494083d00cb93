import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { neutralise, neutraliseDocument, neutraliseLines, neutralisePiped } from '../../base/neutralise.ts';
import { toLines } from '../../base/wording.ts';
import type { ResourceName } from '../../contract/types.ts';
import type {
  DocumentResult,
  DoneResult,
  ItemResult,
  ListResult,
  Result,
  TextResult,
} from '../command/result.ts';
import { renderList } from './render-list.ts';
import { jsonBlock, printNames, renderValue, secretMask, type View } from './render-value.ts';
import { wrapColumns } from './wrap-columns.ts';

/**
 * Prints a result: data on stdout, messages through `view.say`. Throws `partial` for an incomplete list after
 * printing its records, and `OutputClosed` if the reader closes the pipe.
 */
export async function render(result: Result, view: View): Promise<void> {
  const { fields, query } = view;
  if (fields === undefined || query !== undefined || !hasRecords(result)) return renderByKind(result, view);
  const { resolveFields: meantFields, watchFields } = await import('./missing-fields.ts');
  const meant = await meantFields(result, fields, view);
  const watched = watchFields(result, meant);
  await renderByKind(watched.result, { ...view, fields: meant });
  const { omitted, unknown } = await watched.problems();
  for (const problem of [...omitted, ...(view.allowUnknownFields ? unknown : [])]) view.warn(problem);
  if (unknown.length === 0 || view.allowUnknownFields) return;
  if (result.kind === 'done') return view.warn(unknown);
  throw new Failure('usage', unknown);
}

const hasRecords = (result: Result): result is ItemResult | ListResult | DoneResult =>
  result.kind === 'item' || result.kind === 'list' || result.kind === 'done';

async function renderByKind(result: Result, view: View): Promise<void> {
  switch (result.kind) {
    case 'item':
      return renderItem(result, view);
    case 'list':
      return renderList(result, view);
    case 'text':
    case 'document':
      return renderText(result, view);
    case 'report':
      return (await import('./render-rows.ts')).renderReport(result, view);
    case 'fleet':
      return (await import('./render-fleet.ts')).renderFleet(result, view);
    case 'done':
      return renderDone(result, view);
    case 'program':
      return;
  }
}

async function maskSecrets(value: Json, resource: ResourceName | undefined, view: View): Promise<Json> {
  return resource === undefined ? value : (await secretMask(resource, view))(value);
}

async function renderItem(result: ItemResult, view: View): Promise<void> {
  if (view.format === 'table' && result.message !== undefined) view.say(result.message);
  if (view.format === 'name' && view.query === undefined && result.named !== undefined)
    return view.out.write(`${neutralise(result.named)}\n`);
  const value = await maskSecrets(result.value, result.resource, view);
  const asRows = view.format === 'table' && view.query === undefined && view.fields === undefined;
  if (asRows && result.rows) {
    const { formatLabels: labelled } = await import('./describe.ts');
    return view.out.write(await labelled(result.rows, view.style));
  }
  if (asRows && isObject(value) && Object.keys(value).length === 0) view.say('No values are set.');
  return renderValue(value, result.resource, view, result.schema);
}

async function renderText(result: TextResult | DocumentResult, view: View): Promise<void> {
  const isYaml = result.kind === 'document' && result.isYaml === true;
  const isData = view.format === 'json' || view.format === 'ndjson' || (view.format === 'yaml' && !isYaml);
  if (isData || view.query !== undefined)
    return renderValue(result.value ?? toLines(result.text).join('\n'), undefined, view);
  if (result.kind === 'document' && result.bytes) return view.out.write(result.bytes);
  const { columns } = view.out;
  const wraps = result.kind === 'document' && result.wraps && columns !== undefined;
  const text = wraps ? wrapColumns(escapeText(result, view), columns) : escapeText(result, view);
  return view.out.write(text === '' || text.endsWith('\n') ? text : `${text}\n`);
}

function escapeText(result: TextResult | DocumentResult, { out }: View): string {
  if (result.kind === 'text') return neutraliseLines(result.text);
  if (result.verbatim) return result.text;
  if (!out.terminal) return neutralisePiped(result.text);
  const text = neutraliseDocument(result.text);
  return result.foreign ? text.replace(/\n$/, '').replaceAll(/^/gm, '│ ') : text;
}

async function renderDone(result: DoneResult, view: View): Promise<void> {
  view.say(result.message);
  if (view.format === 'table' && view.query === undefined) return;
  if (result.value !== undefined) {
    const value = await maskSecrets(result.value, result.resource, view);
    if (view.format !== 'name' || view.query !== undefined) return renderValue(value, result.resource, view);
    // A finished action is reported even if there is no name to print.
    await printNames(value, result.resource, view);
    return;
  }
  const said: JsonObject = { message: toLines(result.message).join(' ') };
  if (view.format === 'json') return view.out.write(`${jsonBlock(said)}\n`);
  if (view.format === 'ndjson' || view.format === 'yaml') return renderValue(said, undefined, view);
}
