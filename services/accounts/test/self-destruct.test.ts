/** Tests of the deletion of all accounts of a server: refused for another domain, counted, in steps, and repeatable. */
import * as accounts from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resume } from '../src/task/ticks.js'
import { type Harness, startAccounts } from './harness.js'

const PEOPLE = 21
let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
  for (let n = 0; n < PEOPLE; n++) await harness.createAccount(`person${n}`)
  await harness.createAccount('pending', { confirmed: false })
  await harness.remote('rita')
  await harness.waitForIdle()
})
afterAll(() => harness.stop())

const ctx = () => harness.host.running.find((one) => one.service === 'accounts')!.ctx
const own = () => harness.env.LOCAL_DOMAIN ?? ''
const begin = (input: { domain: string; dry_run: boolean }) => harness.call(accounts.selfDestruct, input)
const shown = async ({ id }: { id: string }) => {
  await harness.waitForIdle()
  return harness.call(accounts.showAccountTask, { id })
}
const logins = async () =>
  (await harness.db('accounts').row<{ n: number }>(sql`select count(*)::int as n from users`))?.n ?? -1
const removed = async () =>
  (
    await harness
      .db('accounts')
      .rows<{ data: string }>(sql`select data from outbox where subject = ${accounts.accountRemoved.subject}`)
  ).map((row) => JSON.parse(row.data) as { local: boolean })

test('another domain than that of the server is refused, and a dry run only counts', async () => {
  for (const domain of ['other.example', '', `x${own()}`])
    await expect(begin({ domain, dry_run: false })).rejects.toThrow('Domain must be the domain of this server')
  const counted = await shown(await begin({ domain: own().toUpperCase(), dry_run: true }))
  expect(counted).toMatchObject({ state: 'done', seen: PEOPLE + 1, changed: PEOPLE + 1, total: PEOPLE + 1 })
  expect([await logins(), await removed()]).toEqual([PEOPLE + 1, []])
})

test('every local account is deleted in steps and announced once; remote ones stay, and a second run finds none', async () => {
  const task = await begin({ domain: own(), dry_run: false })
  expect(await shown(task)).toMatchObject({ state: 'running', seen: 20, changed: 20 })
  expect(await logins()).toBe(2)
  ctx().clock.moveTo(10_000)
  await resume.run(ctx())
  expect(await shown(task)).toMatchObject({ state: 'done', seen: PEOPLE + 1, changed: PEOPLE + 1 })
  expect(await logins()).toBe(0)
  const events = await removed()
  expect([events.length, events.every((one) => one.local)]).toEqual([PEOPLE + 1, true])
  const left = await harness
    .db('accounts')
    .rows<{ username: string }>(sql`select username from accounts where removed_at is null and username not like '%.%'`)
  expect(left.map((row) => row.username)).toEqual(['rita'])
  expect(await shown(await begin({ domain: own(), dry_run: false }))).toMatchObject({ state: 'done', changed: 0 })
  expect((await removed()).length).toBe(PEOPLE + 1)
})
