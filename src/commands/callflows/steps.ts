import { isObject, type Json, type JsonObject, valueAt } from '../../contract/json.ts';
import { shortId } from '../labels.ts';

/** One step of a call, ready to be drawn. */
export interface Step {
  /** `user "alice" (20 s)`. */
  readonly label: string;
  /** The call goes on in another callflow. */
  readonly leaves: boolean;
  readonly branches: readonly Branch[];
}

/** What follows a step, and on what: a dialled digit, or `_` for otherwise. */
export interface Branch {
  readonly key: string;
  readonly step: Step;
}

/** Deeper than any flow that a caller survives; beyond it something is wrong. */
const deepest = 60;

/** Names of records by their ids, as far as they are known. */
export type Names = ReadonlyMap<string, string>;

/** A flow as steps. Unknown ids are shortened. */
export function stepsOf(flow: JsonObject, names: Names, depth = 0): Step {
  const module = typeof flow.module === 'string' && flow.module !== '' ? flow.module : '(no module)';
  const children = isObject(flow.children) ? flow.children : {};
  const branches = Object.keys(children)
    .sort(byKey)
    .flatMap((key): readonly Branch[] => {
      const child = children[key];
      if (!isObject(child)) return [];
      const label = names.get(key) ?? shortId(key);
      return [{ key: label, step: depth < deepest ? stepsOf(child, names, depth + 1) : tooDeep }];
    });
  return { label: labelOf(module, flow.data, names), leaves: module === 'callflow', branches };
}

const tooDeep: Step = { label: '… (nested too deep to show)', leaves: false, branches: [] };

/** Digits first, then words, the default last. */
function byKey(left: string, right: string): number {
  const rank = (key: string): number => (key === '_' ? 2 : /^[\d*#+]+$/.test(key) ? 0 : 1);
  return rank(left) - rank(right) || left.localeCompare(right, 'en', { numeric: true });
}

function labelOf(module: string, data: Json | undefined, names: Names): string {
  const text = (path: string): string | undefined => {
    const value = valueAt(data, path);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const id = text('id');
  const about =
    id === undefined
      ? (text('text') ?? text('regex') ?? text('action') ?? text('slot'))
      : (names.get(id) ?? shortId(id));
  const timeout = valueAt(data, 'timeout');
  return [
    module,
    ...(about === undefined ? [] : [JSON.stringify(shortened(about)).replaceAll('\\\\', '\\')]),
    ...(typeof timeout === 'number' && module !== 'menu' ? [`(${timeout} s)`] : []),
  ].join(' ');
}

const shortened = (text: string): string => (text.length > 48 ? `${text.slice(0, 47)}…` : text);

/** `Main line  +15551230000, 0100`: what a callflow is called and which numbers lead to it. */
export function titleOf(callflow: JsonObject): string {
  const texts = (value: Json | undefined): readonly string[] =>
    Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  const leading = [...texts(callflow.numbers), ...texts(callflow.patterns).map((pattern) => `/${pattern}/`)];
  const name =
    typeof callflow.name === 'string' && callflow.name !== '' ? callflow.name : shortId(String(callflow.id));
  return leading.length > 0 ? `${name}  ${leading.join(', ')}` : name;
}
