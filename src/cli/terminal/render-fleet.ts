import type { Json, JsonObject } from '../../base/json.ts';
import { neutralise } from '../../base/neutralise.ts';
import type { FleetDocument, FleetEnd, FleetResult, ReportResult } from '../command/result.ts';
import { reportMarkdown, reportText } from './notice-text.ts';
import type { Output } from './output.ts';
import { renderList } from './render-list.ts';
import { jsonBlock, jsonLine, renderValue, selectFields, type View } from './render-value.ts';

/** Streams a report on many accounts. Only a query requires the whole report. */
export async function renderFleet(result: FleetResult, view: View): Promise<void> {
  const { documents, rowsOf, namesOf, columns, end } = result;
  if (view.query !== undefined) return renderValue(await readWhole(result), undefined, view);
  const select = (document: JsonObject): Json =>
    view.fields === undefined ? document : selectFields(document, view.fields);
  switch (view.format) {
    case 'ndjson':
      for await (const { document } of documents) await view.out.write(`${jsonLine(select(document))}\n`);
      return view.out.write(`${jsonLine({ summary: (await end()).value })}\n`);
    case 'json':
      return showJson(result, view.out, select);
    case 'yaml':
      return showYaml(result, view.out, select);
    case 'csv': {
      const rows = async function* (): AsyncGenerator<JsonObject> {
        for await (const { document } of documents) yield* rowsOf(document);
        await end();
      };
      return renderList({ kind: 'list', items: rows(), columns }, view);
    }
    case 'name':
      for await (const { document } of documents)
        for (const name of namesOf(document)) await view.out.write(`${neutralise(name)}\n`);
      await end();
      return;
    case 'table': {
      const { lines } = await readToEnd(result);
      return view.out.write(await reportText(lines, { columns: view.out.columns, style: view.style }));
    }
  }
}

export async function renderMarkdown(result: ReportResult | FleetResult, out: Output): Promise<void> {
  const { lines } = result.kind === 'report' ? result : await readToEnd(result);
  await out.write(await reportMarkdown(lines));
}

async function readToEnd({ documents, end }: FleetResult): Promise<FleetEnd> {
  for await (const _ of documents);
  return end();
}

async function* readableDocuments(documents: AsyncIterable<FleetDocument>): AsyncGenerator<JsonObject> {
  for await (const { document, isApart } of documents) if (!isApart) yield document;
}

async function readWhole({ documents, end }: FleetResult): Promise<Json> {
  const accounts: JsonObject[] = [];
  for await (const document of readableDocuments(documents)) accounts.push(document);
  return { accounts, ...(await end()).value };
}

async function showJson(
  { documents, end }: FleetResult,
  out: Output,
  select: (document: JsonObject) => Json,
): Promise<void> {
  let before = '{\n  "accounts": [\n    ';
  for await (const document of readableDocuments(documents)) {
    await out.write(before + jsonBlock(select(document), '    '));
    before = ',\n    ';
  }
  const list = before.startsWith('{') ? '{\n  "accounts": []' : '\n  ]';
  const beside = Object.entries((await end()).value).map(
    ([field, value]) => `,\n  ${jsonBlock(field)}: ${jsonBlock(value ?? null, '  ')}`,
  );
  await out.write(`${list}${beside.join('')}\n}\n`);
}

async function showYaml(
  { documents, end }: FleetResult,
  out: Output,
  select: (document: JsonObject) => Json,
): Promise<void> {
  const { yamlText } = await import('./yaml-text.ts');
  let before = 'accounts:\n';
  for await (const document of readableDocuments(documents)) {
    await out.write(before + yamlText([select(document)]));
    before = '';
  }
  const list = before === '' ? '' : 'accounts: []\n';
  await out.write(`${list}${yamlText((await end()).value)}`);
}
