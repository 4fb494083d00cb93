import { isObject, type Json } from '../../../base/json.ts';
import { nameByKind, recordsOf } from '../engine/records.ts';
import type { Call, CallAccount } from '../engine/types.ts';
import { stepWords } from '../engine/walk.ts';

export interface Reachable {
  readonly callflow: string;
  readonly id: string;
  readonly place: readonly string[];
  /** Such as `step 4 (voicemail "2001")` or `menu "Night" key 1`. */
  readonly what: string;
  readonly reached: boolean;
}

export interface CoveredStep {
  /** Such as `menu "Night"`. */
  readonly label: string;
  readonly reached: boolean;
  readonly branches: readonly { readonly key: string; readonly step: CoveredStep }[];
}

/** A callflow and its coverage. Without a step, the flow is empty. */
export interface CoveredFlow {
  readonly name: string;
  readonly numbers: readonly string[];
  readonly start: CoveredStep | undefined;
}

export interface Coverage {
  readonly flows: readonly CoveredFlow[];
  readonly steps: readonly Reachable[];
  readonly branches: readonly Reachable[];
  /** Temporal rules, each listed twice: as matching and as not matching. */
  readonly rules: readonly Reachable[];
  /** Share of all items that were reached, in percent. */
  readonly percent: number;
}

export function coverageOf(account: CallAccount, calls: readonly Call[]): Coverage {
  const steps = new Set<string>();
  const branches = new Set<string>();
  const words = new Set<string>();
  for (const { events } of calls)
    for (const event of events)
      if (event.kind === 'step') {
        const { callflow, place, left, words: tested = [] } = event.step;
        const key = branchKey(callflow, place);
        steps.add(key);
        branches.add(`${key} ${left ?? ''}`);
        for (const word of tested) words.add(word);
      }

  const found: { readonly steps: Reachable[]; readonly branches: Reachable[] } = { steps: [], branches: [] };
  const flows = account.of('callflows').map((flow): CoveredFlow => {
    const id = String(flow.id);
    const callflow = nameByKind('callflows', flow);
    let count = 0;
    const visit = (node: Json | undefined, place: readonly string[]): CoveredStep | undefined => {
      if (!isObject(node) || node.module === undefined) return undefined;
      count += 1;
      const { label } = stepWords(recordsOf(account), node);
      const key = branchKey(id, place);
      found.steps.push({ callflow, id, place, what: `step ${count} (${label})`, reached: steps.has(key) });
      const children = isObject(node.children) ? Object.entries(node.children) : [];
      const isByTime = node.module === 'temporal_route';
      const behind = children.flatMap(([name, child]) => {
        const inner = [...place, 'children', name];
        const reached = steps.has(branchKey(id, inner)) || branches.has(`${key} ${name}`);
        if (name !== '_' && !isByTime)
          found.branches.push({ callflow, id, place: inner, what: `${label} key ${name}`, reached });
        const step = visit(child, inner);
        const rule = isByTime ? account.get('temporal_rules', name) : undefined;
        return step ? [{ key: rule ? nameByKind('temporal_rules', rule) : name, step }] : [];
      });
      return { label, reached: steps.has(key), branches: behind };
    };
    const numbers = Array.isArray(flow.numbers) ? flow.numbers.map(String) : [];
    return { name: callflow, numbers, start: visit(flow.flow, ['flow']) };
  });
  const rules = account.of('temporal_rules').flatMap((rule) =>
    ['open', 'closed'].map((state) => {
      const name = nameByKind('temporal_rules', rule);
      const what = `rule ${JSON.stringify(name)} ${state}`;
      return { callflow: '', id: String(rule.id), place: [], what, reached: words.has(`${name}: ${state}`) };
    }),
  );
  const total = [...found.steps, ...found.branches, ...rules];
  const share = total.filter(({ reached }) => reached).length / (total.length || 1);
  return { ...found, flows, rules, percent: total.length === 0 ? 100 : Math.floor(share * 100) };
}

const branchKey = (callflow: string, place: readonly string[]): string => `${callflow} ${place.join('.')}`;

/** Describes the items that no case reached. Branches of unreached steps are omitted. */
export function notReached({ steps, branches, rules }: Coverage): readonly string[] {
  const missed = steps.filter(({ reached }) => !reached);
  const places = new Set(missed.map(({ id, place }) => branchKey(id, place)));
  const outer = missed.filter(({ id, place }) => !places.has(branchKey(id, place.slice(0, -2))));
  return [
    ...outer.map(({ callflow, what }) => `callflow ${JSON.stringify(callflow)} ${what}`),
    ...branches
      .filter(({ reached, id, place }) => !reached && !places.has(branchKey(id, place)))
      .map(({ what }) => what),
    ...rules.filter(({ reached }) => !reached).map(({ what }) => what),
  ];
}
