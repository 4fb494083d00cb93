import { valueAt } from '../base/json.ts';
import { moduleOf } from '../contract/module-references.ts';
import type { Callflow, FlowSet } from './flow-set.ts';
import { type StepAt, stepsIn, textOf } from './step-label.ts';

/** A step by which one callflow goes on in another. */
export interface Link {
  readonly from: Callflow;
  readonly at: StepAt;
  /** Id of the other. */
  readonly to: string;
  /** On the way to it somebody is waited for: who is rung, or the caller who chooses. */
  readonly waits: boolean;
}

/** Links between callflows, by the id of the callflow that they start from. */
export function linksOf({ callflows }: FlowSet): ReadonlyMap<string, readonly Link[]> {
  return new Map(callflows.map((from) => [from.id, [...linksFrom(from)]]));
}

function* linksFrom(from: Callflow): Generator<Link> {
  for (const at of stepsIn(from.record.flow)) {
    const to = textOf(valueAt(at.step.data, 'id'));
    if (at.step.module === 'callflow' && to !== undefined) yield { from, at, to, waits: waitsBefore(at) };
  }
}

const choosing = new Set(['menu', 'collect_dtmf', 'directory', 'voicemail']);

function waitsBefore(at: StepAt): boolean {
  for (let here = at.from; here !== undefined; here = here.at.from) {
    const { step } = here.at;
    if (moduleOf(step)?.end === 'rings' || choosing.has(String(step.module))) return true;
  }
  return false;
}

/**
 * The ways round among callflows, each once and as short as possible: links from a callflow back to itself. Those on
 * which nobody is waited for come first.
 */
export function loopsOf(set: FlowSet): readonly (readonly Link[])[] {
  const links = linksOf(set);
  const unwaiting = new Map([...links].map(([id, each]) => [id, each.filter(({ waits }) => !waits)]));
  const seen = new Set<string>();
  return [unwaiting, links].flatMap((graph) => [...roundsIn(graph, seen)]);
}

function* roundsIn(
  graph: ReadonlyMap<string, readonly Link[]>,
  seen: Set<string>,
): Generator<readonly Link[]> {
  for (const id of graph.keys()) {
    if (seen.has(id)) continue;
    const round = shortestBack(graph, id);
    if (round === undefined) continue;
    for (const { from } of round) seen.add(from.id);
    yield round;
  }
}

function shortestBack(
  graph: ReadonlyMap<string, readonly Link[]>,
  start: string,
): readonly Link[] | undefined {
  const cameBy = new Map<string, Link>();
  const open = [start];
  // The list grows while it is read: nearer callflows stand before farther ones.
  for (const id of open)
    for (const link of graph.get(id) ?? []) {
      if (link.to === start) return [...wayTo(cameBy, id, start), link];
      if (cameBy.has(link.to)) continue;
      cameBy.set(link.to, link);
      open.push(link.to);
    }
  return undefined;
}

function wayTo(cameBy: ReadonlyMap<string, Link>, id: string, start: string): readonly Link[] {
  const way: Link[] = [];
  for (let here = id; here !== start; ) {
    const link = cameBy.get(here);
    if (link === undefined) break;
    way.push(link);
    here = link.from.id;
  }
  return way.reverse();
}
