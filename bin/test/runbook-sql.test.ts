/** SQL in the runbooks fits the schemas, as PostgreSQL prepares it. */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createMigratedDatabase, dropDatabase } from '@murmuration/testkit'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = new URL('../../docs/runbooks/', import.meta.url)
const admin = process.env.DATABASE_URL ?? ''
const name = `t_${randomBytes(6).toString('hex')}`
let client: pg.Client

beforeAll(async () => {
  const url = await createMigratedDatabase(admin, name, (_url, service) => ({
    name: `${name}_${service}`,
    password: randomBytes(12).toString('hex'),
  }))
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await dropDatabase(admin, name)
})

/** Statements in code of the pages, with numbers instead of placeholders. */
const statements = async (): Promise<{ page: string; text: string }[]> => {
  const pages = await readdir(folder)
  const texts = await Promise.all(pages.map((page) => readFile(new URL(page, folder), 'utf8')))
  return texts.flatMap((found, n) =>
    [...found.matchAll(/`((?:select|show|set) [^`\n]+)`/g)].map(([, text = '']) => ({
      page: pages[n] ?? '',
      text: text.replace(/\b(?:PID|LOW|HIGH)\b/g, '1').replace(/;$/, ''),
    })),
  )
}

/** Error of PostgreSQL for a statement, which is prepared and not executed; empty if there is none. */
const problemOf = async (text: string): Promise<string> => {
  // `show` and `set` cannot be prepared. The role of the owner has another name in this database.
  const statement = text.startsWith('select ') ? `prepare one as ${text}` : text.replace(/^set role .*/, 'show role')
  try {
    await client.query(statement)
    await client.query('deallocate all')
    return ''
  } catch (error) {
    return String(error)
  }
}

test('each statement in the runbooks fits the schemas', async () => {
  const found = await statements()
  expect(found.length).toBeGreaterThan(10)
  const problems: string[] = []
  for (const { page, text } of found) {
    // The extension is part of the stores, and absent in the database of the tests.
    const problem = text.includes('pg_stat_statements') ? '' : await problemOf(text)
    if (problem) problems.push(`${page}: ${text}: ${problem}`)
  }
  expect(problems).toEqual([])
  expect(await problemOf('select nothing from statuses.month_partitions()')).toContain('does not exist')
})
