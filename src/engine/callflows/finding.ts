import { branchKeys, type Callflow, fieldPath, flowPath, type StepAt } from './flow-set.ts';

export const lintRules = {
  'unknown-module': { level: 'error', doc: 'a step names a module that does not exist, or none' },
  'no-such-branch': { level: 'error', doc: 'a branch that the module never takes' },
  'missing-data': { level: 'error', doc: 'a step lacks data that its module needs' },
  'bad-value': { level: 'error', doc: 'data holds a word that is not among the allowed ones' },
  'missing-object': {
    level: 'error',
    doc: 'a reference to something that does not exist, or of another kind',
  },
  'emergency-shadowed': {
    level: 'error',
    doc: 'a number, pattern or dial plan that takes emergency calls, and leads them to no carrier',
  },
  'emergency-barred': { level: 'error', doc: 'a restriction that bars emergency calls' },
  'number-twice': { level: 'error', doc: 'two callflows have one number or pattern' },
  'dead-number': {
    level: 'error',
    doc: 'a number that cannot be dialed or that no call matches: with blanks, marks, letters or without its plus sign',
  },
  'dead-entry': { level: 'error', doc: 'an entry of a blacklist that matches no caller' },
  'unused-list': {
    level: 'warning',
    doc: 'a blacklist that the account does not name, so that it has no effect',
  },
  'bad-pattern': { level: 'error', doc: 'a pattern that is not a regular expression' },
  'slow-pattern': {
    level: 'warning',
    doc: 'a pattern that takes very long on an engine that backtracks, as services have',
  },
  'untried-pattern': { level: 'warning', doc: 'a pattern that telctl cannot try; traces skip it' },
  loop: { level: 'error', doc: 'callflows that loop without waiting for a caller' },
  'empty-flow': { level: 'error', doc: 'a callflow without a step' },
  'dead-end': { level: 'warning', doc: 'a caller comes to an end without an answer' },
  'way-round': { level: 'warning', doc: 'callflows that loop while callers choose or wait' },
  'no-number': { level: 'warning', doc: 'neither a number nor a pattern nor another callflow leads here' },
  'shadowed-pattern': {
    level: 'warning',
    doc: 'a pattern for one number, which another callflow has itself',
  },
  'never-taken': { level: 'warning', doc: 'a branch that no call takes, though the module knows its key' },
  'not-reached': { level: 'warning', doc: 'somebody is rung who has no phone, or is disabled' },
  'open-pattern': { level: 'warning', doc: 'a pattern that fits every number which holds it' },
  'odd-time': { level: 'warning', doc: 'a time of 0, which the service replaces with its default' },
  'never-rings': { level: 'warning', doc: 'a phone or member whose turn comes after the ringing is over' },
  'endpoint-twice': { level: 'warning', doc: 'a group that rings one member twice' },
  'bad-rule': {
    level: 'warning',
    doc: 'a temporal rule that never or always matches, or means something other than it says',
  },
  'forward-ring': {
    level: 'error',
    doc: 'calls of a user or a device are forwarded to themselves, or in a ring',
  },
  'message-lost': {
    level: 'error',
    doc: 'a mailbox deletes messages after a notification that does not carry them',
  },
  'no-calls': { level: 'error', doc: 'limits that refuse every call except emergency calls' },
  'lost-code': {
    level: 'warning',
    doc: 'a feature code or parking slot that loses numbers to another callflow',
  },
  'foreign-caller-id': {
    level: 'warning',
    doc: 'an external or emergency caller id that is not a number of the account',
  },
  'same-pin': { level: 'warning', doc: 'a conference whose members and moderators have the same PIN' },
  'unknown-data': { level: 'warning', doc: 'a key of the data of a module that services do not know' },
} as const satisfies Readonly<Record<string, { readonly level: 'error' | 'warning'; readonly doc: string }>>;

/** The name that turns a rule off: `--disable dead-end`. */
export type LintRule = keyof typeof lintRules;

export interface Finding {
  readonly rule: LintRule;
  readonly level: 'error' | 'warning';
  readonly callflow: Callflow;
  /** For people: `flow/2/_`, `numbers`. */
  readonly path: string;
  /** Dotted path of the record, for files. */
  readonly field: string;
  readonly message: string;
}

/** `below` is a dotted path below the place. */
export type MakeFinding = (rule: LintRule, message: string, below?: string) => Finding;

export const createFieldFinding =
  (callflow: Callflow, path: string, field = path): MakeFinding =>
  (rule, message, below) => ({
    rule,
    level: lintRules[rule].level,
    callflow,
    path,
    field: below === undefined ? field : `${field}.${below}`,
    message,
  });

export function createStepFinding(callflow: Callflow, at: StepAt, root = 'flow'): MakeFinding {
  return (rule, message, below) => {
    const keys = branchKeys(at);
    const path = root === 'flow' ? flowPath(keys) : [...root.split('.'), ...keys].join('/');
    return createFieldFinding(callflow, path, fieldPath(root, keys))(rule, message, below);
  };
}
