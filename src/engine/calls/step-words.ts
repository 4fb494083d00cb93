import { type JsonObject, textOf, valueAt } from '../../base/json.ts';
import { kindsNamed, referencesOf } from '../../contract/callflow-modules.ts';
import { nameOf, type Records, said } from './records.ts';
import type { CallStep } from './types.ts';

/** What a step is called: the record that it names, how people read it, and its word in the path of a case file. */
export function stepWords(records: Records, node: JsonObject): Pick<CallStep, 'id' | 'label' | 'word'> {
  const before = known.get(node);
  if (before) return before;
  const made = makeWords(records, node);
  known.set(node, made);
  return made;
}

const known = new WeakMap<JsonObject, Pick<CallStep, 'id' | 'label' | 'word'>>();

function makeWords(records: Records, node: JsonObject): Pick<CallStep, 'id' | 'label' | 'word'> {
  const module = textOf(node.module) ?? '';
  const names = referencesOf(node).flatMap(({ reference, id }) => {
    const kind = kindsNamed(reference).find((each) => records.get(each, id) !== undefined);
    const record = kind === undefined ? undefined : records.get(kind, id);
    return kind === undefined || record === undefined ? [] : [nameOf(kind, record)];
  });
  const id = said(valueAt(node.data, 'id'));
  const [name] = names;
  const about =
    names.length > 0
      ? names.slice(0, 3).map((each) => JSON.stringify(each))
      : [said(valueAt(node.data, 'text')) ?? said(valueAt(node.data, 'action')) ?? id].flatMap((each) =>
          each === undefined ? [] : [JSON.stringify(each)],
        );
  const label = [module, about.join(', ')].filter((part) => part !== '').join(' ');
  const word = name !== undefined && module !== 'temporal_route' ? name : module;
  return { ...(id === undefined ? {} : { id }), label, word };
}
