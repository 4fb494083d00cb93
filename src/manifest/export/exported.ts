import type { JsonObject } from '../../base/json.ts';
import type { Kind } from '../kinds.ts';
import type { KindList } from '../state/read-kind.ts';

/** Account that an export is of. */
export interface ExportAccount {
  readonly id: string;
  readonly name: string;
  /** Its realm; its id where it shows none. */
  readonly realm: string;
  readonly origin: string;
}

/** Objects that an account has, before its records are read. */
export interface Lists {
  readonly account: ExportAccount;
  /** Objects that are exported, in the order of kinds. */
  readonly exported: readonly KindList[];
  /** Objects that are not part of the export, and that its objects may refer to. */
  readonly others: readonly KindList[];
}

/**
 * Result of an export. In fields, references to objects and variables of the environment stand as marked text
 * (`desired/references.ts`); everything else is the service's own text.
 */
export interface Exported {
  readonly account: ExportAccount;
  readonly sections: readonly ExportedSection[];
  /** Everything that was asked for could be read. */
  readonly isWhole: boolean;
  /** Text that replaces a mark: `${users.alice}`, an id. */
  readonly shown: MarkReader;
}

export interface ExportedSection {
  readonly kind: Kind;
  readonly objects: readonly ExportedObject[];
  /** Reason why there may be more than these. */
  readonly missing?: string;
}

/** One object as it is written. */
export interface ExportedObject {
  readonly kind: Kind;
  /** Local name; the section's for what an account has once. */
  readonly name: string;
  /** `users.alice` */
  readonly key: string;
  readonly id: string;
  readonly fields: JsonObject;
  /** The fields with those that have their default value, where they were asked for. */
  readonly whole: JsonObject;
  /** Parts left out with the reason, a line each. */
  readonly left: readonly string[];
  /** The same of what `--all-fields` keeps under `extra`. */
  readonly leftToExtra: readonly string[];
  /** Keys of the objects whose ids stand in it. */
  readonly refersTo: readonly string[];
  /** Marks of the variables of the environment in it. */
  readonly variables: readonly string[];
  /** Ids of other things stand in it. */
  readonly strays: boolean;
}

/** Writes the marked text of an object. */
export interface MarkReader {
  /** The text as it stands in a manifest. */
  text(object: ExportedObject, marked: string): string;
  /** Says what there is to note about ids in a text; `undefined`: nothing. */
  note(object: ExportedObject, marked: string): string | undefined;
}
