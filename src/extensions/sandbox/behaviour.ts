import type { Operation, ResourceName } from '../../contract/types.ts';
import type { ServiceRules } from '../../contract/validate.ts';
import { byMode, type Difference, resourceDifferences, type SandboxMode } from './differences.ts';
import { fieldTraits, type RecordTraits } from './record-traits.ts';

const serviceDifferences = {
  identity: {
    /** How a sign-in identifies the account: by exactly one identifier, or by the first valid one. */
    identifiers: byMode('one', 'first-found'),
    /** Content of sign-ins and token information: as documented, or with additions of services in the field. */
    information: byMode('documented', 'field'),
    /** True if a token stays valid when its account, user or API key is disabled or changed. */
    tokensSurvive: byMode(false, true),
    /** Operations that every role in the account's tree can call. */
    openToTree: byMode<readonly string[]>(
      [],
      ['accounts.api-key', 'accounts.put-api-key', 'tokens.reset-account-secret', 'tokens.reset-user-secret'],
    ),
    /** A password without a username: refused, or a username is generated. */
    usernames: byMode('needed', 'made'),
    /** Who can rotate an account's API key: every administrator and the key itself, or only users. */
    keysRotatedBy: byMode('account', 'administrators'),
    /** True if the envelope of a refused sign-in has the number of matching users. */
    countsUsers: byMode(false, true),
    /** Additional fields at sign-in by API key. */
    extraKeyFields: byMode('ignored', 'refused'),
    /** Sign-ins that the provider rejects: refused (401), or a server error (500). */
    providerRefusals: byMode('coded', 'faults'),
    /** Response to a change of an SSO application that does not exist. */
    unknownApps: byMode('unknown', 'forbidden'),
    /** An unknown `action`: invalid like any other field, or not allowed (a failure within an account). */
    unknownActions: byMode('invalid', 'refused'),
    /** True if plain users can change administrators and read other users' secrets. */
    plainUsers: byMode('held', 'trusted'),
    /** True if the rate limit only counts requests without a valid token (as recorded). */
    limitsUnauthenticated: byMode(false, true),
    /** Operations that need no token, in addition to those of the contract. */
    publicOperations: byMode<readonly string[]>(
      [],
      ['webhooks.hooks', 'webhooks.samples', 'webhooks.sample', 'tokens.info', 'tokens.info-by-query'],
    ),
    /** Response about a signing key: with its id, or without. */
    signingKeys: byMode('with-id', 'alone'),
  },
  requests: {
    /**
     * True if the token can also be in the query or the body. `X-Auth-Account-ID` must then be the caller's account.
     */
    tokensAnywhere: byMode(false, true),
    /** True if the body is read before the token. The body must then have `data`, and keys are case-insensitive. */
    bodyFirst: byMode(false, true),
    /** A body that is not JSON: refused or ignored. */
    otherBodies: byMode('refused', 'ignored'),
    /** Maximum size of a body, in bytes (Conventions, Sizes and times). */
    bodyLimit: byMode<number>(8_000_000, 64_000_000),
    /** True if versions above 2 are treated as 2, version 1 is gone, and requests without a version get a text page. */
    lenientVersions: byMode(false, true),
    /**
     * Security holes of services in the field. A verb in the query or body replaces the method, and the carriers of
     * any account can be read. They only apply to requests from this machine.
     */
    holes: byMode('closed', 'followed'),
  },
  replies: {
    /** Format of errors of reference operations: three keys, the keys with the envelope, or only the envelope. */
    referenceErrors: byMode('beside-envelope', 'envelope', 'alone'),
    contentType: byMode<string>('application/json; charset=utf-8', 'application/json'),
    /** True if errors before the resource is reached have no content type (as recorded). */
    earlyErrorsUntyped: byMode(false, true),
    /** True if the envelope shows the remaining rate limit of the caller. */
    showsRateLimit: byMode(false, true),
    /** True if the envelope repeats the sent token, valid or not. */
    echoesAnyToken: byMode(false, true),
    /** Requests of services in the field that do not exist here and are reserved for super administrators (403). */
    superOnly: byMode<readonly string[]>(
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
    /** True if responses have revisions and ETags, and `If-Match` and `If-None-Match` are supported. */
    revisions: byMode(false, true),
    /** True if refused OPTIONS requests have CORS headers. */
    answersPreflights: byMode(false, true),
    /** True if lists are available as CSV, and formats other than JSON are refused (406). */
    negotiates: byMode(false, true),
    /** True if unpaged lists have a count. */
    countsWholeLists: byMode(true, false),
    /** True if sums are in the envelope of a list with one item. */
    sumsAsLists: byMode(false, true),
    /** True if responses to resets of secrets have no `data` key. */
    resetsWithoutData: byMode(false, true),
    locations: byMode(false, true),
    /** Who receives the release version: every caller (Versioning, 1), or callers with a token. */
    versionFor: byMode('everybody', 'token-holders'),
    /** True if lists of providers have an array as `start_key` (Conventions, Success response envelope). */
    providersStartKey: byMode(true, false),
    /**
     * Error for a name that is not an id, such as an API key or a sample: as for an unknown id, or a separate error.
     */
    unknownNames: byMode('ids', 'names'),
    /** True if operations with an empty body in the specification respond without one (Endpoints). */
    emptyBodies: byMode(true, false),
  },
  writes: {
    /** Simultaneous writes of a record: executed one after the other, or refused (409). */
    simultaneous: byMode('repeated', 'refused'),
    /** An id that a caller sends with a new record: ignored, or used. */
    sentIds: byMode('dropped', 'taken'),
    /** An empty object in a patch: ignored, or replaces the existing object. */
    emptyObjects: byMode('merged', 'replacing'),
  },
  lists: {
    /** True if a request can set the end of a list. */
    endKey: byMode(false, true),
    /** Texts that mean a record has no value. */
    valueMissing: byMode<readonly string[]>(['value_missing', 'missing_value'], ['value_missing']),
    /** When a full page links to the next page: if that has a matching record, or any record. */
    next: byMode('wanted', 'any'),
    /** True if lists with a separate view (rosters, port submissions, webhook attempts) have a `start_key`. */
    viewsHaveStartKey: byMode(false, true),
    /** Malformed times of a range: refused or ignored. */
    malformedTimes: byMode('refused', 'ignored'),
    /**
     * Format of list entries: records, or the fields under `value`. With `value`, unknown lists are allowed, and each
     * update identifies its list.
     */
    entries: byMode('records', 'found'),
  },
  records: {
    rules: byMode<ServiceRules>('documented-types', 'conventions', 'specification'),
    /** Content of a validation error: the rule, or also the value and the details of services in the field. */
    problems: byMode('brief', 'detailed'),
    /** A fraction in an integer field: refused or rounded. */
    fractions: byMode('refused', 'rounded'),
    traits: byMode<Readonly<Partial<Record<ResourceName, RecordTraits>>>>(
      {
        conferences: {
          derived: 'never',
          // As in the specification (Resources and their fields, Conference).
          extraDefaults: { play_entry_tone: true, play_exit_tone: true, play_welcome: true },
        },
        directories: { derived: 'never' },
      },
      fieldTraits,
    ),
    /** Format of stored realms: in lower case, or as sent without spaces (as recorded). */
    realms: byMode('lower-case', 'unspaced'),
  },
};

const differences = { ...serviceDifferences, ...resourceDifferences };

/** Operations of the contract that services in the field do not offer. */
const unsupportedInTheField: readonly string[] = [
  'accounts.rotate-api-key',
  'apps.create',
  // The module of these operations is not loaded.
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

/** Behavior that differs between services. Other code reads these values and never checks the mode. */
export interface Behaviour extends Values<typeof differences> {
  /** The mode for messages. `undefined` is the default mode, with documented and conventional operations. */
  readonly like: SandboxMode | undefined;
  readonly operations: 'documented' | 'all';
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

export const behaviourOf = (like: SandboxMode | undefined): Behaviour => ({
  ...valuesFor(differences, like ?? 'usual'),
  like,
  operations: like === 'specification' ? 'documented' : 'all',
  withheld: like === 'kazoo' ? unsupportedInTheField : [],
});

export const offersOperation = (
  { operations, withheld }: Pick<Behaviour, 'operations' | 'withheld'>,
  { id, source }: Operation,
): boolean => (operations === 'all' || source === 'specification') && !withheld.includes(id);

export const traitsOf = ({ records }: Behaviour, name: ResourceName): RecordTraits =>
  records.traits[name] ?? {};
