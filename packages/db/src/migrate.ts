/**
 * Migrates one service's schema, role and tables to the current version. A migration is safe to repeat and to run
 * concurrently.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunnerOption } from 'node-pg-migrate'
import pg from 'pg'
import { sessionSettings } from './session.js'

export interface MigrateOptions {
  /** Connection of a role that may create schemas and roles. */
  adminUrl: string
  /** Name of the service, used as schema name. */
  service: string
  /** Login role of the service; created or updated. If `role` is null, no role is changed. */
  role: { name: string; password: string } | null
  /** Folder of the service's numbered SQL files. */
  dir: string
  say?: (line: string) => void
  /** Called when the migration begins to wait for another run on the same schema, and every 30 seconds after that. */
  waiting?: (seconds: number) => void
}

const shared = fileURLToPath(new URL('../migrations', import.meta.url))
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

const LOCK_TIMEOUT = '2s'
const MAX_BUILD_WAIT = '5min'

type Strategies = NonNullable<RunnerOption['migrationLoaderStrategies']>

/** Loads numbered SQL files. Each runs in a transaction, except files that build an index concurrently. */
const files: Strategies = [
  {
    extensions: ['.sql'],
    loader: (paths) =>
      Promise.all(
        paths.map(async (path) => {
          const text = await readFile(path, 'utf8')
          return {
            id: basename(path, '.sql'),
            filePaths: [path],
            actions: {
              up(pgm) {
                if (!/^create (unique )?index concurrently/im.test(text)) return void pgm.sql(text)
                pgm.noTransaction()
                // A concurrent build waits for older transactions. No other statement waits for the build, so a long
                // lock timeout is harmless.
                pgm.sql(`set lock_timeout = '${MAX_BUILD_WAIT}'`)
                pgm.sql(text)
                pgm.sql(`set lock_timeout = '${LOCK_TIMEOUT}'`)
              },
              down: false as const,
            },
          }
        }),
      ),
  },
]

/**
 * Creates or updates the login role with its session settings. The role may use only its own schema, including objects
 * that are created there later. The default privileges for later objects are needed, because without them triggers of a
 * new migration would fail in processes of the earlier release.
 */
const prepareRole = async (
  client: pg.Client,
  schema: string,
  role: { name: string; password: string },
): Promise<void> => {
  if (!/^[a-z_][a-z0-9_]*$/.test(role.name)) throw new Error(`not a role name: ${role.name}`)
  const known = await client.query('select 1 from pg_roles where rolname = $1', [role.name])
  await client.query(`${known.rowCount ? 'alter' : 'create'} role ${role.name} login password ${quoted(role.password)}`)
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name')
  const held = sessionSettings(schema).map(
    ([name, value]) => `alter role ${role.name} in database ${rows[0]?.name} set ${name} = ${quoted(value)}`,
  )
  await client.query(held.join('; '))
  await client.query(`grant usage on schema ${schema} to ${role.name};
    alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${role.name};
    alter default privileges in schema ${schema} grant usage, select on sequences to ${role.name};
    alter default privileges in schema ${schema} grant execute on functions to ${role.name}`)
}

/** Grants the login role access to objects that releases without default privileges created. */
const grantExisting = async (client: pg.Client, schema: string, role: { name: string }): Promise<void> => {
  await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role.name}`)
  await client.query(`grant usage, select on all sequences in schema ${schema} to ${role.name}`)
  await client.query(`grant execute on all functions in schema ${schema} to ${role.name}`)
}

/** SQLSTATE of failures that another try may avoid: lock not available, deadlock detected. */
const RETRYABLE = new Set(['55P03', '40P01'])
const TRIES = 30
const PAUSE_MS = 1_000
const LOCK_POLL_MS = 100
const LOCK_REPORT_MS = 30_000

/**
 * Takes an advisory lock for the session. A statement that waits for the lock would hold a snapshot, and the concurrent
 * build of an index by another run waits for all snapshots. The two would wait for each other.
 */
const waitForLock = async (client: pg.Client, name: string, waiting?: (seconds: number) => void): Promise<void> => {
  const started = performance.now()
  let reportAt = started
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1)) as locked', [name])
    if (rows[0].locked) return
    const now = performance.now()
    if (now >= reportAt) {
      waiting?.(Math.round((now - started) / 1_000))
      reportAt = now + LOCK_REPORT_MS
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS))
  }
}

/**
 * Runs `work` with a lock timeout of two seconds, and repeats it after a timeout. Because other statements queue behind
 * a migration that waits for a lock (F040).
 */
const patiently = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!RETRYABLE.has((error as { code?: string }).code ?? '') || tries === TRIES) throw error
      await client.query(`rollback; set lock_timeout = '${LOCK_TIMEOUT}'`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

/**
 * Rebuilds indexes whose concurrent build failed, because no query uses them. A repeated `create index concurrently if
 * not exists` does not rebuild them. Drops indexes that a failed rebuild left, whose names end in `_ccnew` or `_ccold`.
 */
const rebuildInvalidIndexes = async (client: pg.Client, schema: string): Promise<void> => {
  const { rows } = await client.query<{ name: string; isRest: boolean }>(
    `select format('%I.%I', n.nspname, c.relname) as name, c.relname ~ '_cc(new|old)[0-9]*$' as "isRest"
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and not i.indisvalid and c.relkind = 'i'`,
    [schema],
  )
  for (const { name, isRest } of rows)
    await client.query(isRest ? `drop index ${name}` : `reindex index concurrently ${name}`)
}

/** Runs the shared migrations, then those of the service. Returns the names of the migrations that ran. */
export const migrate = async (options: MigrateOptions): Promise<string[]> => {
  const schema = options.service
  if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw new Error(`not a schema name: ${schema}`)
  const client = new pg.Client({
    connectionString: options.adminUrl,
    application_name: `murmuration migrate ${schema}`,
  })
  await client.connect()
  const ran: string[] = []
  // The package is imported here, because only migrations need it.
  const { runner } = await import('node-pg-migrate')
  try {
    await waitForLock(client, `murmuration migrate ${schema}`, options.waiting)
    await client.query(`create schema if not exists ${schema}`)
    await client.query(`revoke all on schema ${schema} from public`)
    if (options.role) await prepareRole(client, schema, options.role)
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
    for (const [dir, migrationsTable] of [
      [shared, 'migrations_shared'],
      [options.dir, 'migrations'],
    ] as const) {
      if (!existsSync(dir)) continue
      const done = await patiently(client, async () => {
        // Invalid indexes are rebuilt before the migrations, because a migration may drop an index whose successor is
        // invalid.
        await rebuildInvalidIndexes(client, schema)
        return runner({
          dbClient: client,
          dir,
          migrationsTable,
          schema,
          migrationsSchema: schema,
          direction: 'up',
          checkOrder: true,
          migrationLoaderStrategies: files,
          noLock: true,
          log: () => {},
          logger: { debug() {}, info() {}, warn() {}, error: (message: string) => options.say?.(String(message)) },
        })
      })
      ran.push(...done.map((migration) => migration.name))
    }
    await patiently(client, () => rebuildInvalidIndexes(client, schema))
    if (options.role) await grantExisting(client, schema, options.role)
    return ran
  } finally {
    await client.end()
  }
}
