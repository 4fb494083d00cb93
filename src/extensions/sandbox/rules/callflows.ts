import { isObject, type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { resourceByWord } from '../../../contract/catalogue.ts';
import { normalisedNumber, toStoredNumber } from '../../../contract/phone-number.ts';
import { flowTargets } from '../../../contract/record-references.ts';
import { personName, pick, textsAt } from '../fields.ts';
import { forbidden, invalid, type RefusedField } from '../refusal.ts';
import type { ResourceRules, ServiceRequest } from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';

function patternProblems(body: JsonObject): readonly RefusedField[] {
  return textsAt(body, 'patterns').flatMap((pattern) =>
    compilePattern(pattern) === undefined
      ? [{ path: 'patterns', rule: 'error', message: 'is not a valid regular expression', value: pattern }]
      : [],
  );
}

const mapNumbers = (body: JsonObject, kept: (sent: string) => string): JsonObject =>
  Array.isArray(body.numbers)
    ? { ...body, numbers: body.numbers.map((item: Json) => (typeof item === 'string' ? kept(item) : item)) }
    : body;

function duplicateProblems(body: JsonObject): readonly RefusedField[] {
  const numbers = textsAt(body, 'numbers');
  if (new Set(numbers).size === numbers.length) return [];
  return [{ path: 'numbers', rule: 'uniqueItems', message: 'must contain each number once', value: numbers }];
}

const activeModules = ({ body }: StoredRecord): readonly string[] => {
  const modules = [...flowNodes(body.flow)]
    .filter((node) => !(isObject(node.data) && node.data.skip_module === true))
    .flatMap((node) => textAt(node, 'module') ?? []);
  return [...new Set(modules)];
};

function metadataEntry({ kind, body }: StoredRecord): JsonObject {
  return {
    name: textAt(body, 'name') ?? personName(body),
    ...pick(body, ['numbers']),
    pvt_type: resourceByWord(kind)?.singular ?? kind,
  };
}

/** Returns the names of the records that steps of the flow refer to (Conventions, Callflows). */
async function metadataOf({ scope, body }: StoredRecord, { services }: ServiceRequest): Promise<JsonObject> {
  const ids = new Set(
    [...flowNodes(body.flow)].flatMap(({ data }) => (isObject(data) ? (textAt(data, 'id') ?? []) : [])),
  );
  const found = await Promise.all(
    [...ids].map(async (id) => {
      const candidates = await Promise.all(
        [...flowTargets].map((kind) => services.store.get({ kind, scope, id })),
      );
      return candidates.flatMap((record) => (record ? [[id, metadataEntry(record)] as const] : []));
    }),
  );
  return Object.fromEntries(found.flat());
}

/** Rules of callflows: numbers are normalized, and a number or a pattern is required (Conventions, Callflows). */
export const callflowRules: ResourceRules = {
  refine: (draft, _, { services }) => {
    const body = mapNumbers(
      draft.body,
      services.behaviour.callflows.numbers === 'as-typed' ? toStoredNumber : normalisedNumber,
    );
    const leads = textsAt(body, 'numbers').length + textsAt(body, 'patterns').length > 0;
    const problems = [
      ...(leads
        ? []
        : [{ path: 'numbers', rule: 'required', message: 'or patterns must have at least one entry' }]),
      ...(services.behaviour.callflows.brokenPatterns === 'stored' ? [] : patternProblems(body)),
      ...duplicateProblems(body),
    ];
    if (problems.length > 0) throw invalid(problems);
    return { ...draft, body };
  },
  refuse: async ({ scope, body }, { services: { store, behaviour } }) => {
    if (behaviour.phoneNumbers.foreignInCallflows === 'stored') return;
    for (const id of textsAt(body, 'numbers')) {
      const number = await store.get({ kind: 'numbers', scope: '', id });
      const holder = number && textAt(number.hidden, 'account');
      if (holder !== undefined && holder !== scope) throw forbidden(`${id} is a number of another account.`);
    }
  },
  derive: async (record, call) => ({ metadata: await metadataOf(record, call) }),
  summary: async (record) => ({ modules: activeModules(record) }),
};

function* flowNodes(flow: Json | undefined): Generator<JsonObject> {
  if (!isObject(flow)) return;
  yield flow;
  const { children } = flow;
  for (const child of isObject(children) ? Object.values(children) : []) yield* flowNodes(child);
}
