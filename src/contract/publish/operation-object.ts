import type { JsonObject } from '../../base/json.ts';
import { anyId, pathExamples } from '../examples.ts';
import type { Operation } from '../types.ts';
import type { RuleSet } from '../validate.ts';
import type { Components } from './components.ts';
import { responsesOf } from './replies.ts';
import { requestBody } from './request-body.ts';

/** Everything that is said in a description beside the summary. */
function describe({ source, section, effect, repeat }: Operation): string {
  const effects = {
    read: 'Reads.',
    write: 'Changes something.',
    destructive: 'Destroys something.',
    charges: 'May add charges.',
  } as const;
  const repeats = {
    safe: '',
    idempotent: ' Sending it twice is the same as once.',
    never: ' Not to be sent again blindly.',
  } as const;
  const said =
    source === 'specification'
      ? `Specification: ${section}.`
      : `Convention of compatible services: ${section}.`;
  return `${effects[effect]}${repeats[repeat]} ${said}`;
}

/** Parameters of a path and of its query. */
function parametersOf({ path, query = [], reply, source }: Operation): readonly JsonObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: `${name.replaceAll('_', ' ').replace(/^\w/, (letter) => letter.toUpperCase())}`,
    schema: { type: 'string' },
    example: pathExamples.get(name) ?? anyId,
  }));
  const inQuery = query.map(({ name, doc, required, secret }) => ({
    name,
    in: 'query',
    required: required === true,
    description: doc,
    schema: { type: 'string' },
    ...(secret ? { 'x-secret': true } : {}),
  }));
  const isPaged = reply.kind === 'list' && source === 'convention';
  const paging = ['PageSize', 'StartKey', 'Paginate'].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  return [...inPath, ...inQuery, ...(isPaged ? paging : [])];
}

/** One method of a path; where several operations share it, `action` in the body tells them apart. */
export function operationObject(
  together: readonly [Operation, ...Operation[]],
  rules: RuleSet,
  components: Components,
): JsonObject {
  const [first] = together;
  const body = requestBody(together, rules, components);
  const joined = (word: 'id' | 'summary', between: string) =>
    together.map((each) => each[word]).join(between);
  return {
    operationId: joined('id', '-or-'),
    summary: joined('summary', '; or: '),
    description: together.map(describe).join('\n\n'),
    tags: [first.resource],
    'x-operations': together.map(({ id }) => id),
    'x-source': first.source,
    'x-effect': first.effect,
    security: first.authenticated ? [{ token: [] }, { basic: [] }, ...(first.tokenOptional ? [{}] : [])] : [],
    parameters: parametersOf(first),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(together, components),
  };
}
