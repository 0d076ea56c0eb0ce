/** Queries of all stores have the rows and parameters that their calls declare, as PostgreSQL describes them. */
import { randomBytes } from 'node:crypto'
import { createMigratedDatabase, dropDatabase } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkQueries, type Report } from '../queries/check.js'

const SAMPLE = 'bin/queries/sample.ts'
const admin = process.env.DATABASE_URL ?? ''
const name = `t_${randomBytes(6).toString('hex')}`
let report: Report

beforeAll(async () => {
  const url = await createMigratedDatabase(admin, name, (_url, service) => ({
    name: `${name}_${service}`,
    password: randomBytes(12).toString('hex'),
  }))
  report = await checkQueries(url)
})
afterAll(() => dropDatabase(admin, name))

test('the text of every query is found in the source', () => {
  expect(report.unresolved).toEqual([])
  expect(report.queries).toBeGreaterThan(1_400)
  expect(report.statements).toBeGreaterThan(2_500)
})

test('every query returns the rows that it declares, and is sent parameters that its statement takes', () => {
  expect(report.problems.filter((problem) => !problem.startsWith(SAMPLE))).toEqual([])
})

test('wrong types in a sample are found, and right ones are not reported', () => {
  const found = report.problems.filter((problem) => problem.startsWith(SAMPLE))
  expect(found.map((problem) => problem.slice(SAMPLE.length).replace(/^:\d+ /, ''))).toEqual([
    'column "nothing" does not exist: select id from accounts where nothing = 1',
    'id is int8, received as string, and declared as number',
    'domain is in the type and not in the result',
    'domain is in the result and not in the type',
    'domain may be null, and is declared as string',
    'username may be null, and is declared as string',
    'ids has elements received as string, and is declared as number[]',
    '$1 `domain` is text, and number is sent',
    '$1 `fields` is jsonb, and string[] is sent',
    'fields is JSON, and Date contains a type that JSON lacks',
    'fields is JSON, and { at: Date; }[] contains a type that JSON lacks',
    'id is the name of two columns',
    'id is int8, received as string, and declared as number',
    `state may be 'pending', and is declared as "accepted" | "rejected"`,
    'locks rows in no fixed order: an insert of many rows with `on conflict` needs `order by` its key',
    'locks rows in no fixed order: an update of many rows needs a query before it with `order by` their key and `for update`',
  ])
})
