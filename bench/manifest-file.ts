import { createHash } from 'node:crypto';

/** A request of the plain script that creates the same objects as an apply. */
interface PlainCreate {
  readonly section: 'users' | 'callflows';
  readonly data: Readonly<Record<string, unknown>>;
}

/** A large manifest, and the requests that create its objects in an empty account. */
export interface BenchManifest {
  readonly text: string;
  readonly creates: readonly PlainCreate[];
  readonly objects: number;
}

const numbered = (index: number): string => String(index).padStart(5, '0');
/** Returns a placeholder id. Requests of telctl have the id that the service assigned instead. */
const placeholderId = (name: string): string => createHash('md5').update(name).digest('hex');

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

/** Returns a callflow that rings one user, then another, then plays a message. */
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

/** Returns block-style YAML, as people write it. */
function toBlockYaml(value: Readonly<Record<string, unknown>>, indent: string): string {
  return Object.entries(value)
    .map(([key, inner]) => {
      const name = /^[a-z_][\w-]*$/.test(key) && key !== '_' ? key : JSON.stringify(key);
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner))
        return `${indent}${name}: ${JSON.stringify(inner)}\n`;
      if (Object.keys(inner).length === 0) return `${indent}${name}: {}\n`;
      return `${indent}${name}:\n${toBlockYaml({ ...inner }, `${indent}  `)}`;
    })
    .join('');
}

/** Returns a manifest of users and callflows that ring them. The password is in the variable `BENCH_PASSWORD`. */
export function benchManifest(users: number, callflows: number, password: string): BenchManifest {
  const indices = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
  const rung = (index: number): readonly [string, string] => [
    `user-${numbered((index * 7) % users)}`,
    `user-${numbered((index * 7 + 3) % users)}`,
  ];
  const section = (entries: readonly (readonly [string, Readonly<Record<string, unknown>>])[]): string =>
    entries.map(([name, fields]) => `  ${name}:\n${toBlockYaml(fields, '    ')}`).join('');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the manifest
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
        return {
          section: 'callflows' as const,
          data: callflowFields(index, placeholderId(first), placeholderId(second)),
        };
      }),
    ],
  };
}
