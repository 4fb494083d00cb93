import { isObject, type Json } from '../../base/json.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { Operation, ResourceName } from '../../contract/types.ts';
import { createValidator, type Problem } from '../../contract/validate.ts';
import { type Behaviour, traitsOf } from '../behaviour.ts';
import { without } from '../fields.ts';

/** Flows are given back as they are stored, whatever was checked when they came. */
const stored = { anyModuleData: true } as const;

/** Fields that lists show in a shorter form: by their number, or `false` for none. */
const shortened = new Map<ResourceName, readonly string[]>([
  ['groups', ['endpoints']],
  ['callflows', ['featurecode']],
]);

function problemsOf({ reply, resource }: Operation, data: Json): readonly Problem[] {
  const schema = () => resourceByName('resource' in reply ? (reply.resource ?? resource) : resource).schema;
  switch (reply.kind) {
    case 'record':
      if (reply.orOther && !isObject(data)) return [];
      return createValidator(schema(), 'conventions', stored)(data);
    case 'value':
      return createValidator(reply.schema, 'conventions', stored)(data);
    case 'list': {
      const check = createValidator(reply.items ?? schema(), 'conventions', stored);
      const others = shortened.get(resource) ?? [];
      const items = Array.isArray(data) ? data : [];
      const wrong = Array.isArray(data) ? [] : [{ path: '', rule: 'type', message: 'must be an array' }];
      return [
        ...wrong,
        ...items.flatMap((item: Json) =>
          check(isObject(item) ? without(item, (key) => others.includes(key)) : item),
        ),
      ];
    }
    case 'empty':
    case 'text':
      return [];
  }
}

/** Throws a plain error where a reply is not what the contract says: a bug of the sandbox or of the contract. */
export function assertReply(operation: Operation, data: Json, behaviour: Behaviour): void {
  const { emptied = [] } = traitsOf(behaviour, operation.resource);
  const problems = problemsOf(operation, data).filter(({ path }) => !emptied.includes(path));
  if (problems.length === 0) return;
  const said = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new Error(`The reply of ${operation.id} does not fit the contract: ${said}`);
}
