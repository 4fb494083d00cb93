// Each guard at each entry point, as data: what is tried and how it is refused, or why nothing applies.

/** The entry points for a change. */
export const entryPoints = [
  ...(['delete', 'patch', 'update', '--all', 'import', 'offboard', 'apply', 'undo'] as const),
  ...(['rollout start', 'rollout resume', 'rollout undo', 'rollout cancel'] as const),
  ...(['api', 'api in lower case', 'api with escapes', 'api with a slash at the end'] as const),
  ...(['api with two slashes', 'api with ?verb=', 'mcp', 'mcp --allow-writes', 'library'] as const),
] as const;
export type EntryPoint = (typeof entryPoints)[number];

/** An expected refusal. A word in capitals is an id of the world. */
export interface Row {
  /** The command line. For an assistant or program: noun, verb, operand and change. */
  readonly line: string;
  readonly code: number;
  readonly says: RegExp;
}

/** Why a guard does not apply at an entry point. */
export interface Nothing {
  readonly no: string;
}
type Cells = Readonly<Record<EntryPoint, Row | Nothing>>;

export interface Guard {
  /** Profile of the caller (default: the own one). */
  readonly as?: string;
  /** The service itself refuses the request. */
  readonly reaches?: true;
  /** Tried during a run and a rollout. */
  readonly whileRunning?: true;
  readonly cells: Cells;
}

const notApplicable = (reason: string): Nothing => ({ no: reason });
const row = (line: string, code: number, says: RegExp): Row => ({ line, code, says });

type Address = Extract<EntryPoint, `api${string}`>;

/** Returns the spellings of a request that services treat alike. */
function requestSpellings(
  method: string,
  path: string,
  code: number,
  says: RegExp,
  more = '--yes --force',
): Record<Address, Row> {
  const at = (verb: string, place: string): Row => row(`api ${verb} ${place} ${more}`, code, says);
  const escaped = path.replace(/[a-z](?=[a-z]*\/\w+$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return {
    api: at(method, `/v2${path}`),
    'api in lower case': at(method.toLowerCase(), `/v2${path}`),
    'api with escapes': at(method, `/v2${escaped}`),
    'api with a slash at the end': at(method, `${path}/`),
    'api with two slashes': at(method, `/v2/${path}`),
    'api with ?verb=': at('POST', `/v2${path}?verb=${method.toLowerCase()}`),
  };
}

const own = '/accounts/{account_id}';
const notOffered = /"refused".*Ask the user to run/s;
const onePerson = notApplicable('it is about one user, and no other record');
const users = notApplicable('it makes and changes users, and deletes nothing');
const onlyStops = notApplicable('it ends what is under way, and changes nothing at the service');
const asBegun = notApplicable('it carries out what was asked about when the rollout was begun');

/** An ordinary change at each entry point. */
function ordinaryChange(
  { code, says }: Pick<Row, 'code' | 'says'>,
  more: string,
  cells: Partial<Cells>,
): Cells {
  const at = (line: string): Row => row(`${line}${more}`, code, says);
  return {
    delete: at('menus delete Other'),
    patch: at('menus patch Other --set-json retries=5'),
    update: at('menus update Other -f menu.yaml'),
    '--all': at('menus patch --all --set-json retries=5'),
    import: at('users import new.csv'),
    offboard: at('users offboard alice'),
    apply: at('apply -f more.yaml'),
    undo: at('undo RUN_OTHER'),
    'rollout start': at('rollout start -f more.yaml --accounts branch.csv'),
    'rollout resume': at('rollout resume ROLLOUT_STOPPED'),
    'rollout undo': at('rollout undo ROLLOUT_KEPT'),
    'rollout cancel': onlyStops,
    ...requestSpellings('DELETE', `${own}/menus/OTHER`, code, says, more),
    mcp: row('menus delete Other', 1, notOffered),
    'mcp --allow-writes': row(`menus patch Other${more}`, 1, says),
    library: row(`menus patch OTHER${more}`, 1, says),
    ...cells,
  };
}

const protects = /protect/;
const isSelf = /signed in as/;
const isLast = /no other administrator is left/;
const otherSet = notApplicable('a set is a promise among manifests: who names a record means that record');
const running = notApplicable('one request of its own waits for no run; an older revision is a conflict');
const noAccount = notApplicable('it never deletes an account');
const atProfile = notApplicable(
  'it goes to the service of its profile alone, by names and ids that are looked up there',
);

/** Changes that remove the rights of an administrator. */
function rightsChange(name: string, id: string, says: RegExp, more: string, cells: Partial<Cells>): Cells {
  const at = (line: string): Row => row(`${line} --yes${more}`, 9, says);
  const path = more === '' ? own : '/accounts/BRANCH';
  return {
    delete: at(`users delete ${name} --force`),
    patch: at(`users patch ${name} --priv-level user`),
    update: at(`users update ${name} -f ${name}.json`),
    '--all': at('users patch --all --priv-level user'),
    import: at(`users import ${name}.csv --existing update`),
    offboard: at(`users offboard ${name}`),
    apply: at(`apply -f ${name}-user.yaml --force`),
    undo: at(`undo RUN_${id} --force`),
    'rollout start': row(
      `rollout start -f ${name}-user.yaml --accounts ${name}-at.csv --yes --force`,
      9,
      says,
    ),
    'rollout resume': asBegun,
    'rollout undo': row(`rollout undo ROLLOUT_${id} --yes --force`, 9, says),
    'rollout cancel': onlyStops,
    ...requestSpellings('DELETE', `${path}/users/${id}`, 9, says),
    mcp: row(`users delete ${name}${more}`, 1, notOffered),
    'mcp --allow-writes': row(`users delete ${name}${more}`, 1, says),
    library: row(`users delete ${id}${more}`, 1, says),
    ...cells,
  };
}

export const guards: Readonly<Record<string, Guard>> = {
  'what a manifest protects': {
    cells: {
      ...ordinaryChange({ code: 9, says: protects }, ' --yes --force', {}),
      delete: row('menus delete Main --yes --force', 9, protects),
      patch: notApplicable('what is protected may be changed, and is not deleted'),
      update: notApplicable('what is protected may be changed, and is not deleted'),
      '--all': notApplicable('what is protected may be changed, and is not deleted'),
      import: users,
      offboard: row('users offboard alice --yes', 9, protects),
      apply: row('apply -f less.yaml --prune --yes --force', 0, /never deleted: menu Main/),
      undo: row('undo RUN_KEPT --yes --force --overwrite', 6, protects),
      'rollout start': row(
        'rollout start -f less.yaml --accounts branch.csv --prune --yes --force',
        0,
        /1 unchanged/,
      ),
      'rollout resume': asBegun,
      'rollout undo': row('rollout undo ROLLOUT_KEPT --yes --force --overwrite', 8, protects),
      ...requestSpellings('DELETE', `${own}/menus/MAIN`, 9, protects),
      mcp: row('menus delete Main', 1, notOffered),
      'mcp --allow-writes': row('menus delete Main', 1, protects),
      library: row('menus delete MAIN', 1, protects),
    },
  },
  oneself: { as: 'maker', cells: rightsChange('maker', 'MAKER', isSelf, '', {}) },
  'the last administrator': {
    cells: rightsChange('boss', 'BOSS', isLast, ' --account branch', {}),
  },
  'an object of another set': {
    cells: {
      ...ordinaryChange({ code: 9, says: /set/ }, '', {}),
      delete: otherSet,
      patch: otherSet,
      update: otherSet,
      '--all': otherSet,
      import: otherSet,
      offboard: otherSet,
      apply: row('apply -f taken.yaml --yes --force', 9, /--take-over/),
      undo: row('undo RUN_TAKEN --yes --force --overwrite', 6, /the manifest set "second" manages it/),
      'rollout start': row(
        'rollout start -f taken.yaml --accounts branch.csv --yes --force',
        9,
        /another manifest set/,
      ),
      'rollout resume': asBegun,
      'rollout undo': row('rollout undo ROLLOUT_TAKEN --yes --force --overwrite', 8, /"second" manages it/),
      api: otherSet,
      'api in lower case': otherSet,
      'api with escapes': otherSet,
      'api with a slash at the end': otherSet,
      'api with two slashes': otherSet,
      'api with ?verb=': otherSet,
      mcp: otherSet,
      'mcp --allow-writes': otherSet,
      library: row('apply taken.yaml', 1, /another manifest set/),
    },
  },
  'what is still running': {
    whileRunning: true,
    cells: {
      ...ordinaryChange({ code: 6, says: /running/ }, '', {}),
      delete: running,
      patch: running,
      update: running,
      '--all': running,
      import: running,
      offboard: running,
      apply: row('apply -f more.yaml --account branch --yes --wait 0s', 6, /still running/),
      undo: row('undo --account branch --yes --force --overwrite', 6, /is still running/),
      'rollout start': asBegun,
      'rollout resume': row('rollout resume ROLLOUT_RUNNING --yes', 6, /is already being run/),
      'rollout undo': row('rollout undo ROLLOUT_RUNNING --yes --force', 6, /is still running/),
      api: running,
      'api in lower case': running,
      'api with escapes': running,
      'api with a slash at the end': running,
      'api with two slashes': running,
      'api with ?verb=': running,
      mcp: running,
      'mcp --allow-writes': running,
      library: notApplicable('it shares the lock of apply; it has neither undo nor rollouts'),
    },
  },
  'a whole account': {
    cells: {
      ...ordinaryChange({ code: 2, says: /--confirm north/ }, '', {}),
      delete: row('accounts delete north --yes', 2, /--confirm north/),
      patch: noAccount,
      update: noAccount,
      '--all': noAccount,
      import: users,
      offboard: onePerson,
      apply: row('apply -f tree-less.yaml --prune --yes --force --max-change-percent 100', 9, /north/),
      undo: row('undo RUN_TREE --yes --force --overwrite', 6, /north/),
      'rollout start': noAccount,
      'rollout resume': noAccount,
      'rollout undo': noAccount,
      ...requestSpellings('DELETE', '/accounts/NORTH', 2, /--confirm north/),
      mcp: row('accounts delete north', 1, notOffered),
      'mcp --allow-writes': row('accounts delete north', 1, notOffered),
      library: row('accounts delete NORTH', 1, /confirm/),
    },
  },
  'another service': {
    as: 'twin-service',
    cells: {
      ...ordinaryChange({ code: 2, says: /belongs to|another/ }, '', {}),
      delete: atProfile,
      patch: atProfile,
      update: atProfile,
      '--all': atProfile,
      import: atProfile,
      offboard: atProfile,
      apply: row('apply kept.plan --yes', 6, /plan/),
      undo: row('undo RUN_OTHER --yes --force', 5, /RUN_OTHER|no run/),
      'rollout start': row('rollout start fleet.plan --yes', 6, /plan/),
      'rollout resume': row('rollout resume ROLLOUT_STOPPED --yes', 2, /belongs to http/),
      'rollout undo': row('rollout undo ROLLOUT_KEPT --yes --force', 2, /belongs to http/),
      'rollout cancel': row('rollout cancel ROLLOUT_STOPPED --yes', 2, /belongs to http/),
      api: row('api DELETE URL/v2/accounts/{account_id}/menus/OTHER --yes --force', 2, /path/),
      'api in lower case': atProfile,
      'api with escapes': atProfile,
      'api with a slash at the end': atProfile,
      'api with two slashes': atProfile,
      'api with ?verb=': atProfile,
      mcp: atProfile,
      'mcp --allow-writes': atProfile,
      library: atProfile,
    },
  },
  'another account': {
    reaches: true,
    cells: ordinaryChange({ code: 4, says: /./ }, ' --yes --account TWIN', {
      'rollout start': row('rollout start -f more.yaml --accounts twin.csv --yes', 4, /./),
      'rollout resume': row(
        'rollout resume ROLLOUT_STOPPED --yes --profile twin-account',
        2,
        /not below yours/,
      ),
      'rollout undo': row('rollout undo ROLLOUT_KEPT --yes --profile twin-account', 2, /not below yours/),
      'rollout cancel': row(
        'rollout cancel ROLLOUT_STOPPED --yes --profile twin-account',
        2,
        /not below yours/,
      ),
      undo: row('undo RUN_OTHER --yes --force --profile twin-account', 5, /./),
      ...requestSpellings('DELETE', '/accounts/TWIN/menus/OTHER', 4, /./),
    }),
  },
  'a profile that only reads': {
    as: 'plan',
    cells: ordinaryChange({ code: 9, says: /is read-only/ }, ' --yes', {}),
  },
  'a profile that asks': {
    as: 'ask',
    // Only this profile asks about patches. Other changes always ask.
    cells: ordinaryChange({ code: 2, says: /--yes/ }, '', {
      ...requestSpellings('PATCH', `${own}/menus/OTHER`, 2, /--yes/, '--field retries=5'),
      library: row('menus patch OTHER', 1, /"ask" .*nothing was sent/),
    }),
  },
};
