import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { builtin } from './builtin.ts';

/**
 * The manual pages that telctl ships, by file name: from inside the executable where it is one file, else from beside
 * its program. None in a checkout that was not built.
 */
export function manualPages(): ReadonlyMap<string, string> {
  const sea = builtin('node:sea');
  if (sea.isSea()) return new Map(sea.getAssetKeys().map((name) => [name, sea.getAsset(name, 'utf8')]));
  const folder = join(dirname(fs.realpathSync(process.argv[1] ?? '.')), '..', 'dist', 'man');
  if (!fs.existsSync(folder)) return new Map();
  return new Map(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(join(folder, name), 'utf8')]));
}
