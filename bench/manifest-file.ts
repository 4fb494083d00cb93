import { createHash } from 'node:crypto';

/** One request of an apply to an empty account, as a plain script sends it. */
interface PlainCreate {
  readonly section: 'users' | 'callflows';
  readonly data: Readonly<Record<string, unknown>>;
}

/** A manifest of many objects, and the requests that it comes to in an empty account. */
export interface BenchManifest {
  readonly text: string;
  readonly creates: readonly PlainCreate[];
  readonly objects: number;
}

const numbered = (index: number): string => String(index).padStart(5, '0');
/** Stands for an id in the requests of the plain script, which the service gives when telctl makes them. */
const someId = (name: string): string => createHash('md5').update(name).digest('hex');

const userFields = (index: number, password: string) => ({
  username: `user-${numbered(index)}`,
  password,
  first_name: 'Alice',
  last_name: `Archer ${numbered(index)}`,
  email: `user-${numbered(index)}@acme.example`,
  timezone: 'America/New_York',
  call_forward: { enabled: false, number: '+12125550177', require_keypress: true },
  caller_id: { internal: { name: `Alice ${numbered(index)}`, number: numbered(index) } },
});

/** Rings one user, then another; a caller whom nobody answers hears why. */
const callflowFields = (index: number, first: string, second: string) => ({
  name: `Extension ${numbered(index)}`,
  numbers: [`7${numbered(index)}`],
  flow: {
    module: 'user',
    data: { id: first, timeout: 20 },
    children: {
      _: {
        module: 'user',
        data: { id: second, timeout: 20 },
        children: { _: { module: 'tts', data: { text: 'Nobody can answer now.' }, children: {} } },
      },
    },
  },
});

/** YAML as people write it: nested blocks, text plain or in quotes. */
function block(value: Readonly<Record<string, unknown>>, indent: string): string {
  return Object.entries(value)
    .map(([key, inner]) => {
      const name = /^[a-z_][\w-]*$/.test(key) && key !== '_' ? key : JSON.stringify(key);
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner))
        return `${indent}${name}: ${JSON.stringify(inner)}\n`;
      if (Object.keys(inner).length === 0) return `${indent}${name}: {}\n`;
      return `${indent}${name}:\n${block({ ...inner }, `${indent}  `)}`;
    })
    .join('');
}

/** So many users, and callflows that ring them; the password is in the variable `BENCH_PASSWORD`. */
export function benchManifest(users: number, callflows: number, password: string): BenchManifest {
  const indices = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
  const rung = (index: number): readonly [string, string] => [
    `user-${numbered((index * 7) % users)}`,
    `user-${numbered((index * 7 + 3) % users)}`,
  ];
  const section = (entries: readonly (readonly [string, Readonly<Record<string, unknown>>])[]): string =>
    entries.map(([name, fields]) => `  ${name}:\n${block(fields, '    ')}`).join('');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own references
  const fromEnvironment = '${env.BENCH_PASSWORD}';
  const reference = (name: string): string => `\${users.${name}}`;
  const text = [
    'set: bench\nusers:\n',
    section(indices(users).map((index) => [`user-${numbered(index)}`, userFields(index, fromEnvironment)])),
    'callflows:\n',
    section(
      indices(callflows).map((index) => {
        const [first, second] = rung(index);
        return [`extension-${numbered(index)}`, callflowFields(index, reference(first), reference(second))];
      }),
    ),
  ].join('');
  return {
    text,
    objects: users + callflows,
    creates: [
      ...indices(users).map((index) => ({ section: 'users' as const, data: userFields(index, password) })),
      ...indices(callflows).map((index) => {
        const [first, second] = rung(index);
        return { section: 'callflows' as const, data: callflowFields(index, someId(first), someId(second)) };
      }),
    ],
  };
}
