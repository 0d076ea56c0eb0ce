/** Commands for reports, on running services. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { createReport } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, admin, media, statuses] })
  operator = await connectOperator({ ...process.env, ...cluster.env })
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

const ctl = (...words: string[]): Promise<string> => textOf(operator, ...words)
const create = async (name: string, ...more: string[]): Promise<string> =>
  (
    (await dataOf(
      operator,
      ...['account', 'create', name, '--email', `${name}@mail.example`, '--confirmed', ...more],
    )) as {
      id: string
    }
  ).id

test('reports are listed, counted, assigned to a moderator, and get notes', async () => {
  const [rude, victim] = [await create('rude'), await create('victim')]
  await create('mona', '--role', 'Moderator')
  expect(await ctl('report', 'list')).toBe('There are none.')
  const { id } = await cluster.call(createReport, { account_id: rude, category: 'spam' }, viewer(victim))
  expect(await ctl('report', 'list', '--queue', 'unassigned')).toMatch(
    new RegExp(`^${id}  .*  spam  @rude  unassigned$`),
  )
  expect(await ctl('report', 'list', '--category', 'legal')).toBe('There are none.')
  expect(await ctl('report', 'summary')).toBe(
    `1 open reports, 1 of them unassigned.\nBy category: spam 1, legal 0, violation 0, other 0.\nOldest: ${id}, 0 h. Median: 0 h.`,
  )
  expect(await runWords(operator, 'report', 'assign', id, 'victim')).toMatchObject({
    status: 1,
    error: expect.stringContaining('Account may not manage reports'),
  })
  expect(await ctl('report', 'assign', id, '@mona')).toMatch(/ {2}@rude {2}@mona$/)
  expect(await ctl('report', 'list', '--queue', 'others')).toContain(id)
  expect(await ctl('report', 'list', '--queue', 'unassigned')).toBe('There are none.')

  const note = (await dataOf(operator, 'report', 'note', id, 'Known for this')) as { id: string }
  expect(await ctl('report', 'notes', id)).toMatch(/ {2}operator {2}Known for this$/)
  expect(await ctl('report', 'remove-note', id, note.id, '--dry-run')).toContain('Would remove: ')
  const another = String(BigInt(note.id) + 1n)
  expect((await runWords(operator, 'report', 'remove-note', id, another, '--dry-run')).status).toBe(1)
  // The list shows 200 notes.
  await cluster.db('admin').run(sql`insert into staff_notes (id, kind, target_id, text, created_at)
    select n.id + i, kind, target_id, 'later', created_at from staff_notes n, generate_series(1, 200) i
    where n.id = ${note.id}`)
  expect(await ctl('report', 'remove-note', id, note.id, '--dry-run')).toContain('Known for this')
  await cluster.db('admin').run(sql`delete from staff_notes where id > ${note.id}`)
  expect(await ctl('report', 'remove-note', id, note.id)).toBe('Removed.')
  expect(await ctl('report', 'notes', id)).toBe('There are none.')
  expect((await runWords(operator, 'report', 'remove-note', id, note.id)).status).toBe(1)
})
