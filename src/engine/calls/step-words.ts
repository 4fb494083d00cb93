import { type JsonObject, textOf, valueAt } from '../../base/json.ts';
import { missingName } from '../../base/wording.ts';
import { kindsNamed, referencesOf } from '../../contract/callflow-modules.ts';
import { calledName, type Records, said } from './records.ts';
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
  const named = referencesOf(node).map(({ reference, id }) => {
    const kinds = kindsNamed(reference);
    const kind = kinds.find((each) => records.get(each, id) !== undefined);
    const record = kind === undefined ? undefined : records.get(kind, id);
    if (kind !== undefined && record !== undefined) {
      const name = calledName(kind, record);
      // People know a box by its name, and cases by its number.
      return { name, shown: JSON.stringify(kind === 'vmboxes' ? (said(record.name) ?? name) : name) };
    }
    const isGone = kinds.length > 0 && kinds.every((each) => !records.account.unknown.has(each));
    return { shown: isGone ? missingName(id) : JSON.stringify(id) };
  });
  const id = said(valueAt(node.data, 'id'));
  const name = named.flatMap((each) => each.name ?? [])[0];
  const text = said(valueAt(node.data, 'text')) ?? said(valueAt(node.data, 'action')) ?? id;
  const about =
    named.length > 0
      ? [...new Set(named.map(({ shown }) => shown))].slice(0, 3)
      : text === undefined
        ? []
        : [JSON.stringify(text)];
  const label = [module, about.join(', ')].filter((part) => part !== '').join(' ');
  const word = name !== undefined && module !== 'temporal_route' ? name : module;
  return { ...(id === undefined ? {} : { id }), label, word };
}
