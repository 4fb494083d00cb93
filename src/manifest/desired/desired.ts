import type { JsonObject } from '../../base/json.ts';
import type { Problem } from '../../input/problems.ts';
import type { KindName } from '../kinds.ts';

/**
 * Result of the manifest's files: typed, merged, with variables, environment and files filled in, and every reference
 * to another object checked. Made without the service.
 */
export interface Desired {
  /** One for each account that the manifest names, in the order in which they first stand there. */
  readonly accounts: readonly DesiredAccount[];
  readonly inputs: readonly InputFile[];
  /** Name of the manifest set: what `--prune` takes for its own. */
  readonly set: string;
  /** Files and folders from whose names the set has its own: absolute paths, links followed. */
  readonly source?: readonly string[];
}

/** A file that was read, for saved plans and resumed runs. */
export interface InputFile {
  /** As the user named it, or found it in a named folder. */
  readonly name: string;
  readonly sha256: string;
}

export interface DesiredAccount {
  /**
   * Id, name or realm as the manifest gives it; `undefined`: the account acted on. A reference
   * (`${accounts.branch}`) means a sub-account that an earlier account of the manifest describes.
   */
  readonly account: string | undefined;
  /** In the order of kinds, then of the files. */
  readonly objects: readonly DesiredObject[];
}

/** One object of a manifest. */
export interface DesiredObject {
  readonly kind: KindName;
  /** Local name; the section's own name for what an account has once. */
  readonly name: string;
  /** `users.alice`; `limits` for what an account has once. Unique within an account. */
  readonly key: string;
  /**
   * The fields that the manifest names, by the types of the contract; `null` removes one. Strings and keys may hold
   * references to objects (see `references.ts`), nothing else that is still to be filled in.
   */
  readonly fields: JsonObject;
  /** Dotted paths of fields left out because an optional `${env.NAME?}` is not set. */
  readonly unset: readonly string[];
  /** Dotted paths whose value, or a part of it, came from the environment or a file: never shown in clear. */
  readonly confidential: readonly string[];
  /** Sources of values filled in from outside, by dotted path: `env.NAME`, `file.PATH`, `var.name`. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** Keys of the objects that it refers to. */
  readonly refersTo: readonly string[];
  /** Never deleted by telctl, even when its entry is gone. */
  readonly protect: boolean;
  /** Former local name or natural key. */
  readonly renamedFrom: string | undefined;
  /** `office.yaml:4:1` of a field at a dotted path, or of the object. */
  place(path?: string): string;
  problem(path: string, message: string): Problem;
}
