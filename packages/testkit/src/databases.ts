/** Databases of tests. Each is a copy of a template with all migrations of some services. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate, sessionSettings } from '@murmuration/db'
import pg from 'pg'

/** Folder of the repository. */
export const repository = (): string => {
  for (let dir = dirname(fileURLToPath(import.meta.url)); ; dir = dirname(dir))
    if (existsSync(join(dir, 'turbo.json'))) return dir
}

const migrationsOf = (service: string): string => join(repository(), 'services', service, 'migrations')
/** Names of the services with a database schema. */
const owners = (): string[] =>
  readdirSync(join(repository(), 'services')).filter((service) => existsSync(migrationsOf(service)))

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const urlOf = (adminUrl: string, database: string): string => {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.toString()
}

/** Role with the privileges of a service in the template database. The login of each test is a member of this role. */
const groupOf = (template: string, service: string): string => `${template}_${service}`

/** Name of the template database. The name depends on the services and on the content of their migrations. */
const templateName = (services: readonly string[]): string => {
  const hash = createHash('sha256').update(services.join(' '))
  const folders = [join(repository(), 'packages/db/migrations'), ...services.map(migrationsOf)]
  for (const folder of folders)
    for (const file of readdirSync(folder).toSorted()) hash.update(file).update(readFileSync(join(folder, file)))
  return `template_${hash.digest('hex').slice(0, 12)}`
}

/** Creates the template database if it does not exist. A lock makes concurrent processes wait for each other. */
const createTemplate = async (adminUrl: string, services: readonly string[]): Promise<string> => {
  const name = templateName(services)
  await connected(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const known = await client.query('select 1 from pg_database where datname = $1', [name])
    if (known.rowCount) return
    // The template database gets its final name at the end, so a template with the final name is always complete.
    const unfinished = `${name}_unfinished`
    await client.query(`drop database if exists ${unfinished} with (force)`)
    await client.query(`create database ${unfinished}`)
    const url = urlOf(adminUrl, unfinished)
    await Promise.all(
      services.map((service) => migrate({ adminUrl: url, service, role: null, dir: migrationsOf(service) })),
    )
    await connected(url, async (inside) => {
      for (const service of services) {
        const group = groupOf(name, service)
        await inside.query(`do $$ begin create role ${group}; exception when duplicate_object then null; end $$;
          grant usage on schema ${service} to ${group};
          grant select, insert, update, delete on all tables in schema ${service} to ${group};
          grant usage, select on all sequences in schema ${service} to ${group};
          grant execute on all functions in schema ${service} to ${group}`)
      }
    })
    await client.query(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}

const templates = new Map<string, Promise<string>>()
const templateOf = (adminUrl: string, services: readonly string[]): Promise<string> => {
  const key = `${adminUrl} ${services.join(' ')}`
  const made = templates.get(key) ?? createTemplate(adminUrl, services)
  templates.set(key, made)
  return made
}

/** Creates an empty database, and returns its URL. */
export const createDatabase = async (adminUrl: string, name: string): Promise<string> => {
  await connected(adminUrl, (client) => client.query(`create database ${name}`))
  return urlOf(adminUrl, name)
}

/**
 * Creates a database with the tables of `services`, by default of every service. `roles` returns the login of each
 * service. Returns the URL of the database. A database of one service has far fewer files than a database of all
 * services.
 */
export const createMigratedDatabase = async (
  adminUrl: string,
  name: string,
  roles: (databaseUrl: string, service: string) => { name: string; password: string },
  services?: readonly string[],
): Promise<string> => {
  const wanted = owners().filter((service) => services?.includes(service) ?? true)
  const template = await templateOf(adminUrl, wanted)
  const databaseUrl = urlOf(adminUrl, name)
  await connected(adminUrl, async (client) => {
    await client.query(`create database ${name} template ${template} strategy file_copy`)
    const statements = wanted.flatMap((service) => {
      const role = roles(databaseUrl, service)
      return [
        `create role ${role.name} login password '${role.password}' in role ${groupOf(template, service)}`,
        ...sessionSettings(service).map(
          ([setting, value]) => `alter role ${role.name} in database ${name} set ${setting} = '${value}'`,
        ),
      ]
    })
    if (statements.length) await client.query(statements.join('; '))
  })
  return databaseUrl
}

/**
 * Runs `analyze` on tables, such as `federation.peers`. The logins of services lack the permission, and PostgreSQL then
 * skips the statement.
 */
export const analyzeTables = async (databaseUrl: string, ...tables: string[]): Promise<void> => {
  await connected(databaseUrl, (client) => client.query(`analyze ${tables.join(', ')}`))
}

/** Drops a database and the logins of its services. */
export const dropDatabase = async (adminUrl: string, name: string): Promise<void> => {
  await connected(adminUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    const roles = await client.query<{ rolname: string }>('select rolname from pg_roles where rolname like $1', [
      `${name}\\_%`,
    ])
    if (roles.rows.length) await client.query(`drop role ${roles.rows.map((row) => row.rolname).join(', ')}`)
  })
}
