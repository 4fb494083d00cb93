import { type JsonObject, textsIn } from '../../../base/json.ts';
import { shortId } from '../../../base/wording.ts';
import { branchesOf, type Names, stepLabel } from '../../../engine/callflows/flow-set.ts';

/** One step of a call, ready to be drawn. */
export interface Step {
  /** `user "alice" (20 s)`. */
  readonly label: string;
  /** The call goes on in another callflow. */
  readonly leaves: boolean;
  readonly branches: readonly Branch[];
}

/** The step that follows another, and its key: a dialled digit, or `_` for otherwise. */
export interface Branch {
  readonly key: string;
  readonly step: Step;
}

/** Greatest depth of a flow that is drawn; a deeper one is broken. */
const deepest = 60;

const tooDeep: Step = { label: '… (nested too deep to show)', leaves: false, branches: [] };

/** A flow as steps. Unknown ids are shortened. */
export function stepsOf(flow: JsonObject, names: Names, depth = 0): Step {
  const branches = branchesOf(flow).map(([key, child]) => ({
    key: names.get(key) ?? shortId(key),
    step: depth < deepest ? stepsOf(child, names, depth + 1) : tooDeep,
  }));
  return { label: stepLabel(flow, names), leaves: flow.module === 'callflow', branches };
}

/** `Main line  +15551230000, 0100`: what a callflow is called and which numbers lead to it. */
export function titleOf(callflow: JsonObject): string {
  const leading = [
    ...textsIn(callflow.numbers),
    ...textsIn(callflow.patterns).map((pattern) => `/${pattern}/`),
  ];
  const name =
    typeof callflow.name === 'string' && callflow.name !== '' ? callflow.name : shortId(String(callflow.id));
  return leading.length > 0 ? `${name}  ${leading.join(', ')}` : name;
}

const arrow = ({ label, leaves }: Step): string => (leaves ? `${label} →` : label);

/** A flow as an indented tree, one step a line. */
export function tree(title: string, root: Step | undefined): readonly string[] {
  const lines = root ? [arrow(root), ...below(root)] : ['(no flow)'];
  return [title, ...lines];
}

function below({ branches }: Step): readonly string[] {
  return branches.flatMap(({ key, step }, index) => {
    const isLast = index === branches.length - 1;
    const indent = `${isLast ? ' ' : '│'}${' '.repeat(key.length + 4)}`;
    return [
      `${isLast ? '└' : '├'}─ ${key}  ${arrow(step)}`,
      ...below(step).map((line) => `${indent}${line}`),
    ];
  });
}
