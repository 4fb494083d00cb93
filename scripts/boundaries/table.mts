/** Permission to import a module, one of its files, or a package. */
export interface Permission {
  /** A module (`contract`), a file of a module (`cli/command.ts`) or a package (`undici`). */
  readonly target: string;
  /** The only file below `src/` with this permission (default: all files of the module). */
  readonly onlyIn?: string;
}

/** The imports that a module may have, by kind. */
export interface ModuleRules {
  readonly module: string;
  readonly values: readonly Permission[];
  readonly types: readonly Permission[];
  readonly onDemand: readonly Permission[];
  readonly packages: readonly Permission[];
  /** Folders that other modules may import, in addition to the top level. */
  readonly open: readonly string[];
}

const columns = ['Module', 'Imports', 'Types only', 'On demand', 'Packages', 'Open folders'] as const;

/** Parses "`undici` in `api/undici-transport.ts`, `fastify`". */
function permissions(cell: string): readonly Permission[] {
  return [...cell.matchAll(/`([^`]+)`(?: in `([^`]+)`)?/g)].map(([, target = '', onlyIn]) =>
    onlyIn === undefined ? { target } : { target, onlyIn },
  );
}

function cells(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Reads the import table of `docs/architecture.md`. Throws if the page has no table. */
export function readImportTable(page: string): ReadonlyMap<string, ModuleRules> {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => cells(line).join() === columns.join());
  if (head === -1) throw new Error(`no table with the columns ${columns.join(', ')}`);
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'));
  const rows = lines.slice(head + 2, end === -1 ? undefined : end).map(cells);
  return new Map(
    rows.map(([module = '', values = '', types = '', onDemand = '', packages = '', open = '']) => {
      const name = module.replaceAll('`', '');
      return [
        name,
        {
          module: name,
          values: permissions(values),
          types: permissions(types),
          onDemand: permissions(onDemand),
          packages: permissions(packages),
          open: permissions(open).map(({ target }) => target),
        },
      ];
    }),
  );
}
