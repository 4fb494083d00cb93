import type { Operation, ResourceName } from '../../contract/types.ts';
import type { ServiceRules } from '../../contract/validate.ts';
import { type Difference, type Likeness, of, resourceDifferences } from './differences.ts';
import { fieldTraits, type RecordTraits } from './record-traits.ts';

/** Behaviour towards all requests and records. */
const serviceDifferences = {
  identity: {
    /** Naming of the account at sign-in: by exactly one identifier, or by the first of several that is one. */
    identifiers: of('one', 'first-found'),
    /** Content of sign-ins and token information: as documented, or with what services in the field add. */
    information: of('documented', 'field'),
    /** A token outlives that its account, user or API key is disabled or changed. */
    tokensOutlive: of(false, true),
    /** Operations that anybody in the account's tree may call, whatever role they have otherwise. */
    openTo: of<readonly string[]>(
      [],
      ['accounts.api-key', 'accounts.put-api-key', 'tokens.reset-account-secret', 'tokens.reset-user-secret'],
    ),
    /** A password without a username: refused, or a name is made for it. */
    usernames: of('needed', 'made'),
    /** Those who rotate an account's API key: whoever administers it, its key included, or its users who do. */
    keysRotatedBy: of('account', 'administrators'),
    /** True when the envelope counts the users who were found at a refused sign-in; else it counts nothing. */
    countsUsers: of(false, true),
    /** Fields beside the API key at sign-in. */
    besideKey: of('ignored', 'refused'),
    /** Sign-ins that a provider does not vouch for are refused (401), or faults of the service (500). */
    providerRefusals: of('coded', 'faults'),
    /** Answer to a change of an SSO application that does not exist. */
    unknownApps: of('unknown', 'forbidden'),
    /** Treatment of an unknown `action`: invalid as any other field, or not allowed (a failure within an account). */
    unknownActions: of('invalid', 'refused'),
    /** Those who are no administrators may change administrators, and read secrets that are not theirs. */
    plainUsers: of('held', 'trusted'),
    /** Requests without a good token are limited; one with a good token takes nothing (as recorded). */
    limitsStrangers: of(false, true),
    /** Operations that are also answered without a token, beside those that the contract says so of. */
    publicOperations: of<readonly string[]>(
      [],
      ['webhooks.hooks', 'webhooks.samples', 'webhooks.sample', 'tokens.info', 'tokens.info-by-query'],
    ),
    /** A signing key is told with its id, or by itself. */
    signingKeys: of('with-id', 'alone'),
  },
  requests: {
    /** A token is also taken from the query and the body, and an account named beside it has to be its own. */
    tokensAnywhere: of(false, true),
    /** The body is read before the token, and has to have `data` where there is one; its keys are in any case. */
    bodyFirst: of(false, true),
    /** Treatment of a body that is not JSON. */
    otherBodies: of('refused', 'ignored'),
    /** Largest body, in bytes (Conventions, Sizes and times). */
    bodyLimit: of<number>(8_000_000, 64_000_000),
    /** Any version from 2 up is taken for 2; the first is gone, and none is a page of text. */
    anyVersion: of(false, true),
    /**
     * A verb in the query or the body stands in the place of the method, and nobody looks at whose carrier is read. Both
     * are holes of services in the field, a GET that writes and the trunk of a stranger: followed on this machine alone.
     */
    holes: of('closed', 'followed'),
  },
  replies: {
    /** Errors of reference operations: three keys alone, beside the envelope's (for clients that read it), or that. */
    referenceErrors: of('beside-envelope', 'envelope', 'alone'),
    contentType: of<string>('application/json; charset=utf-8', 'application/json'),
    /** An error that is found before the resource is asked has no content type (as recorded). */
    earlyErrorsUntyped: of(false, true),
    /** The envelope tells what is left of the caller's bucket. */
    tellsTokens: of(false, true),
    /** The envelope echoes the token that was sent, good or not. */
    echoesAnyToken: of(false, true),
    /** Requests that such services have and this one has not, which they keep to super administrators (403). */
    keptToSuper: of<readonly string[]>(
      [],
      [
        'GET /about',
        'GET /accounts/{account_id}/services/manual',
        'GET /accounts/{account_id}/siblings',
        'GET /alerts',
        'GET /phone_numbers/carriers_info',
        'GET /phone_numbers/classifiers',
        'GET /resource_templates',
        'GET /system_configs',
        'GET /system_configs/{config}',
        'GET /system_status',
        'GET /users',
        'POST /accounts/{account_id}/move',
        'PUT /schemas/{schema}/validation',
      ],
    ),
    /** Replies tell revisions, reads an ETag; `If-Match` and `If-None-Match` are heeded. */
    revisions: of(false, true),
    /** An OPTIONS, refused as it is, tells pages of other origins what they could send. */
    answersPreflights: of(false, true),
    /** Lists come as CSV where that is asked for; what accepts no JSON is refused (406). */
    negotiates: of(false, true),
    /** A list that is not paged tells how many it has. */
    countsWholeLists: of(true, false),
    /** Sums come in the envelope of a list of one. */
    sumsAsLists: of(false, true),
    /** Replies to resets of secrets have no `data` key. */
    resetsWithoutData: of(false, true),
    /** A `Location` header tells where a new record is. */
    locations: of(false, true),
    /** Receivers of replies with the release version: everybody (Versioning, 1), or callers with a token. */
    versionFor: of('everybody', 'token-holders'),
    /** The list of providers tells where its page begins, as an array (Conventions, Success response envelope). */
    providersStartKey: of(true, false),
    /** Names that are no ids, API keys and samples among them, are missed as ids are, or in other words. */
    unknownNames: of('ids', 'names'),
    /** Operations that the specification gives an empty body answer without one (Endpoints, Account resources). */
    emptyBodies: of(true, false),
  },
  /** Records that are written. */
  writes: {
    /** A write of a record that another request wrote at the same time: done after it, or refused (409). */
    stale: of('repeated', 'refused'),
    /** Treatment of an id that a caller sends with a new record. */
    ownIds: of('dropped', 'taken'),
    /** Effect of an empty object in a patch on one with fields: nothing, or takes its place. */
    emptyObjects: of('merged', 'replacing'),
  },
  lists: {
    /** True when a request can say where a list ends. */
    endKey: of(false, true),
    /** Words for records without a value. */
    valueMissing: of<readonly string[]>(['value_missing', 'missing_value'], ['value_missing']),
    /** A full page names the next one: where it has a record that is wanted, or any record. */
    next: of('wanted', 'any'),
    /** Lists that are read from a view of their own tell where they begin: a roster, submissions, attempts. */
    viewsTellStart: of(false, true),
    /** Treatment of malformed times of a range. */
    noTimes: of('refused', 'ignored'),
    /**
     * Entries of lists are listed as records, or under `value` as the store finds them; a list of which nothing is known
     * is then as good as any, and each change of an entry names its list.
     */
    entries: of('records', 'found'),
  },
  /** Records: how they are checked, and what is particular to some. */
  records: {
    /** The rules that they are held to. */
    rules: of<ServiceRules>('documented-types', 'conventions', 'specification'),
    /** Content of a validation error: what was wanted, or also what was found, with the details of such services. */
    problems: of('brief', 'detailed'),
    /** A fraction where a whole number is due. */
    fractions: of('refused', 'rounded'),
    traits: of<Readonly<Partial<Record<ResourceName, RecordTraits>>>>(
      {
        conferences: {
          derived: 'never',
          // The shape that the specification shows (Resources and their fields, Conference).
          filled: { play_entry_tone: true, play_exit_tone: true, play_welcome: true },
        },
        directories: { derived: 'never' },
      },
      fieldTraits,
    ),
    /** In which form accounts keep realms: in lower case, or as sent but for blanks, which are taken out (as recorded). */
    realms: of('lower-case', 'unspaced'),
  },
};

const differences = { ...serviceDifferences, ...resourceDifferences };

/** Operations of the contract that services in the field do not offer. */
const withheldInTheField: readonly string[] = [
  'accounts.rotate-api-key',
  'apps.create',
  // The module is not loaded.
  'access_lists.get',
  'access_lists.update',
  'access_lists.delete',
  'device_access_lists.get',
  'device_access_lists.update',
  'device_access_lists.delete',
];

type Values<T> = {
  readonly [Group in keyof T]: {
    readonly [Fact in keyof T[Group]]: T[Group][Fact] extends Difference<infer V> ? V : never;
  };
};

/** Behaviour where services differ. All that a mode changes stands here; nothing asks for the mode. */
export interface Behaviour extends Values<typeof differences> {
  /** The mode, for people; `undefined`: documented and conventional operations, in the specification's shapes. */
  readonly like: Likeness | undefined;
  /** The operations that are answered. */
  readonly operations: 'documented' | 'all';
  /** Operations of the contract that are not offered. */
  readonly withheld: readonly string[];
}

function valuesFor<T>(table: T, mode: keyof Difference<unknown>): Values<T>;
function valuesFor(
  table: Readonly<Record<string, Readonly<Record<string, Difference<unknown>>>>>,
  mode: keyof Difference<unknown>,
): object {
  return Object.fromEntries(
    Object.entries(table).map(([group, facts]) => [
      group,
      Object.fromEntries(Object.entries(facts).map(([fact, difference]) => [fact, difference[mode]])),
    ]),
  );
}

export const behaviourOf = (like: Likeness | undefined): Behaviour => ({
  ...valuesFor(differences, like ?? 'usual'),
  like,
  operations: like === 'specification' ? 'documented' : 'all',
  withheld: like === 'kazoo' ? withheldInTheField : [],
});

/** True for an operation that a service offers. */
export const offers = (
  { operations, withheld }: Pick<Behaviour, 'operations' | 'withheld'>,
  { id, source }: Operation,
): boolean => (operations === 'all' || source === 'specification') && !withheld.includes(id);

export const traitsOf = ({ records }: Behaviour, name: ResourceName): RecordTraits =>
  records.traits[name] ?? {};
