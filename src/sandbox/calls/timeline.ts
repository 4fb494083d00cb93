import type { JsonObject } from '../../base/json.ts';
import { codeOf, type HangupCause, type Leg, type Moment } from './ring-legs.ts';

/** The life of a leg, in seconds since the call came. */
export interface Life {
  readonly createdAt: number;
  /** Variables that callflows had set by its end. */
  variables: JsonObject;
  other: Leg | undefined;
  answeredAt: number | undefined;
  bridgedAt: number | undefined;
  end: { readonly at: number; readonly cause: HangupCause } | undefined;
}

/** Records what happened to the legs of a call, in order. Times are seconds since the call came. */
export class Timeline {
  readonly #moments: Moment[] = [];
  readonly #lives = new Map<Leg, Life>();
  #variables: JsonObject = {};

  get moments(): readonly Moment[] {
    return this.#moments.toSorted((one, other) => one.at - other.at);
  }

  /** Legs in the order in which they were made. */
  get legs(): readonly Leg[] {
    return [...this.#lives.keys()];
  }

  /** Legs with their lives, in the order in which they were made. */
  get lives(): readonly (readonly [Leg, Readonly<Life>])[] {
    return [...this.#lives];
  }

  /** Takes over a leg that was there before, created and answered so long ago; its past is told no more. */
  resume(leg: Leg, past: Pick<Life, 'createdAt' | 'answeredAt'>): void {
    this.#lives.set(leg, { ...past, variables: {}, other: undefined, bridgedAt: undefined, end: undefined });
  }

  /** Variables that events tell from now on. */
  set(variables: JsonObject): void {
    this.#variables = { ...this.#variables, ...variables };
  }

  create(leg: Leg, at: number, other?: Leg): void {
    const unknown = { answeredAt: undefined, bridgedAt: undefined, end: undefined };
    this.#lives.set(leg, { createdAt: at, other, variables: {}, ...unknown });
    this.#add('channel_create', leg, at);
  }

  isAnswered(leg: Leg): boolean {
    return this.#lives.get(leg)?.answeredAt !== undefined;
  }

  /** A leg is answered once; later on, nothing happens. */
  answer(leg: Leg, at: number, other?: Leg): void {
    const life = this.#lifeOf(leg);
    if (life.answeredAt !== undefined) return;
    life.answeredAt = at;
    life.other = other ?? life.other;
    this.#add('channel_answer', leg, at);
  }

  bridge(leg: Leg, other: Leg, at: number): void {
    for (const [each, partner] of [
      [leg, other],
      [other, leg],
    ] as const)
      Object.assign(this.#lifeOf(each), { other: partner, bridgedAt: at });
    this.#add('channel_bridge', leg, at, {
      original_number: leg.destination,
      other_leg_destination_number: other.destination,
    });
  }

  destroy(leg: Leg, at: number, cause: HangupCause): void {
    const life = this.#lifeOf(leg);
    if (life.end) return;
    life.end = { at, cause };
    life.variables = this.#variables;
    const { createdAt, answeredAt } = life;
    this.#add('channel_destroy', leg, at, {
      hangup_cause: cause,
      hangup_code: codeOf(cause),
      duration_seconds: at - createdAt,
      ringing_seconds: (answeredAt ?? at) - createdAt,
      billing_seconds: answeredAt === undefined ? 0 : at - answeredAt,
    });
  }

  /** Returns the ringing time and the duration of a leg, as its end tells. */
  lasted(leg: Leg): JsonObject {
    const end = this.#moments.find((each) => each.leg === leg && each.hook === 'channel_destroy');
    return end?.more ?? {};
  }

  #add(hook: Moment['hook'], leg: Leg, at: number, more: JsonObject = {}): void {
    const { other } = this.#lifeOf(leg);
    this.#moments.push({ hook, at, leg, other, variables: this.#variables, more });
  }

  #lifeOf(leg: Leg): Life {
    const life = this.#lives.get(leg);
    if (life) return life;
    throw new Error(`The leg ${leg.callId} was never made.`);
  }
}
