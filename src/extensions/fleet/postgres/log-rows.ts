import { listsOthers, parseLogLine } from '../../../engine/state/files/log-files.ts';
import {
  type Account,
  alreadyExistsFailure,
  type Log,
  type LogFilter,
  type StoredRun,
} from '../../../engine/state/state.ts';
import { asOwner, type Database } from './database.ts';
import { addLines, type LogTables, lineWriter, searchText, writerOf } from './log-lines.ts';

interface RunRow {
  readonly id: string;
  readonly alive: boolean;
  /** `null` for a run that was copied from another state. */
  readonly writer: string | null;
  readonly ms: number;
  readonly lines: readonly string[];
}

const pageSize = 10;

/** Number of runs of an account that are searched at a time. */
const searchedAtOnce = 200;

const columns = `id, NOT closed AND alive > clock_timestamp() AS alive,
  CASE WHEN imported THEN NULL ELSE writer END AS writer, floor(extract(epoch FROM begun) * 1000)::float8 AS ms,
  ARRAY(SELECT line FROM telctl.lines WHERE run = id ORDER BY number) AS lines`;

/** Stores the log in rows: one for each run, and one for each line. Rows do not change, except for the end of a run. */
export function logRows(parts: LogTables): Log {
  const { database, keepMs } = parts;
  const add = lineWriter(parts);
  let begun = 0;
  return {
    ids: (after = '0') => readIds(database, 'SELECT id FROM telctl.runs WHERE id > $1 ORDER BY id', [after]),
    last: async () =>
      (await readIds(database, 'SELECT coalesce(max(id), 0) AS id FROM telctl.runs'))[0] ?? '0',
    open: () =>
      readIds(
        database,
        `SELECT id FROM telctl.runs WHERE NOT closed AND alive < clock_timestamp()
         AND NOT EXISTS (SELECT FROM telctl.settled WHERE run = id) ORDER BY id`,
      ),
    async settle(id) {
      await database.query('SELECT telctl.settle_run($1)', [id]);
    },
    async begin() {
      const [id = ''] = await readIds(database, 'SELECT telctl.begin_run($1) AS id', [parts.livesMs]);
      begun += 1;
      if (listsOthers(begun)) await deleteOldRuns(database, keepMs);
      return writerOf(parts, add, id);
    },
    take: ({ id, lines }) =>
      database.transaction(async (query) => {
        const [start] = lines.filter((line) => line.line === 'start');
        const taken = await query(
          `INSERT INTO telctl.runs (id, begun, alive, imported) VALUES ($1, to_timestamp($2), now(), true)
           ON CONFLICT DO NOTHING RETURNING id`,
          [id, (start?.atMs ?? 0) / 1000],
        );
        if (taken.length === 0) throw alreadyExistsFailure(`a run ${id} in ${database.shown}`);
        const numbered = lines.map((line, index) => ({ run: id, number: index + 1, line }));
        await addLines(query, numbered, []);
        await query('UPDATE telctl.runs SET closed = true WHERE id = $1', [id]);
        await query(
          "SELECT setval('telctl.runs_id_seq', greatest($1, (SELECT last_value FROM telctl.runs_id_seq)))",
          [id],
        );
      }),
    async read(id) {
      if (!/^\d{1,18}$/.test(id)) return undefined;
      const [row] = await database.query<RunRow>(`SELECT ${columns} FROM telctl.runs WHERE id = $1`, [id]);
      return row && storedRun(row);
    },
    newest: (filter = {}) => newestRuns(database, filter),
  };
}

const readIds = async (
  database: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly string[]> =>
  (await database.query<{ readonly id: string }>(text, values)).map(({ id }) => id);

async function* newestRuns(database: Database, filter: LogFilter): AsyncGenerator<StoredRun> {
  for (let before = maxId; ; ) {
    const searched =
      filter.account && (await readIds(database, runsOfAccount, accountValues(filter.account, before)));
    const { text, values } = runsPage(filter, searched ?? before);
    const rows = searched?.length === 0 ? [] : await database.query<RunRow>(text, values);
    for (const row of rows) yield storedRun(row);
    const last = searched === undefined ? rows.at(-1)?.id : searched.at(-1);
    const isLast = searched === undefined ? rows.length < pageSize : searched.length < searchedAtOnce;
    if (last === undefined || isLast) return;
    before = last;
  }
}

/** The largest `bigint`. */
const maxId = '9223372036854775807';

/**
 * Ids of runs that started with an account or changed it, newest first. Includes runs without an account, so that a
 * run with an unreadable start is not hidden. Each part uses an index.
 */
const runsOfAccount = `SELECT DISTINCT id FROM (
  (SELECT run AS id FROM telctl.lines WHERE origin = $1 AND account = $2 AND run < $3 GROUP BY run ORDER BY run DESC LIMIT $4)
  UNION ALL
  (SELECT run AS id FROM telctl.lines WHERE origin = $1 AND owner = $2 AND run < $3 GROUP BY run ORDER BY run DESC LIMIT $4)
  UNION ALL
  (SELECT id FROM telctl.runs WHERE NOT named AND id < $3 ORDER BY id DESC LIMIT $4)) AS found
  ORDER BY id DESC LIMIT $4`;

const accountValues = ({ origin, accountId }: Account, before: string): readonly unknown[] => [
  origin,
  accountId,
  before,
  searchedAtOnce,
];

/** Builds the statement for a page of filtered runs: those before an id, or those of a list of ids. */
function runsPage(
  { by, words = [], sinceMs, untilMs }: LogFilter,
  where: string | readonly string[],
): { readonly text: string; readonly values: readonly unknown[] } {
  const isPage = typeof where === 'string';
  const values: unknown[] = [where];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    isPage ? 'id < $1' : 'id = ANY ($1)',
    ...(by === undefined ? [] : [`writer = ${parameter(by)} AND NOT imported`]),
    ...words.map((word) => `(words IS NULL OR strpos(words, ${parameter(searchText(word))}) > 0)`),
    ...(sinceMs === undefined ? [] : [`begun >= to_timestamp(${parameter(sinceMs / 1000)})`]),
    // Times are stored in microseconds and shown in milliseconds.
    ...(untilMs === undefined ? [] : [`begun < to_timestamp(${parameter((untilMs + 1) / 1000)})`]),
  ];
  const limit = isPage ? `LIMIT ${pageSize}` : '';
  return {
    text: `SELECT ${columns} FROM telctl.runs WHERE ${conditions.join(' AND ')} ORDER BY id DESC ${limit}`,
    values,
  };
}

function storedRun({ id, alive, writer, ms, lines: texts }: RunRow): StoredRun {
  const lines = texts.flatMap((text) => parseLogLine(text) ?? []);
  return {
    id,
    lines,
    alive,
    atMs: ms,
    damaged: texts.length - lines.length,
    begun: texts.length > 0,
    ...(writer === null ? {} : { writer }),
  };
}

/** Deletes runs older than `keepMs`, if the user has the permission. */
const deleteOldRuns = (database: Database, keepMs: number): Promise<void> =>
  asOwner(
    database.query,
    `DELETE FROM telctl.runs WHERE begun < now() - interval '${Math.round(keepMs / 1000)} s'
       AND id < (SELECT max(id) FROM telctl.runs)
       AND NOT EXISTS (SELECT FROM telctl.lines WHERE run = id AND written > now() - interval '${Math.round(keepMs / 1000)} s')`,
  );
