/** Creates the database if it is missing, and migrates the schema and login of every service. */
import { fileURLToPath } from 'node:url'
import { migrate } from '@murmuration/db'
import { ConfigError, databaseRoleOf, readCommonConfig, trustAuthorities } from '@murmuration/kernel'
import pg from 'pg'
import { awaitPostgres, isPassing } from './lib/await-postgres.js'

/** Services with a database schema, lowest layer first. */
export const OWNERS = ['media', 'accounts', 'statuses', 'notifications', 'federation', 'admin']

/** Creates the database if it is missing. */
const ensureDatabase = async (url: string): Promise<void> => {
  const target = new URL(url)
  const name = target.pathname.slice(1)
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) throw new Error('DATABASE_URL names no database, or one with strange letters.')
  target.pathname = '/postgres'
  const client = new pg.Client({ connectionString: target.toString() })
  await client.connect()
  try {
    const known = await client.query('select 1 from pg_database where datname = $1', [name])
    if (!known.rowCount)
      await client.query(`create database "${name}"`).catch((error: { code?: string }) => {
        if (error.code !== '42P04' && error.code !== '23505') throw error
      })
  } finally {
    await client.end()
  }
}

/**
 * Fraction of `max_connections` of PostgreSQL that the pools of all processes may use. Other programs use the rest, and
 * so do processes of a second release during a rollout (F036).
 */
const OURS = 0.8

/** Warning if the pools of all processes may open more connections than PostgreSQL permits; null otherwise. */
const tooManyConnections = async (url: string, wanted: number): Promise<string | null> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ max: number }>(
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max`,
    )
    const max = rows[0]?.max ?? 0
    if (wanted <= max * OURS) return null
    return `All processes together may open ${wanted} connections to PostgreSQL, which takes ${max}: set its max_connections to ${Math.ceil(wanted / OURS) + 3} or more, lower DB_POOL or the number of replicas, or put a pooler in between (PREPARED_STATEMENTS=false).`
  } finally {
    await client.end()
  }
}

const print = (line: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(line)}\n`)

const main = async (): Promise<void> => {
  const config = readCommonConfig(process.env)
  trustAuthorities(config)
  await awaitPostgres(config.databaseUrl, {
    seconds: config.databaseWait,
    waiting: (seconds, error) =>
      print({
        level: 'info',
        message: 'waiting for PostgreSQL',
        seconds,
        limit: config.databaseWait,
        error: error.message,
      }),
  }).catch(async (error: { code?: string }) => {
    if (error.code !== '3D000') throw error
    await ensureDatabase(config.databaseUrl)
  })
  const results = await Promise.all(
    OWNERS.map((service) =>
      migrate({
        adminUrl: config.databaseUrl,
        service,
        role: config.databaseRoles === 'derived' ? databaseRoleOf(config, service) : null,
        dir: fileURLToPath(new URL(`../services/${service}/migrations`, import.meta.url)),
        say: (line) => process.stderr.write(`${line}\n`),
        waiting: (seconds) => print({ level: 'info', message: 'waiting for another migration run', service, seconds }),
      }),
    ),
  )
  const ran = results.flat().length
  const wanted = config.databaseConnections || OWNERS.length * config.databasePool
  const warning = await tooManyConnections(config.databaseUrl, wanted)
  if (warning) print({ level: 'warn', message: warning })
  print({ level: 'info', message: ran ? 'migrated' : 'nothing to migrate', migrations: ran })
}

main().catch((error: Error & { code?: string }) => {
  const text =
    error instanceof ConfigError
      ? error.message
      : error.code === '42501'
        ? `DATABASE_URL's login may not create schemas or roles: give it CREATEROLE and CREATE on the database, or set DATABASE_ROLES=shared. (${error.message})`
        : isPassing(error)
          ? `PostgreSQL does not respond at DATABASE_URL (${error.message || error.code}).`
          : `Migration failed: ${error.message}`
  process.stderr.write(`${text}\n`)
  process.exitCode = error instanceof ConfigError ? 78 : 1
})
