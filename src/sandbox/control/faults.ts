import { type FaultRule, fits, patternOf, seededFractions } from '../fault-rule.ts';

/** A rule with what came of it. */
export interface FaultCount {
  readonly rule: FaultRule;
  /** Number of requests that fitted its pattern since it was added. */
  readonly matched: number;
  readonly disturbed: number;
}

interface Kept {
  readonly rule: FaultRule;
  readonly fits: (method: string, path: string) => boolean;
  readonly fraction: () => number;
  matched: number;
  disturbed: number;
}

/** The faults that were put into a sandbox, in the order in which they were added. */
export class Faults {
  readonly #kept = new Map<string, Kept>();
  #last = 0;

  /** Adds a rule. Its pattern must be one that `patternOf` reads. */
  add(rule: Omit<FaultRule, 'id'>): FaultCount {
    const pattern = patternOf(rule.match);
    if (!pattern) throw new Error(`${rule.match} is not a pattern`);
    this.#last += 1;
    const id = String(this.#last);
    const kept: Kept = {
      rule: { id, ...rule },
      fits: (method, path) => fits(pattern, method, path),
      fraction: seededFractions(rule.seed),
      matched: 0,
      disturbed: 0,
    };
    this.#kept.set(id, kept);
    return kept;
  }

  list(): readonly FaultCount[] {
    return [...this.#kept.values()].map(({ rule, matched, disturbed }) => ({ rule, matched, disturbed }));
  }

  /** Takes one away. False where there is none. */
  clear(id: string): boolean {
    return this.#kept.delete(id);
  }

  clearAll(): void {
    this.#kept.clear();
  }

  /** The first rule that disturbs this request, counted. */
  take(method: string, path: string): FaultRule | undefined {
    for (const kept of this.#kept.values()) {
      const { rule } = kept;
      if (!kept.fits(method, path)) continue;
      kept.matched += 1;
      if (kept.disturbed >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
      if (rule.rate !== undefined && kept.fraction() >= rule.rate) continue;
      kept.disturbed += 1;
      return rule;
    }
    return undefined;
  }
}
