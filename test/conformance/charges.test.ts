import { describe, expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { allCommands, createLines } from '../support/command-lines.ts';
import type { FaultRule } from '../support/faults.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import { openWorld, type Run } from '../support/world.ts';

// Any service may charge for any change. In these tests, each write below an account returns charges of 12.00 until
// it accepts them. So every command must accept charges only if its options say so.

const invoice = {
  activation_charges: [{ category: 'users', item: 'user', billable: 1, rate: 2, total: 2 }],
  items: [
    {
      ...{ category: 'users', item: 'user', quantity: 1, billable: 1, rate: 10, total: 10 },
      changes: { type: 'modified', difference: { quantity: 1, billable: 1 } },
    },
  ],
  summary: { today: 2, recurring: 10 },
};
const priced = { status: 'error', error: '402', message: 'accept charges', data: [invoice] };

const everythingCosts: readonly FaultRule[] = ['PUT', 'POST', 'PATCH', 'DELETE'].map((method) => ({
  method,
  path: /\/accounts\//,
  unless: '"accept_charges":true',
  fault: {
    kind: 'answer',
    status: 402,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(priced),
  },
}));

const isChargedWrite = ({ method, path }: SentRequest): boolean =>
  method !== 'GET' && path.includes('/accounts/');
const chargedWrites = ({ requests }: Run): readonly SentRequest[] => requests.filter(isChargedWrite);
const acceptsCharges = ({ body, search }: SentRequest): boolean =>
  search.includes('accept_charges') || JSON.stringify(body ?? {}).includes('accept_charges');

const isFile = ({ headers }: SentRequest): boolean => !/json/.test(headers['content-type'] ?? 'json');

/** Returns a request as text, without its consent to charges. */
function formatWithoutConsent({ method, path, body }: SentRequest): string {
  const { accept_charges: _, data = {}, ...envelope } = isObject(body) ? body : {};
  return `${method} ${path} ${JSON.stringify({ ...envelope, data })}`;
}

const nameOf = ({ path }: Command): string => `telctl ${path.join(' ')}`;
const mayCharge = ({ effect, worst = effect, path }: Command): boolean =>
  effect !== 'local' && worst !== 'read' && path[0] !== 'sandbox';

describe('in a sandbox where every operation costs money', () => {
  for (const command of allCommands.filter(mayCharge)) {
    test(`${nameOf(command)} accepts charges only with consent`, async () => {
      // KAZOO creates no SSO applications, so there is none to change.
      const world = await openWorld(command.path[0] === 'sso' ? {} : { like: 'kazoo' });
      for (const { argv, answered, run, changes } of await createLines(command, world)) {
        if (!changes) continue;
        const line = [...argv, ...answered];
        const faults = [...everythingCosts, ...(run.faults ?? [])];
        for (const word of [['--yes'], ['--accept-charges-up-to', '11.99']]) {
          const refused = await world.telctl([...line, ...word], { ...run, faults });
          expect(refused.requests.filter(acceptsCharges), line.join(' ')).toEqual([]);
        }
        const consenting = await world.telctl([...line, '--accept-charges'], { ...run, faults });
        for (const request of chargedWrites(consenting).filter(acceptsCharges)) {
          const before = consenting.requests.slice(0, consenting.requests.indexOf(request));
          expect(before.filter((each) => !acceptsCharges(each)).map(formatWithoutConsent)).toContain(
            formatWithoutConsent(request),
          );
        }
        // The charges of an upload are shown, but cannot be accepted, because a file has no field for consent.
        if (chargedWrites(consenting).some(isFile))
          expect([consenting.code, consenting.stderr]).toEqual([7, expect.stringMatching(/charges/)]);
        else if (chargedWrites(consenting).length > 0)
          expect(chargedWrites(consenting).some(acceptsCharges), consenting.stderr).toBe(true);
      }
    });
  }
});
