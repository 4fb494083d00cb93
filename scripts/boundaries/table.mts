/** Permission to import a room or one file of it: for a whole room, or for one file alone. */
export interface Permission {
  /** A room (`contract`), a file of a room (`cli/command.ts`) or a package (`undici`). */
  readonly target: string;
  /** The one file below `src/` that may import it; left out: every file of the room. */
  readonly onlyIn?: string;
}

/** Imports that one room may have, by their kind. */
export interface RoomRules {
  readonly room: string;
  readonly values: readonly Permission[];
  readonly types: readonly Permission[];
  readonly onDemand: readonly Permission[];
  readonly packages: readonly Permission[];
  /** Its folders that others may import from, as they may from its top level. */
  readonly open: readonly string[];
}

const columns = ['Room', 'Imports', 'Types only', 'On demand', 'Packages', 'Open folders'] as const;

/** Reads "`undici` in `api/undici-transport.ts`, `fastify`" as permissions. */
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

/** Reads the import table of `docs/architecture.md`. Throws where the page has no such table. */
export function readImportTable(page: string): ReadonlyMap<string, RoomRules> {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => cells(line).join() === columns.join());
  if (head === -1) throw new Error(`no table with the columns ${columns.join(', ')}`);
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'));
  const rows = lines.slice(head + 2, end === -1 ? undefined : end).map(cells);
  return new Map(
    rows.map(([room = '', values = '', types = '', onDemand = '', packages = '', open = '']) => {
      const name = room.replaceAll('`', '');
      return [
        name,
        {
          room: name,
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
