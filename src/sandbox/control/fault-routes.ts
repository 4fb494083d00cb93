import type { JsonObject } from '../../base/json.ts';
import type { ControlRoute } from '../control-route.ts';
import { textAt } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import { type FaultRule, patternOf, whyNoPattern } from './fault-rule.ts';
import type { FaultCount, Faults } from './faults.ts';

const refuse = (message: string): Refusal => new Refusal(400, 'invalid_request', message);

/** A number between two others; `undefined` where none was given. */
function numberAt(body: JsonObject, key: string, least: number, most: number): number | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw refuse(`${key} is a number from ${least} to ${most}.`);
}

const dayMs = 86_400_000;

function ruleOf(body: JsonObject, newSeed: () => number): Omit<FaultRule, 'id'> {
  const match = textAt(body, 'match') ?? '*';
  if (!patternOf(match)) throw refuse(whyNoPattern(match));
  const { drop, body: kind } = body;
  if (drop !== undefined && drop !== 'before' && drop !== 'after') throw refuse('drop is before or after.');
  if (kind !== undefined && kind !== 'garbage') throw refuse('body is garbage.');
  const status = numberAt(body, 'status', 400, 599);
  const delayMs = numberAt(body, 'delay_ms', 0, dayMs);
  const retryAfter = numberAt(body, 'retry_after', 0, dayMs);
  const times = numberAt(body, 'times', 1, 1_000_000);
  const rate = numberAt(body, 'rate', 0, 1);
  const ways = [status, drop, kind].filter((way) => way !== undefined);
  if (ways.length > 1)
    throw refuse('A fault answers a status, drops the connection or breaks the body: one.');
  if (ways.length === 0 && delayMs === undefined)
    throw refuse('A fault needs a status, drop, delay or body.');
  if (retryAfter !== undefined && status === undefined) throw refuse('retry_after goes with a status.');
  return {
    match,
    ...(status === undefined ? {} : { status }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(drop === undefined ? {} : { drop }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(kind === undefined ? {} : { body: kind }),
    ...(times === undefined ? {} : { times }),
    ...(rate === undefined ? {} : { rate }),
    seed: numberAt(body, 'seed', 0, 4_294_967_295) ?? newSeed(),
  };
}

const shown = ({ rule, matched, disturbed }: FaultCount): JsonObject => ({
  id: rule.id,
  match: rule.match,
  status: rule.status ?? null,
  retry_after: rule.retryAfter ?? null,
  drop: rule.drop ?? null,
  delay_ms: rule.delayMs ?? null,
  body: rule.body ?? null,
  times: rule.times ?? null,
  rate: rule.rate ?? null,
  seed: rule.rate === undefined ? null : rule.seed,
  matched,
  disturbed,
});

/** `GET`, `POST` and `DELETE` of `/sandbox/faults`, and `DELETE` of one. */
export const faultRoutes = (faults: Faults, newSeed: () => number): readonly ControlRoute[] => [
  { method: 'GET', path: '/sandbox/faults', answer: async () => ({ faults: faults.list().map(shown) }) },
  {
    method: 'POST',
    path: '/sandbox/faults',
    answer: async ({ body }) => {
      const rule = ruleOf(body, newSeed);
      if (body.dry_run === true) return shown({ rule: { id: '', ...rule }, matched: 0, disturbed: 0 });
      return shown(faults.add(rule));
    },
  },
  {
    method: 'DELETE',
    path: '/sandbox/faults',
    answer: async () => {
      const cleared = faults.list().length;
      faults.clearAll();
      return { cleared };
    },
  },
  {
    method: 'DELETE',
    path: '/sandbox/faults/:id',
    answer: async ({ params: { id = '' } }) => {
      if (!faults.clear(id)) throw new Refusal(404, 'not_found', `There is no fault ${id}.`);
      return { cleared: 1 };
    },
  },
];
