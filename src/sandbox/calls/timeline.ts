import type { JsonObject } from '../../base/json.ts';
import { codeOf, type HangupCause, type Leg, type Moment } from './ring-legs.ts';

interface Life {
  readonly createdAt: number;
  other: Leg | undefined;
  answeredAt: number | undefined;
  isOver: boolean;
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

  /** Variables that events tell from now on. */
  set(variables: JsonObject): void {
    this.#variables = { ...this.#variables, ...variables };
  }

  create(leg: Leg, at: number, other?: Leg): void {
    this.#lives.set(leg, { createdAt: at, other, answeredAt: undefined, isOver: false });
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
    this.#lifeOf(leg).other = other;
    this.#lifeOf(other).other = leg;
    this.#add('channel_bridge', leg, at, {
      original_number: leg.destination,
      other_leg_destination_number: other.destination,
    });
  }

  destroy(leg: Leg, at: number, cause: HangupCause): void {
    const life = this.#lifeOf(leg);
    if (life.isOver) return;
    life.isOver = true;
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
