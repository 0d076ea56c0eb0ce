/** Tests of commands that start and undo bulk actions, on running services. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { createAccountByOperator } from '@murmuration/contracts/accounts'
import { actOnAccount } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
const ids: string[] = []
beforeAll(async () => {
  cluster = await startCluster({ apps: [admin, accounts, statuses, media], env: { MEDIA_FFMPEG: 'off' } })
  operator = await connectOperator({ ...process.env, ...cluster.env })
  for (const username of ['spam1', 'spam2', 'kind'])
    ids.push((await cluster.call(createAccountByOperator, { username, email: `${username}@mail.example` })).id)
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

const ctl = (...words: string[]): Promise<string> => textOf(operator, 'bulk-action', ...words)
const limited = async () =>
  (
    await cluster
      .db('accounts')
      .rows<{ username: string }>(sql`select username from accounts where silenced_at is not null order by 1`)
  ).map((row) => row.username)

test('accounts are counted, limited and restored, and an account that changed meanwhile is listed', async () => {
  const start = ['start', 'account', 'silence', '--username', 'spam']
  expect(await ctl(...start, '--dry-run')).toBe('Would change 2 of 2 items')
  expect(await limited()).toEqual([])
  const refused = await runWords(operator, 'bulk-action', ...start, '--expect', '3')
  expect([refused.status, refused.error]).toEqual([1, expect.stringContaining('The selection has 2 items now, not 3')])
  const done = await dataOf(operator, 'bulk-action', ...start, '--expect', '2', '--reason', 'Spam wave')
  const { id } = done as { id: string }
  expect(done).toMatchObject({ state: 'done', changed: 2, text: 'Spam wave', started_by: null })
  await cluster.waitForIdle()
  expect(await limited()).toEqual(['spam1', 'spam2'])
  expect(await ctl('list')).toMatch(
    new RegExp(`^${id}  [\\d-]{10}T\\d\\d:\\d\\dZ  silence account  done  2 of 2 changed$`),
  )
  await cluster.call(actOnAccount, { id: ids[1] ?? '', type: 'silence' }, null)
  expect(await ctl('undo', id, '--dry-run')).toMatch(
    /^Would change 1 of 2 items\n1 {2}The state has changed since this action\n\d+ {2}spam2 {2}The state has changed since this action$/,
  )
  expect(await ctl('undo', id, '--expect', '2')).toContain('1 of 2 changed')
  await cluster.waitForIdle()
  expect(await limited()).toEqual(['spam2'])
  expect(await ctl('start', 'account', 'silence', ids[2] ?? '', '7')).toMatch(
    /1 of 2 changed\n1 {2}There is no such item/,
  )
  expect(await ctl('start', 'account', 'unsilence', ids[2] ?? '', '--detach')).toMatch(
    /^The bulk action \d+ is running/,
  )
  await cluster.waitForIdle()
  expect(await ctl('show', id)).toContain('2 of 2 changed')
})

test.each([
  [['start', 'account', 'silence'], 'Give ids, or filters such as --status: one of both.'],
  [['start', 'account', 'silence', '7', '--status', 'pending'], 'Give ids, or filters such as --status: one of both.'],
  [['start', 'account', 'silence', 'bob'], 'It is the number in the first column of the list.'],
  [['start', 'nothing', 'silence', '7'], 'Allowed choices'],
])('%j is refused before anything connects', async (words, text) => {
  const ran = await runWords(operator, 'bulk-action', ...words)
  expect([ran.status, ran.error]).toEqual([2, expect.stringContaining(text)])
})
