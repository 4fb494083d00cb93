import { isObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { DocumentResult, TextResult } from '../../command/result.ts';
import { callflows } from '../../contract/resources/callflows.ts';
import { redact } from '../../contract/secrets.ts';
import { getRecord } from '../generic/find-record.ts';
import type { showArguments, showOptions } from './commands.ts';
import { dot } from './dot.ts';
import { mermaid } from './mermaid.ts';
import { namesFor } from './names.ts';
import { stepsOf, titleOf } from './steps.ts';
import { tree } from './tree.ts';

/** Draws a callflow as a tree, a diagram or a picture; scripts get the callflow. */
export async function showCallflow(
  { id, as = 'tree' }: InputOf<typeof showOptions, typeof showArguments>,
  context: Context,
): Promise<TextResult | DocumentResult> {
  const callflow = await getRecord(context, callflows, id);
  const flow = isObject(callflow.flow) && Object.keys(callflow.flow).length > 0 ? callflow.flow : undefined;
  const root = flow && stepsOf(flow, await namesFor(context, callflow));
  const title = titleOf(callflow);
  const value = context.options.reveal ? callflow : redact(callflows.schema, callflow);
  if (as === 'tree') return { kind: 'text', text: tree(title, root), value };
  const draw = as === 'svg' ? (await import('./svg.ts')).svg : { mermaid, dot }[as];
  return { kind: 'document', text: draw(title, root), value };
}
