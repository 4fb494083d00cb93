import { isObject, type JsonObject, textsIn, valueAt } from '../../../base/json.ts';
import { shortId } from '../../../base/wording.ts';
import { kindsNamed } from '../../../contract/callflow-modules.ts';
import { referencesOfRecord } from '../../../contract/record-references.ts';
import { callflows } from '../../../contract/resources/callflows.ts';
import { listSecrets, redact } from '../../../contract/secrets.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { formatStepWithRing, type Names, sortedBranches } from '../../../engine/callflows/flow-set.ts';
import type { DrawnStep } from '../../../engine/html/flow-layout.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { DocumentResult, TextResult } from '../../command/result.ts';
import { getRecord } from '../records/find-named.ts';
import { namesById } from '../records/read-account.ts';
import type { namedArguments, showCallflowOptions } from './commands.ts';

export interface DrawnFlowStep {
  /** `user "alice" (20 s)`. */
  readonly label: string;
  readonly leaves: boolean;
  readonly branches: readonly DrawnBranch[];
}

/** A following step and its key: a dialed digit, or `_` for the default. */
export interface DrawnBranch {
  readonly key: string;
  readonly step: DrawnFlowStep;
}

/** Deeper flows are broken. */
const maxDepth = 60;

const tooDeep: DrawnFlowStep = { label: '… (nested too deep to show)', leaves: false, branches: [] };

/** Converts a flow to steps. Unknown ids are shortened. */
export function flowRows(flow: JsonObject, names: Names, depth = 0): DrawnFlowStep {
  const branches = sortedBranches(flow).map(([key, child]) => ({
    key: names.get(key) ?? shortId(key),
    step: depth < maxDepth ? flowRows(child, names, depth + 1) : tooDeep,
  }));
  return { label: formatStepWithRing(flow, names), leaves: flow.module === 'callflow', branches };
}

/** Formats the name and numbers of a callflow: `Main line  +15551230000, 0100`. */
export function callflowTitle(callflow: JsonObject): string {
  const leading = [
    ...textsIn(callflow.numbers),
    ...textsIn(callflow.patterns).map((pattern) => `/${pattern}/`),
  ];
  const name =
    typeof callflow.name === 'string' && callflow.name !== '' ? callflow.name : shortId(String(callflow.id));
  return leading.length > 0 ? `${name}  ${leading.join(', ')}` : name;
}

const arrow = ({ label, leaves }: DrawnFlowStep): string => (leaves ? `${label} →` : label);

/** Draws a flow as an indented tree with one step per line. */
export function drawTree(title: string, root: DrawnFlowStep | undefined): readonly string[] {
  const lines = root ? [arrow(root), ...drawBranches(root)] : ['(no flow)'];
  return [title, ...lines];
}

function drawBranches({ branches }: DrawnFlowStep): readonly string[] {
  return branches.flatMap(({ key, step }, index) => {
    const isLast = index === branches.length - 1;
    const indent = `${isLast ? ' ' : '│'}${' '.repeat(key.length + 4)}`;
    return [
      `${isLast ? '└' : '├'}─ ${key}  ${arrow(step)}`,
      ...drawBranches(step).map((line) => `${indent}${line}`),
    ];
  });
}

const shapes = {
  start: 'shape=box, style="rounded,bold"',
  step: 'shape=box, style=rounded',
  leaves: 'shape=box, style="rounded,dashed"',
};

/** Draws the steps of a call, each below the previous one. */
export const chainSteps = (path: readonly JsonObject[]): DrawnFlowStep | undefined =>
  path.reduceRight<DrawnBranch | undefined>(
    (next, { key, branch_name: name, label, note }) => ({
      key: String(name ?? key ?? ''),
      step: {
        label: `${label}${note === undefined ? '' : `  (${note})`}`,
        leaves: false,
        branches: next ? [next] : [],
      },
    }),
    undefined,
  )?.step;

/** Escapes text for a DOT label, and removes characters that change the direction of text. */
const quoteDot = (text: string): string =>
  `"${text
    .toWellFormed()
    .replaceAll(/[\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')}"`;

function diagramBoxes(root: DrawnFlowStep | undefined) {
  const boxes: {
    readonly step: DrawnFlowStep;
    readonly own: number;
    readonly parent: number;
    readonly key?: string;
  }[] = [];
  const addBox = (step: DrawnFlowStep, parent: number, key?: string): void => {
    const own = boxes.length + 1;
    boxes.push({ step, own, parent, ...(key === undefined ? {} : { key }) });
    for (const branch of step.branches) addBox(branch.step, own, branch.key);
  };
  if (root) addBox(root, 0);
  return boxes;
}

function drawDot(title: string, root: DrawnFlowStep | undefined): string {
  const drawn = diagramBoxes(root);
  const boxes = drawn.map(
    ({ step, own }) =>
      `  n${own} [label=${quoteDot(step.label)}, ${shapes[step.leaves ? 'leaves' : 'step']}];`,
  );
  const arrows = drawn.map(
    ({ own, parent, key }) =>
      `  n${parent} -> n${own}${key === undefined ? '' : ` [label=${quoteDot(key)}]`};`,
  );
  const start = `  n0 [label=${quoteDot(title)}, ${shapes.start}];`;
  const fonts = ['  node [fontname="sans-serif"];', '  edge [fontname="sans-serif"];'];
  return ['digraph callflow {', ...fonts, start, ...boxes, ...arrows, '}', ''].join('\n');
}

function splitLabel(text: string, mark: string): Pick<DrawnStep, 'name' | 'about'> {
  const at = text.indexOf(mark);
  return at < 1 ? { name: text, about: '' } : { name: text.slice(0, at), about: text.slice(at) };
}

const drawnStep = ({ label, leaves, branches }: DrawnFlowStep): DrawnStep => ({
  ...splitLabel(label, ' '),
  ...(leaves && { kind: 'leaves' }),
  branches: branches.map(({ key, step }) => ({ key, step: drawnStep(step) })),
});

export async function drawSvg(title: string, root: DrawnFlowStep | undefined): Promise<string> {
  const { flowFile } = await import('../../../engine/html/flow-picture.ts');
  const branches = root ? [{ key: '_', step: drawnStep(root) }] : [];
  return flowFile(title, { ...splitLabel(title, '  '), branches });
}

/** Draws a callflow as a tree, diagram or picture. Machine-readable formats return the callflow. */
export async function showCallflow(
  { id, as = 'tree' }: InputOf<typeof showCallflowOptions, typeof namedArguments>,
  context: Context,
): Promise<TextResult | DocumentResult> {
  const callflow = await getRecord(context, callflows, id);
  const flow = isObject(callflow.flow) && Object.keys(callflow.flow).length > 0 ? callflow.flow : undefined;
  const root = flow && flowRows(flow, await namesFor(context, callflow));
  const title = callflowTitle(callflow);
  if (context.options.reveal && as === 'tree')
    context.notices.disclose(listSecrets(callflows.schema, callflow));
  const value = context.options.reveal ? callflow : redact(callflows.schema, callflow);
  if (as === 'tree') return { kind: 'text', text: drawTree(title, root), value };
  return {
    kind: 'document',
    text: await { mermaid: drawMermaid, dot: drawDot, svg: drawSvg }[as](title, root),
    value,
  };
}

const escapeMermaid = (text: string): string =>
  text.replaceAll(/[#&<>"`|\\]/g, (mark) => `#${mark.charCodeAt(0)};`).replaceAll(/\s+/g, ' ');

/** Draws a flow as a Mermaid flowchart, from the numbers down. */
export function drawMermaid(title: string, root: DrawnFlowStep | undefined): string {
  const lines = diagramBoxes(root).flatMap(({ step, own, parent, key }) => {
    const label = `["${escapeMermaid(step.label)}"]`;
    const word = key === undefined ? '' : `|"${escapeMermaid(key)}"|`;
    return [`  n${own}${step.leaves ? `[${label}]` : label}`, `  n${parent} -->${word} n${own}`];
  });
  return ['flowchart TD', `  n0(["${escapeMermaid(title)}"])`, ...lines, ''].join('\n');
}

function idsIn(callflow: JsonObject): ReadonlyMap<ResourceName, ReadonlySet<string>> {
  const found = new Map<ResourceName, Set<string>>();
  for (const { step, id, ...reference } of referencesOfRecord(callflows, callflow))
    for (const kind of step === undefined ? [] : kindsNamed(reference))
      found.set(kind, (found.get(kind) ?? new Set()).add(id));
  return found;
}

/**
 * Reads the names of the records that a callflow refers to, from the `metadata` of compatible services or from lists.
 * Ids that are missing in a list are broken references. If a list cannot be read, its ids are shown unchanged.
 */
async function namesFor(context: Context, callflow: JsonObject): Promise<Names> {
  const names = new Map<string, string | null>();
  const open = new Set<string>();
  const wanted = [...idsIn(callflow)].map(([resource, ids]) => {
    const missing = new Set(ids);
    for (const id of ids) {
      const name = valueAt(isObject(callflow.metadata) ? callflow.metadata[id] : undefined, 'name');
      // Users are shown by username, which the metadata does not contain.
      if (resource === 'users' || typeof name !== 'string' || name === '') continue;
      names.set(id, name);
      missing.delete(id);
    }
    return { resource, missing };
  });
  await Promise.all(
    wanted
      .filter(({ missing }) => missing.size > 0)
      .map(async ({ resource, missing }) => {
        const found = await namesById(context, resource);
        for (const id of missing) {
          const name = found?.get(id);
          if (name) names.set(id, name);
          if (found === undefined) open.add(id);
        }
      }),
  );
  for (const { missing } of wanted)
    for (const id of missing) if (!names.has(id) && !open.has(id)) names.set(id, null);
  return names;
}
