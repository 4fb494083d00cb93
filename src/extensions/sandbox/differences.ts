import type { JsonObject } from '../../base/json.ts';
import { hooks } from '../../contract/hooks.ts';
import { type NumberClass, numberClasses, recordedClasses } from '../../contract/number-classes.ts';

export type SandboxMode = 'specification' | 'kazoo';

export type AcceptancePlace = 'data' | 'query' | 'envelope';

/** A value for each mode. `usual` is the default mode. */
export type Difference<T> = Readonly<Record<SandboxMode | 'usual', T>>;

/** Returns the values of a difference. By default, the specification has the usual value. */
export const byMode = <const T, const F = T, const S = T>(
  usual: T,
  kazoo: F,
  specification?: S,
): Difference<T | F | S> => ({ usual, kazoo, specification: specification ?? usual });

/** Selector rules of an account without rules, as in the specification. */
const blankRule: JsonObject = {
  name: '',
  resource: '',
  selector: '',
  value: '',
  start_time: 0,
  stop_time: 0,
};

export const resourceDifferences = {
  media: {
    /** Text to speech: as silence, or not available. */
    speech: byMode('silent', 'none'),
    /** True if an upload writes the type and size of the file into the record. */
    storesFileFacts: byMode(true, false),
    /** True if lists by language and prompt have a `start_key`. */
    hasStartKey: byMode(false, true),
  },
  mails: {
    /** Mailer of the service: stores templates and sent mails, or does not exist. */
    mailer: byMode('kept', 'none'),
    /** True if some responses use stored template names, such as `notification.new_user`. */
    storedNames: byMode(false, true),
  },
  callflows: {
    /** A flow with invalid module data: refused or stored (Conventions, Callflow modules). */
    wrongModuleData: byMode('refused', 'refused', 'stored'),
    /** A pattern that is not a regular expression: refused or stored. */
    brokenPatterns: byMode('refused', 'stored'),
    /** Stored callflow numbers: converted to E.164, or as sent. As sent, only plain digits match calls. */
    numbers: byMode('normalised', 'as-typed'),
    /** Format of the contact list: an object by callflow ids, as in the specification, or an array. */
    contacts: byMode('by-id', 'listed'),
  },
  live: {
    /** Response without live objects or settings: a text, or an empty value. */
    emptyResponse: byMode('text', 'bare'),
    /** Who answers calls to users: registered devices or else the user, only registered devices, or the user. */
    phones: byMode('registered-or-user', 'registered', 'unknown'),
    /** Status of a quickcall that reaches no phone: a conflict, or a server error. */
    failedQuickcall: byMode<number>(409, 500),
    /** Error code of a quickcall by a user without phones. */
    phonelessQuickcall: byMode('quickcall initiation failed', 'unspecified_fault'),
  },
  selectors: {
    /** Response of an account without selectors: an empty list, or errors (404 for rules, 503 for the list). */
    none: byMode('empty', 'refused'),
    /** Rules with an unknown step: refused or stored. */
    unknownSteps: byMode('refused', 'stored'),
    rules: byMode<JsonObject>({ ...blankRule, rules: [] }, {}, blankRule),
  },
  phoneNumbers: {
    /** Errors of numbers: specific codes, or server errors (500, and 404 for reads). */
    refusals: byMode('coded', 'faults'),
    /** Carrier of created numbers. `local` numbers are deleted when they are released. */
    carrier: byMode(undefined, 'local'),
    features: byMode<readonly string[]>(
      ['cnam', 'e911', 'failover', 'force_outbound', 'prepend', 'ringback'],
      ['force_outbound', 'prepend', 'ringback'],
    ),
    makeable: byMode(/./, /^\+1\d{10}$/),
    /** Default state of numbers that the super administrator creates. */
    madeBySuper: byMode('reserved', 'in_service'),
    /**
     * Moves between states: checked, or all allowed. The latter includes moves to the same state, ports by every
     * account and permanent deletion.
     */
    moves: byMode('checked', 'loose'),
    /** Format of a classification: with the fields of the number's record, or only the classification. */
    classification: byMode('beside-record', 'alone'),
    /** Classes of numbers: those of the contract, or as recorded (without 112 and 000). */
    classes: byMode<readonly NumberClass[]>(numberClasses, recordedClasses),
    /** Numbers for sale: available numbers of the sandbox's own carrier, or only existing available numbers. */
    stock: byMode('sandbox', 'none'),
    /** Callflows with a number of another account: stored or refused. */
    foreignInCallflows: byMode('stored', 'refused'),
  },
  ports: {
    /** Author and time of comments: set by the service, or required in the request. */
    comments: byMode('signed', 'as-sent'),
    /** Status for a move that only the port authority can make: 403 or 400. */
    othersMoves: byMode('forbidden', 'invalid'),
    /** Fields for scheduling: none required, or a date. With a date, the sent local time is also stored. */
    schedule: byMode('any', 'with-date'),
    /**
     * States from which a port can be scheduled: `pending`, by the port authority, or every open state, because no
     * documented call leads to `pending`.
     */
    scheduled: byMode('from-pending', 'from-pending', 'from-open'),
    /** Format of the timeline: in the record with the oldest entry first, or a list with the newest first. */
    timeline: byMode('in-record', 'list'),
    /** Numbers of a completed port: stay in `numbers`, or move to `ported_numbers`. */
    ported: byMode('kept', 'moved'),
    /** Format of grouped ports: a paged list, or only the groups. In groups, each port has its account id. */
    groups: byMode('listed', 'plain'),
    /** Response to unknown states in a filter: an empty list, or 500. */
    unknownTypes: byMode('none', 'fault'),
  },
  participants: {
    /** Response to an action: the conference, or a text. */
    acted: byMode('conference', 'word'),
    /** Response about an unknown participant: refused, or empty. */
    unknown: byMode('refused', 'empty'),
    /** Envelope of the participant list: a separate envelope, or the conference's with its revision. */
    listed: byMode('alone', 'of-conference'),
  },
  messages: {
    /** Content of a message that an API caller creates: the sent fields, or also the assumed sender and recipient. */
    made: byMode('as-sent', 'as-left'),
    /** An unknown folder: refused, or the message is not moved. */
    unknownFolder: byMode('refused', 'unmoved'),
    /**
     * Response to changes of several messages: both lists, or only non-empty lists. Also decides whether ids are
     * required.
     */
    outcomes: byMode('lists', 'sparse'),
    /** True if lists are limited to a time range. */
    ranged: byMode(false, true),
    /** Stored mailbox numbers: as sent, or as a number, so that `0300` becomes `300`. */
    mailboxes: byMode('as-sent', 'counted'),
  },
  faxes: {
    /** Response to a new fax: the job, or the stored document with private fields and `_id`. */
    created: byMode('job', 'document'),
  },
  vcards: {
    /** Response to a vCard request: the card, or an empty response. JSON is refused. */
    text: byMode('card', 'nothing'),
  },
  webhooks: {
    hooks: byMode<readonly string[]>(
      [...hooks.map(({ id }) => id), 'all'],
      [...hooks.map(({ id }) => id).filter((id) => id !== 'fax'), 'mms', 'parking', 'all'],
    ),
    /** An unknown hook: refused, or a server error (503). */
    unknownHook: byMode('refused', 'fault'),
    /** Webhook targets on the service's own machine: accepted or refused. */
    loopback: byMode('taken', 'refused'),
    customData: byMode('any', 'texts'),
    /** Modifiers of a hook in `custom_data`: optional (all events), or required. */
    modifiers: byMode('optional', 'needed'),
    /** Webhooks of other accounts, read by id: not found, or readable. Unknown ids then have no attempts. */
    foreign: byMode('unknown', 'readable'),
  },
  rates: {
    /** Status for a number without a rate. */
    none: byMode<number>(404, 500),
  },
  limits: {
    /** Format of limits: the fields with the id, or the stored document. The document also has read-only fields. */
    shape: byMode('fields', 'document'),
    setBy: byMode('resellers', 'anyone'),
  },
  services: {
    /** Format of services: the record, with empty responses to writes, or the plans or overrides in both. */
    shape: byMode('record', 'plans'),
    /**
     * Who can write plans and overrides. In the field, administrators of the account itself cannot (403, as
     * recorded).
     */
    setBy: byMode('resellers', 'those-above'),
  },
  charges: {
    /** Format of a 402: items by category (Errors, rule 1), or invoices (Conventions, Limits and 402). */
    shape: byMode('items', 'invoices'),
    /** Parts of the request in which charges can be accepted. */
    acceptedIn: byMode<readonly AcceptancePlace[]>(['data'], ['data', 'query', 'envelope']),
    /** True if the text `"true"` in a body also accepts charges (as recorded). */
    acceptsText: byMode(false, true),
    /** True if `accept_charges` in `data` is stored. It accepts charges again when the record is sent back. */
    keepsAcceptance: byMode(false, true),
  },
};
