/** Notifications of severed relationships, with the real accounts service. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, moderateAccount } from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { listGroups, listNotifications } from '@murmuration/contracts/notifications'
import { openDatabase, sql } from '@murmuration/db'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'

let cluster: Cluster
let alice: Viewer
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, app] })
  const fakeAccount = { username: 'alice', email: 'alice@mail.example', confirmed: true }
  alice = viewer((await cluster.call(createAccountByOperator, fakeAccount)).id)
})
afterAll(() => cluster.stop())

test('S-071 an account that loses follows by a decision is notified once, with the current counts', async () => {
  const owner = openDatabase({ url: cluster.env.DATABASE_URL ?? '', schema: 'accounts', connections: 1 })
  const met = async (id: number) => {
    await owner.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
      values (${id}, ${`n${id}`}, 'shut.example', ${`https://shut.example/${id}`}, ${`https://shut.example/@${id}`}, now())`)
    await owner.run(sql`insert into account_stats (account_id) values (${id})`)
    await owner.run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
      values (${id}, ${alice.id}, ${id}, true, now())`)
  }
  const suspend = () =>
    cluster.call(moderateAccount, { domain: 'shut.example', action: 'suspend', stamp: 'domain_block 1' })
  const severances = async () => {
    await cluster.waitForIdle()
    return cluster.call(listNotifications, { supported_types: ['mention'] }, alice)
  }
  await met(1)
  await suspend()
  expect(await severances()).toEqual([
    expect.objectContaining({
      type: 'severed_relationships',
      account: expect.objectContaining({ id: alice.id }),
      event: expect.objectContaining({ type: 'domain_block', target_name: 'shut.example', following_count: 1 }),
      fallback: expect.objectContaining({ title: 'You have lost connections due to a moderation decision' }),
    }),
  ])
  await met(2)
  await suspend()
  await owner.close()
  const [only, ...more] = await severances()
  expect(more).toEqual([])
  expect(only).toMatchObject({ event: { following_count: 2, followers_count: 0, purged: false } })
  const { notification_groups } = await cluster.call(listGroups, {}, alice)
  expect(notification_groups).toEqual([
    expect.objectContaining({ type: 'severed_relationships', event: expect.objectContaining({ following_count: 2 }) }),
  ])
})
