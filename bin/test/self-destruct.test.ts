/** The command that deletes all accounts, on running services: registrations are closed, and the Delete of each account is sent. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { createAccountByOperator } from '@murmuration/contracts/accounts'
import { getSettings, listAuditLog } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { app as federation } from '@murmuration/federation'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { runWords } from './command-line.js'

let cluster: Cluster
let operator: Operator
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, admin, federation, media, statuses], env: { MEDIA_FFMPEG: 'off' } })
  operator = await connectOperator({ ...process.env, ...cluster.env })
  for (const username of ['alice', 'bob'])
    await cluster.call(createAccountByOperator, { username, email: `${username}@mail.example`, confirmed: true })
  await operator.call(getSettings, {})
  await cluster.waitForIdle()
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

const mode = async () => (await cluster.call(getSettings, {})).settings.registrations_mode
const logins = async () =>
  (await cluster.db('accounts').row<{ n: number }>(sql`select count(*)::int as n from users`))?.n ?? -1

test('a wrong domain and a dry run change nothing; the right domain deletes every account', async () => {
  const before = await mode()
  const own = cluster.env.LOCAL_DOMAIN ?? ''
  expect(await runWords(operator, 'self-destruct', '--confirm', 'other.example')).toMatchObject({
    status: 1,
    error: 'Validation failed: Domain must be the domain of this server',
  })
  const counted = await runWords(operator, 'self-destruct', '--confirm', own, '--dry-run')
  expect([counted.status, counted.text]).toEqual([0, 'Would delete 2 of 2 accounts'])
  expect([await mode(), await logins()]).toEqual([before, 2])
  const done = await runWords(operator, 'self-destruct', '--confirm', own)
  expect([done.error, done.text, done.status]).toEqual(['', '2 of 2 accounts deleted', 0])
  await cluster.waitForIdle()
  expect([await mode(), await logins()]).toEqual(['none', 0])
  const deletes = await cluster
    .db('federation')
    .rows<{ kind: string }>(sql`select kind from activities where kind = 'Delete'`)
  const gone = await cluster.db('federation').rows(sql`select 1 from gone_actors`)
  expect([deletes.length, gone.length]).toEqual([2, 2])
  const { entries } = await cluster.call(listAuditLog, {})
  expect(entries.map((one) => one.action)).toContain('self_destruct')
})
