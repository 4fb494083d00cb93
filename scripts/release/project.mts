/** What stops a release: it is said in a sentence, and nothing was released. */
export class ReleaseTrouble extends Error {}

/** What package.json says of the project; the formula of Homebrew and the manifest of Scoop derive from it. */
export interface Project {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly homepage: string;
  /** Address of the repository in a browser. */
  readonly repository: string;
}

const isAddress = (text: unknown): text is string =>
  typeof text === 'string' && /^https:\/\/[^/]+\.[^/]+\/.*[^/]$/.test(text);

/**
 * Reads what a release needs of package.json. Throws `ReleaseTrouble` while its places are not filled in: nobody could
 * find what was installed, and npm proves the provenance of a package by its repository.
 */
export function projectOf(content: Readonly<Record<string, unknown>>): Project {
  const { version, description, license, homepage, repository, bugs } = content;
  const url = String(Object(repository).url ?? '').replace(/^git\+(.*)\.git$/, '$1');
  const open = Object.entries({
    'repository.url': isAddress(url),
    homepage: isAddress(String(homepage).replace(/#.*$/, '')),
    'bugs.url': isAddress(Object(bugs).url),
  })
    .filter(([, isFilled]) => !isFilled)
    .map(([name]) => name);
  if (open.length > 0)
    throw new ReleaseTrouble(
      `package.json does not say where the project is. Fill in, with https addresses: ${open.join(', ')}.`,
    );
  return {
    version: String(version),
    description: String(description),
    license: String(license),
    homepage: String(homepage),
    repository: url,
  };
}
