import type { JsonObject } from '../../base/json.ts';
import { hooks } from '../../contract/hooks.ts';
import { type NumberClass, numberClasses, recordedClasses } from '../../contract/number-classes.ts';

/** The services that a sandbox can be told to answer like. */
export type SandboxMode = 'specification' | 'kazoo';

/** The place where a request may accept charges. */
export type AcceptancePlace = 'data' | 'query' | 'envelope';

/** One fact of behaviour: of the usual sandbox, of services in the field, and of the specification. */
export type Difference<T> = Readonly<Record<SandboxMode | 'usual', T>>;

/** What the usual sandbox does and what services in the field do; the specification says the usual or something else. */
export const byMode = <const T, const F = T, const S = T>(
  usual: T,
  kazoo: F,
  specification?: S,
): Difference<T | F | S> => ({ usual, kazoo, specification: specification ?? usual });

/** The record that the specification shows for the rules, before anything is written. */
const blankRule: JsonObject = {
  name: '',
  resource: '',
  selector: '',
  value: '',
  start_time: 0,
  stop_time: 0,
};

/** Behaviour of single resources. */
export const resourceDifferences = {
  media: {
    /** Texts are spoken, as silence, or there is nothing that speaks. */
    speech: byMode('silent', 'none'),
    /** An upload puts type and size of the file into the record. */
    tellsFile: byMode(true, false),
    /** Lists by language and prompt tell where they begin. */
    tellsStart: byMode(false, true),
  },
  mails: {
    /** The service has templates and sends mails, which the sandbox keeps; or it has no mailer at all. */
    mailer: byMode('kept', 'none'),
    /** Some replies name templates as they are stored: `notification.new_user`. */
    storedNames: byMode(false, true),
  },
  /** Callflows, as they are checked and kept. */
  callflows: {
    /** Treatment of a flow whose step has data that its module does not take (Conventions, Callflow modules). */
    wrongModuleData: byMode('refused', 'refused', 'stored'),
    /** Treatment of a callflow with a pattern that is not a regular expression. */
    brokenPatterns: byMode('refused', 'stored'),
    /** Callflows keep numbers in E.164, or so only plain digits, and others as typed, which no call matches. */
    numbers: byMode('normalised', 'as-typed'),
    /** Shape of the contact list: an object by the ids of the callflows, as the specification shows it, or an array. */
    contacts: byMode('by-id', 'listed'),
  },
  live: {
    /** Reply about live things, and about settings that were never made, where there are none: in words, or bare. */
    nothing: byMode('told', 'bare'),
    /** Who answers calls of users: registered devices, else the user; registered devices alone; or the user. */
    phones: byMode('registered-or-user', 'registered', 'unknown'),
    /** Status of a quickcall that reaches no phone: a conflict with the state of the phone, or a fault. */
    failedQuickcall: byMode<number>(409, 500),
    /** Code of the refusal of a quickcall of a user who has no phone. */
    phonelessQuickcall: byMode('quickcall initiation failed', 'unspecified_fault'),
  },
  selectors: {
    /** An account without selectors is told of none, or there is no store for them: 404 for rules, 503 for the list. */
    none: byMode('empty', 'refused'),
    /** Treatment of rules with an unknown step. */
    unknownSteps: byMode('refused', 'stored'),
    /** Fields that rules always have, whatever of them was written. */
    rules: byMode<JsonObject>({ ...blankRule, rules: [] }, {}, blankRule),
  },
  phoneNumbers: {
    /** Refusals say what is the matter, or are faults of the service (500); a number that is not there is 404. */
    refusals: byMode('coded', 'faults'),
    /** The carrier of numbers that are made, `local` letting go of them for good; none has a word for them. */
    carrier: byMode(undefined, 'local'),
    /** Features that a number can be given. */
    features: byMode<readonly string[]>(
      ['cnam', 'e911', 'failover', 'force_outbound', 'prepend', 'ringback'],
      ['force_outbound', 'prepend', 'ringback'],
    ),
    /** Numbers that can be made. */
    makeable: byMode(/./, /^\+1\d{10}$/),
    /** State of numbers that the super administrator makes and gives none for. */
    madeBySuper: byMode('reserved', 'in_service'),
    /** Loose: a move to the same state, a port by anybody and a delete for good by the account are done. */
    moves: byMode('checked', 'loose'),
    /** Classification of a number, beside the fields of its record or alone. */
    classification: byMode('beside-record', 'alone'),
    /** Classes of numbers: those of the contract, or as recorded, which know neither 112 nor 000. */
    classes: byMode<readonly NumberClass[]>(numberClasses, recordedClasses),
    /** Numbers that can be bought: of the sandbox's own carrier, beside those that nobody has, or none but these. */
    stock: byMode('sandbox', 'none'),
    /** Callflows of other accounts may have the number. */
    foreignInCallflows: byMode('stored', 'refused'),
  },
  ports: {
    /** Author and time of comments: set by the service, or sent with them, which is then needed. */
    comments: byMode('signed', 'as-sent'),
    /** A move that only the port authority makes: forbidden (403), or no move at all (400). */
    othersMoves: byMode('forbidden', 'invalid'),
    /** Rule for scheduling: any, or a date is needed; the local time that was sent is kept where it is. */
    schedule: byMode('any', 'with-date'),
    /** States from which a request is scheduled: `pending`, by the port authority, or every open one, since no documented call leads there. */
    scheduled: byMode('from-pending', 'from-pending', 'from-open'),
    /** History of a request: in its record and oldest first, or a list by itself and newest first. */
    timeline: byMode('in-record', 'list'),
    /** Numbers of a completed request: they stay in it, or are told of as ported. */
    ported: byMode('kept', 'moved'),
    /** The groups of requests are a list as others are, or only what they are; each request tells its account. */
    groups: byMode('listed', 'plain'),
    /** Answer to a list of unknown states: an empty list, or a fault (500). */
    unknownTypes: byMode('none', 'fault'),
  },
  participants: {
    /** An action is answered with the conference, or with a word. */
    acted: byMode('conference', 'word'),
    /** Answer about an unknown participant. */
    unknown: byMode('refused', 'empty'),
    /** The list is one of its own, or what there is of the conference, with its revision. */
    listed: byMode('alone', 'of-conference'),
  },
  messages: {
    /** Facts about a message that a caller makes: what was sent, or also who is taken to have called, and whom. */
    made: byMode('as-sent', 'as-left'),
    /** Treatment of an unknown folder: refused, or the message stays where it is. */
    unknownFolder: byMode('refused', 'unmoved'),
    /** Outcomes for several: two lists, or those that exist; also decides if ids are needed. */
    outcomes: byMode('lists', 'sparse'),
    /** Lists are of a range of time. */
    ranged: byMode(false, true),
    /** In which form voicemail boxes keep their number: as sent, or digits as a number, so that `0300` is `300`. */
    mailboxes: byMode('as-sent', 'counted'),
  },
  faxes: {
    /** A new fax is answered as the job that it is, or as the stored document, private fields and all, with `_id`. */
    created: byMode('job', 'document'),
  },
  vcards: {
    /** A card is its text, or nothing at all, and never JSON. */
    text: byMode('card', 'nothing'),
  },
  webhooks: {
    hooks: byMode<readonly string[]>(
      [...hooks.map(({ id }) => id), 'all'],
      [...hooks.map(({ id }) => id).filter((id) => id !== 'fax'), 'mms', 'parking', 'all'],
    ),
    /** Treatment of an unknown hook: refused, or a fault of the store (503). */
    unknownHook: byMode('refused', 'fault'),
    /** Addresses of the service's own machine. */
    loopback: byMode('taken', 'refused'),
    customData: byMode('any', 'texts'),
    /** Choice of the events of a hook in `custom_data`: all of them if it is left out, or it is needed. */
    modifiers: byMode('optional', 'needed'),
    /** A webhook of an account out of reach, by its id; attempts of an unknown one are none. */
    foreign: byMode('unknown', 'readable'),
  },
  rates: {
    /** Status of the question about a number without a rate. */
    none: byMode<number>(404, 500),
  },
  limits: {
    /** The fields with the id, or the stored document: when it is read, with what the account cannot set. */
    shape: byMode('fields', 'document'),
    setBy: byMode('resellers', 'anyone'),
  },
  services: {
    /** The record is read and writes answer nothing, or both answer the plans (or the overrides) themselves. */
    shape: byMode('record', 'plans'),
    /** In the field an account's own administrator is forbidden (403) to write plans and overrides: as recorded. */
    setBy: byMode('resellers', 'those-above'),
  },
  charges: {
    /** Shape of a 402: items by category (Errors, rule 1), or invoices (Conventions, Limits and 402). */
    shape: byMode('items', 'invoices'),
    /** Places where acceptance is looked for. */
    acceptedIn: byMode<readonly AcceptancePlace[]>(['data'], ['data', 'query', 'envelope']),
    /** The text `"true"` in a body accepts as the boolean does: as recorded. */
    acceptsText: byMode(false, true),
    /** Acceptance inside `data` is stored with the record, and accepts again when the record is sent back. */
    keepsAcceptance: byMode(false, true),
  },
};
