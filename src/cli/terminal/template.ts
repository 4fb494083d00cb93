import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { Json } from '../../base/json.ts';
import { neutralise, neutralisePipedLine } from '../../base/neutralise.ts';
import { messageOf } from '../../base/wording.ts';
import type { Output } from './output.ts';
import { checkQuery, searcher } from './query.ts';

type Piece = { readonly text: string } | { readonly expression: string };

export interface Template {
  /** Fields of the records that it names. */
  readonly fields: readonly string[];
  /** An output that takes NDJSON and writes the template's text for each record to another. */
  linesTo(out: Output, endable: Host['endable']): Output;
}

/** Escapes that a shell's quotes leave as they are. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['\\t', '\t'],
  ['\\n', '\n'],
  ['\\\\', '\\'],
  ['{{', '{'],
  ['}}', '}'],
]);

/** Maximum time for the line of one record, in milliseconds. */
const deadlineMs = 5000;

/** Reads a template. Throws `usage` for a brace without its other half and for what is not JMESPath. */
export async function readTemplate(template: string): Promise<Template> {
  const pieces = [...piecesOf(template)];
  const named = await Promise.all(
    pieces.flatMap((piece) =>
      'expression' in piece ? [checkQuery(piece.expression, `{${piece.expression}} in --template`)] : [],
    ),
  );
  return {
    fields: [...new Set(named.flat())],
    linesTo(out, endable) {
      const safe = out.terminal ? neutralise : neutralisePipedLine;
      let isTried = false;
      return {
        ...out,
        async write(text) {
          const search = await searcher();
          const lineOf = (record: Json): string =>
            `${pieces.map((piece) => ('text' in piece ? piece.text : safe(cellText(search(record, piece.expression))))).join('')}\n`;
          // What writes NDJSON writes whole lines.
          const work = (): string =>
            String(text)
              .split('\n')
              .filter(Boolean)
              .map((line) => lineOf(JSON.parse(line)))
              .join('');
          // A deadline costs milliseconds; an expression that takes for ever does so for the first record.
          const written = saidOf(() => (isTried ? work() : endable(work, deadlineMs)));
          isTried = true;
          await out.write(written);
        },
      };
    },
  };
}

/** Returns what work gives. Throws `usage` where an expression does not fit a record. */
function saidOf(work: () => string): string {
  try {
    return work();
  } catch (error) {
    const why = messageOf(error).replace(/\.+$/, '');
    throw new Failure('usage', `--template cannot be used on this result: ${why}.`, { cause: error });
  }
}

/** A value as a line has it: text without quotes, nothing for null, and JSON for all else. */
const cellText = (value: Json): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

function* piecesOf(template: string): Iterable<Piece> {
  let text = '';
  let at = 0;
  while (at < template.length) {
    const meant = escapes.get(template.slice(at, at + 2));
    const sign = template[at];
    if (meant !== undefined) {
      text += meant;
      at += 2;
    } else if (sign === '{') {
      const end = endOf(template, at);
      yield { text };
      text = '';
      yield { expression: template.slice(at + 1, end) };
      at = end + 1;
    } else if (sign === '}') {
      throw new Failure('usage', `--template has a } without a { at character ${at + 1}; as text it is }}.`);
    } else {
      text += sign;
      at += 1;
    }
  }
  yield { text };
}

/** Finds the brace that ends an expression: JMESPath has braces and quotes of its own. */
function endOf(template: string, start: number): number {
  let depth = 0;
  let quote: string | undefined;
  for (let at = start; at < template.length; at += 1) {
    const sign = template.charAt(at);
    if (quote !== undefined) {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = undefined;
    } else if (`'"\``.includes(sign)) quote = sign;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new Failure('usage', `--template has a { without a } at character ${start + 1}; as text it is {{.`);
}
