/** Each service has its own logins on the bus and in PostgreSQL, which permit access to its own data only. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { authorizationBlock, connectBus, permissionsOf } from '@murmuration/bus'
import { migrate } from '@murmuration/db'
import { type App, busNeedsOf, databaseRoleOf } from '@murmuration/kernel'
import { createDatabase, dropDatabase, repository, startNats, type TestNats } from '@murmuration/testkit'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadAll } from '../../bin/services.js'

const apps: readonly App[] = await loadAll()
const services = apps.map((app) => app.manifest.service)
const owners = apps.filter((app) => app.manifest.database).map((app) => app.manifest.service)

describe('on the bus', () => {
  let nats: TestNats
  beforeAll(async () => {
    nats = await startNats(
      authorizationBlock(
        apps.map(({ manifest }) => ({
          user: manifest.service,
          password: `password of ${manifest.service}`,
          permissions: permissionsOf(busNeedsOf(manifest)),
        })),
      ),
    )
  })
  afterAll(() => nats?.stop())

  /** Subjects, among the given ones, that the server does not allow the service to publish to. */
  const deniedOf = async (service: string, subjects: readonly string[]): Promise<Set<string>> => {
    const nc = await connectBus({ url: nats.url, service, name: 'test', password: `password of ${service}` })
    const denied = new Set<string>()
    const watch = async () => {
      for await (const status of nc.status()) {
        const found = /Publish to "([^"]+)"/i.exec(status.type === 'error' ? String(status.error) : '')?.[1]
        if (found) denied.add(found)
      }
    }
    const watching = watch()
    for (const subject of subjects) nc.publish(subject, '{}')
    await nc.flush()
    await nc.close()
    await watching
    return denied
  }

  test.each(services)('D047 D076 %s may send only the requests in its manifest', async (service) => {
    const manifest = apps.find((app) => app.manifest.service === service)?.manifest
    const all = apps.flatMap((app) => app.manifest.operations.map((entry) => entry.operation.subject))
    const events = services.map((one) => `evt.${one}.thing.done`)
    const jobs = services.map((one) => `job.${one}.thing`)
    const hints = services.map((one) => `hint.${one}.thing`)
    const own = (subject: string) => subject.split('.')[1] === service
    const allowed = new Set([
      ...(manifest?.calls ?? []).map((operation) => operation.subject),
      ...[...events, ...jobs, ...hints].filter(own),
    ])
    const tried = [...all, ...events, ...jobs, ...hints, '$SYS.REQ.SERVER.PING', '_INBOX_operator.1', '_INBOX.1']
    expect(all.length).toBeGreaterThan(100)
    const denied = await deniedOf(service, tried)
    expect(tried.filter((subject) => !denied.has(subject)).sort()).toEqual(
      tried.filter((subject) => allowed.has(subject)).sort(),
    )
  })
})

describe('in PostgreSQL', () => {
  const name = `t_${randomBytes(6).toString('hex')}`
  const secretKeyBase = randomBytes(32).toString('base64url')
  const admin = process.env.DATABASE_URL ?? ''
  let url: string
  let tables: { schema: string; table: string }[]
  const as = async <T>(service: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const own = new URL(url)
    if (service) {
      const role = databaseRoleOf({ secretKeyBase, databaseUrl: url }, service)
      own.username = role.name
      own.password = role.password
    }
    const client = new pg.Client({ connectionString: own.toString() })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  beforeAll(async () => {
    url = await createDatabase(admin, name)
    await Promise.all(
      owners.map((service) =>
        migrate({
          adminUrl: url,
          service,
          role: databaseRoleOf({ secretKeyBase, databaseUrl: url }, service),
          dir: join(repository(), 'services', service, 'migrations'),
        }),
      ),
    )
    const found = await as('', (client) =>
      client.query<{ schema: string; table: string }>(
        `select schemaname as schema, tablename as table from pg_tables where schemaname = any($1)`,
        [owners],
      ),
    )
    tables = found.rows
  })
  afterAll(() => dropDatabase(admin, name))

  /** SQLSTATE of each statement, each run separately. */
  const codes = async (client: pg.Client, statements: readonly string[]): Promise<string[]> => {
    const found: string[] = []
    for (const text of statements)
      found.push(
        await client.query(text).then(
          () => 'done',
          (error: { code?: string }) => error.code ?? 'unknown',
        ),
      )
    return found
  }

  test.each(owners)(
    'D079 D080 %s reads and writes no table of another service, and alters none of its own',
    async (service) => {
      await as(service, async (client) => {
        const others = tables.filter((one) => one.schema !== service)
        expect(others.length).toBeGreaterThan(20)
        const reads = others.map((one) => `select * from ${one.schema}."${one.table}" limit 1`)
        const writes = others.map((one) => `delete from ${one.schema}."${one.table}"`)
        expect(new Set(await codes(client, [...reads, ...writes]))).toEqual(new Set(['42501']))
        const [own] = tables.filter((one) => one.schema === service && !/^pg|migrations/.test(one.table))
        const table = `${service}."${own?.table}"`
        expect(await codes(client, [`select 1 from ${table} limit 1`])).toEqual(['done'])
        expect(
          await codes(client, [
            `drop table ${table}`,
            `alter table ${table} add column x int`,
            `truncate ${table}`,
            `create table ${service}.mine (x int)`,
            'create table public.mine (x int)',
            'create schema mine',
            'create role mine',
            'alter system set fsync = off',
            `copy ${table} to program 'true'`,
          ]),
        ).toEqual(Array(9).fill('42501'))
      })
    },
  )

  test('D080 passwords, second factors and private keys are only in tables of accounts', async () => {
    const { rows } = await as('', (client) =>
      client.query<{ place: string }>(
        `select distinct table_schema || '.' || table_name || '.' || column_name as place from information_schema.columns
         where table_schema = any($1) and column_name ~ '(password|private_(key|sealed)|secret|otp)' order by 1`,
        [owners],
      ),
    )
    const places = rows.map((row) => row.place)
    expect(places).toEqual(expect.arrayContaining(['accounts.users.password_hash', 'accounts.keys.private_sealed']))
    // The secret of a webhook is shared with its receiver. It is stored encrypted.
    const others = places.filter((place) => !place.startsWith('accounts.') && place !== 'admin.webhooks.secret')
    expect(others).toEqual([])
  })
})
