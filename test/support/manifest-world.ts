import {
  type Manifest,
  type ManifestOptions,
  readManifest,
} from '../../src/engine/manifest/read-manifest.ts';
import { seededRandom, turnedClock } from './clock.ts';
import { failureOf } from './failure-of.ts';
import { fakeHost, type TestFolders, writeFiles } from './fake-host.ts';
import { testFolders } from './world.ts';

type Files = Readonly<Record<string, string>>;

/** A folder with manifests. */
export interface ManifestWorld {
  readonly folders: TestFolders;
  /** Writes and reads the files, in order (default: all). */
  read(files: Files, operands?: readonly string[], options?: Partial<ManifestOptions>): Promise<Manifest>;
  /** Returns the lines of all problems. Fails without problems. */
  problems(
    files: Files,
    operands?: readonly string[],
    options?: Partial<ManifestOptions>,
  ): Promise<readonly string[]>;
  /** Returns the message of the failure. */
  failure(files: Files, operands: readonly string[]): Promise<string>;
}

/** Creates a folder for the test. `env` has the variables that manifests see. */
export function manifestWorld(env: Readonly<Record<string, string>> = {}): ManifestWorld {
  const folders = testFolders();

  const read: ManifestWorld['read'] = (files, operands, options) => {
    writeFiles(folders.cwd, files);
    const { host } = fakeHost({ folders, env, clock: turnedClock(), random: seededRandom(3) });
    return readManifest(host, {
      files: operands ?? Object.keys(files).filter((name) => /\.(?:ya?ml|json)$/.test(name)),
      vars: new Map(),
      set: undefined,
      allowUnknownFields: false,
      ...options,
    });
  };

  return {
    folders,
    read,
    async problems(files, operands, options) {
      const { kind, lines, message } = await failureOf(read(files, operands, options));
      if (kind !== 'invalid') throw new Error(message);
      return lines.slice(0, -1);
    },
    failure: async (files, operands) => (await failureOf(read(files, operands))).message,
  };
}
