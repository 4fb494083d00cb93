import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { type DesiredObject, referenceTo } from '../../src/engine/manifest/desired.ts';
import { desiredObject } from './model-account.ts';

const subset = <T>(things: readonly T[]) => fc.subarray([...things]);
const word = fc.stringMatching(/^[a-z]{1,6}$/);

const userFields = fc.record(
  {
    first_name: word,
    last_name: word,
    password: fc.constantFrom('one-secret', 'two-secret'),
    timezone: fc.constantFrom('Europe/Zurich', 'UTC'),
    enabled: fc.boolean(),
    flags: fc.uniqueArray(word, { maxLength: 3 }),
    call_forward: fc.record(
      { enabled: fc.boolean(), number: fc.constantFrom('5551230000', '+15551230001') },
      { requiredKeys: [] },
    ),
    caller_id: fc.record(
      { internal: fc.record({ name: word }, { requiredKeys: [] }), external: fc.record({ number: word }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['first_name', 'last_name'] },
);

const menuFields = fc.record(
  {
    retries: fc.integer({ min: 1, max: 10 }),
    hunt: fc.boolean(),
    record_pin: fc.constantFrom('1234', '5678'),
  },
  { requiredKeys: [] },
);

/** A flow with references to objects of the manifest. */
const flowArbitrary = (targets: readonly string[], depth: number): fc.Arbitrary<JsonObject> => {
  const data = fc.record(
    {
      id: targets.length === 0 ? fc.constant('voice') : fc.constantFrom(...targets.map(referenceTo)),
      timeout: fc.integer({ min: 1, max: 60 }),
    },
    { requiredKeys: [] },
  );
  const children: fc.Arbitrary<JsonObject> =
    depth === 0
      ? fc.constant({})
      : fc.dictionary(fc.constantFrom('1', '2', '3', '_', 'timeout'), flowArbitrary(targets, depth - 1), {
          maxKeys: 3,
        });
  return fc
    .record({ module: fc.constantFrom('user', 'menu', 'hangup', 'tts'), data, children })
    .map((step) => (step.module === 'tts' ? { ...step, data: { ...step.data, text: 'Welcome' } } : step));
};

const numbers = ['+15551230000', '5551230001', '1 555 123 0002', '0100', '0101', '+15551230005'];

/**
 * Objects of a small office: users, menus, groups with members, directories with a callflow per user, and callflows
 * to all of them and to each other.
 */
export const officeObjects: fc.Arbitrary<readonly DesiredObject[]> = fc
  .record({
    users: subset(['alice', 'bob', 'carol', 'dave']),
    menus: subset(['main', 'night']),
    groups: subset(['sales', 'help']),
    directories: subset(['staff', 'managers']),
    callflows: subset(['main-line', 'after-hours', 'old']),
    hasLimits: fc.boolean(),
  })
  .chain(({ users, menus, groups, directories, callflows, hasLimits }) => {
    const targets = [
      ...users.map((name) => `users.${name}`),
      ...menus.map((name) => `menus.${name}`),
      ...directories.map((name) => `directories.${name}`),
      ...callflows.map((name) => `callflows.${name}`),
    ];
    const places: fc.Arbitrary<JsonObject> =
      callflows.length === 0
        ? fc.constant({})
        : fc
            .tuple(subset(directories), fc.constantFrom(...callflows))
            .map(([chosen, callflow]) =>
              Object.fromEntries(
                chosen.map((name): [string, Json] => [
                  referenceTo(`directories.${name}`),
                  referenceTo(`callflows.${callflow}`),
                ]),
              ),
            );
    const objectArbitrary = (
      kind: 'users' | 'menus' | 'groups' | 'directories' | 'callflows',
      name: string,
      fields: fc.Arbitrary<JsonObject>,
    ): fc.Arbitrary<DesiredObject> => fields.map((given) => desiredObject(kind, name, given));
    const members: fc.Arbitrary<JsonObject> = subset(users).map((chosen) =>
      Object.fromEntries(
        chosen.map((name): [string, Json] => [referenceTo(`users.${name}`), { type: 'user' }]),
      ),
    );
    return fc
      .record({
        users: fc.tuple(
          ...users.map((name) =>
            objectArbitrary(
              'users',
              name,
              fc
                .tuple(userFields, places)
                .map(([fields, directories]): JsonObject => ({ username: name, ...fields, directories })),
            ),
          ),
        ),
        menus: fc.tuple(
          ...menus.map((name) =>
            objectArbitrary(
              'menus',
              name,
              menuFields.map((fields): JsonObject => ({ name, ...fields })),
            ),
          ),
        ),
        groups: fc.tuple(
          ...groups.map((name) =>
            objectArbitrary(
              'groups',
              name,
              members.map((endpoints) => ({ name, endpoints })),
            ),
          ),
        ),
        dealt: fc.shuffledSubarray(numbers, { minLength: callflows.length, maxLength: numbers.length }),
        flows: fc.tuple(...callflows.map(() => flowArbitrary(targets, 2))),
        limits: fc.record({ twoway_trunks: fc.integer({ min: 0, max: 5 }) }),
      })
      .map((made) => [
        ...(hasLimits ? [desiredObject('limits', 'limits', made.limits)] : []),
        ...made.users,
        ...made.menus,
        ...made.groups,
        ...directories.map((name) => desiredObject('directories', name, { name })),
        ...callflows.map((name, index) =>
          desiredObject('callflows', name, {
            name,
            numbers: made.dealt.filter((_, place) => place % callflows.length === index),
            flow: made.flows[index],
          }),
        ),
      ]);
  });
