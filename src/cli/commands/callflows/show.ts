import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import { kindsNamed, referencesOf } from '../../../contract/callflow-modules.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { callflows } from '../../../contract/resources/callflows.ts';
import { redact, secretsIn } from '../../../contract/secrets.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { type Names, stepsIn, targetName } from '../../../engine/callflows/flow-set.ts';
import type { FlowStep } from '../../../engine/page/flow-picture.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { DocumentResult, TextResult } from '../../command/result.ts';
import { getRecord, operationFor } from '../generic/find-named.ts';
import type { showArguments, showOptions } from './commands.ts';
import { type Step, stepsOf, titleOf, tree } from './steps.ts';

const shapes = {
  start: 'shape=box, style="rounded,bold"',
  step: 'shape=box, style=rounded',
  leaves: 'shape=box, style="rounded,dashed"',
};

/** Text between the quotation marks of a DOT label, without marks that turn the direction of text. */
const dotQuoted = (text: string): string =>
  `"${text
    .toWellFormed()
    .replaceAll(/[\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')}"`;

/** A flow in the DOT language of Graphviz. */
function dot(title: string, root: Step | undefined): string {
  const boxes = [`  n0 [label=${dotQuoted(title)}, ${shapes.start}];`];
  const arrows: string[] = [];
  const draw = (step: Step, parent: number, key: string | undefined): void => {
    const own = boxes.length;
    boxes.push(`  n${own} [label=${dotQuoted(step.label)}, ${shapes[step.leaves ? 'leaves' : 'step']}];`);
    arrows.push(`  n${parent} -> n${own}${key === undefined ? '' : ` [label=${dotQuoted(key)}]`};`);
    for (const branch of step.branches) draw(branch.step, own, branch.key);
  };
  if (root) draw(root, 0, undefined);
  const fonts = ['  node [fontname="sans-serif"];', '  edge [fontname="sans-serif"];'];
  return ['digraph callflow {', ...fonts, ...boxes, ...arrows, '}', ''].join('\n');
}

/** The name and the rest of a text, at the first mark between them. */
function namedStep(text: string, mark: string): Pick<FlowStep, 'name' | 'about'> {
  const at = text.indexOf(mark);
  return at < 1 ? { name: text, about: '' } : { name: text.slice(0, at), about: text.slice(at) };
}

const drawnStep = ({ label, leaves, branches }: Step): FlowStep => ({
  ...namedStep(label, ' '),
  ...(leaves && { kind: 'leaves' }),
  branches: branches.map(({ key, step }) => ({ key, step: drawnStep(step) })),
});

/** A flow as a picture that browsers show. */
export async function svg(title: string, root: Step | undefined): Promise<string> {
  const { flowFile } = await import('../../../engine/page/flow-picture.ts');
  const branches = root ? [{ key: '_', step: drawnStep(root) }] : [];
  return flowFile(title, { ...namedStep(title, '  '), branches });
}

/** Draws a callflow as a tree, a diagram or a picture; scripts get the callflow. */
export async function showCallflow(
  { id, as = 'tree' }: InputOf<typeof showOptions, typeof showArguments>,
  context: Context,
): Promise<TextResult | DocumentResult> {
  const callflow = await getRecord(context, callflows, id);
  const flow = isObject(callflow.flow) && Object.keys(callflow.flow).length > 0 ? callflow.flow : undefined;
  const root = flow && stepsOf(flow, await namesFor(context, callflow));
  const title = titleOf(callflow);
  if (context.options.reveal && as === 'tree')
    context.notices.disclose(secretsIn(callflows.schema, callflow));
  const value = context.options.reveal ? callflow : redact(callflows.schema, callflow);
  if (as === 'tree') return { kind: 'text', text: tree(title, root), value };
  return { kind: 'document', text: await { mermaid, dot, svg }[as](title, root), value };
}

/** Text inside the quotes of a Mermaid label; its marks are written as entities. */
const mermaidEscaped = (text: string): string =>
  text.replaceAll(/[#&<>"`|\\]/g, (mark) => `#${mark.charCodeAt(0)};`).replaceAll(/\s+/g, ' ');

/** A flow as a Mermaid flowchart, from the numbers down. */
export function mermaid(title: string, root: Step | undefined): string {
  const lines = ['flowchart TD', `  n0(["${mermaidEscaped(title)}"])`];
  let count = 0;
  const draw = (step: Step, parent: string, key: string | undefined): void => {
    count += 1;
    const name = `n${count}`;
    lines.push(
      step.leaves
        ? `  ${name}[["${mermaidEscaped(step.label)}"]]`
        : `  ${name}["${mermaidEscaped(step.label)}"]`,
    );
    lines.push(`  ${parent} -->${key === undefined ? '' : `|"${mermaidEscaped(key)}"|`} ${name}`);
    for (const branch of step.branches) draw(branch.step, name, branch.key);
  };
  if (root) draw(root, 'n0', undefined);
  return `${lines.join('\n')}\n`;
}

function idsIn(flow: JsonObject): ReadonlyMap<ResourceName, ReadonlySet<string>> {
  const found = new Map<ResourceName, Set<string>>();
  for (const { step } of stepsIn(flow))
    for (const { reference, id } of referencesOf(step))
      for (const kind of kindsNamed(reference)) found.set(kind, (found.get(kind) ?? new Set()).add(id));
  return found;
}

/**
 * Names of what a callflow refers to: from the `metadata` that compatible services add to it, else from lists.
 * An id that no list has leads nowhere; a list that cannot be read leaves its ids as they are.
 */
async function namesFor(context: Context, callflow: JsonObject): Promise<Names> {
  const flow = isObject(callflow.flow) ? callflow.flow : {};
  const names = new Map<string, string | null>();
  const open = new Set<string>();
  const wanted = [...idsIn(flow)].map(([resource, ids]) => {
    const missing = new Set(ids);
    for (const id of ids) {
      const name = valueAt(isObject(callflow.metadata) ? callflow.metadata[id] : undefined, 'name');
      // People know a user by the username, which metadata does not hold.
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
        const found = await listNames(context, resource, missing);
        for (const [id, name] of found ?? []) names.set(id, name);
        if (found === undefined) for (const id of missing) open.add(id);
      }),
  );
  for (const { missing } of wanted)
    for (const id of missing) if (!names.has(id) && !open.has(id)) names.set(id, null);
  return names;
}

async function listNames(
  context: Context,
  name: ResourceName,
  ids: ReadonlySet<string>,
): Promise<readonly (readonly [string, string])[] | undefined> {
  const resource = resourceByName(name);
  const found: (readonly [string, string])[] = [];
  try {
    const api = await context.api();
    for await (const page of api.pages({ operation: operationFor(resource, 'list') })) {
      for (const item of page) {
        const label = targetName(name, item);
        if (typeof item.id === 'string' && ids.has(item.id) && label) found.push([item.id, label]);
      }
      if (found.length === ids.size) break;
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return undefined;
  }
  return found;
}
