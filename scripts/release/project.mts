/** A reason to stop before anything is released. */
export class ReleaseError extends Error {}

/** Facts of package.json for the Homebrew formula and the Scoop manifest. */
export interface Project {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly homepage: string;
  readonly repository: string;
}

const isAddress = (text: unknown): text is string =>
  typeof text === 'string' && /^https:\/\/[^/]+\.[^/]+\/.*[^/]$/.test(text);

/**
 * Reads the project from package.json. Throws `ReleaseError` if its URLs are empty: npm needs the repository to
 * prove provenance.
 */
export function readProject(content: Readonly<Record<string, unknown>>): Project {
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
    throw new ReleaseError(
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
