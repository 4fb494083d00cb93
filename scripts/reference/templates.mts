import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const folder = 'examples';

/**
 * Returns the module with the templates of `telctl init`: example manifests by name and path. They are bundled, so
 * they are also in the executable.
 */
export function templatesModule(root: string): string {
  const found = globSync(`${folder}/{small-office,reseller,call-centre/**/*}.{yaml,txt}`, { cwd: root });
  const templates: Record<string, Record<string, string>> = {};
  for (const path of found.map((each) => each.replaceAll('\\', '/')).sort()) {
    const [name = '', ...below] = posix.relative(folder, path).split('/');
    const template = name.replace(/\.yaml$/, '');
    templates[template] = {
      ...templates[template],
      [below.join('/')]: readFileSync(posix.join(root, path), 'utf8'),
    };
  }
  const text = JSON.stringify(templates, null, 2);
  return `/** Manifests of the folder examples, by the name of the template and the path below it. Written by npm run generate. */
export const templates: Readonly<Record<string, Readonly<Record<string, string>>>> = ${text};
`;
}
