/** Pruning with the real services: remote accounts with statuses, reports or relationships stay. */
import { app as accounts } from '@murmuration/accounts'
import { accountRecords, createAccountByOperator, createFollow, putRemote } from '@murmuration/contracts/accounts'
import { adminTaskStarted, listAuditLog, pruneRemoteAccounts, showAdminTask } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts, media, statuses], env: { MEDIA_FFMPEG: 'off' } })
})
afterAll(() => cluster.stop())

const NAMES = ['author', 'mentioned', 'fan', 'voter', 'reported', 'followed', 'unrelated', 'other']

test('referenced accounts stay; a dry run counts the others, and a run removes them', async () => {
  const alice = await cluster.call(createAccountByOperator, { username: 'alice', email: 'a@mail.example' })
  const ids: Record<string, string> = {}
  for (const name of NAMES)
    ids[name] = (await cluster.call(putRemote, { actor: remoteActor(name, 'remote.example') })).record.id
  const db = cluster.db('statuses')
  await db.run(sql`insert into statuses (id, author_id, local, visibility, uri, conversation_id, created_at)
    values (1, ${ids.author}, false, 0, 'https://remote.example/1', 1, now())`)
  await db.run(sql`insert into mentions (status_id, account_id) values (1, ${ids.mentioned})`)
  await db.run(sql`insert into favourites (id, account_id, status_id) values (1, ${ids.fan}, 1)`)
  await db.run(sql`insert into poll_votes (id, poll_id, account_id, choice) values (1, 1, ${ids.voter}, 0)`)
  await cluster.db('admin').run(sql`insert into decisions (account_id, state, wanted, stamp)
    values (${ids.reported}, 'silence', false, '')`)
  await cluster.call(createFollow, { id: ids.followed ?? '' }, viewer(alice.id))
  const kept = async () => {
    const { records } = await cluster.call(accountRecords, { ids: Object.values(ids) })
    return NAMES.filter((name) => records.some((one) => one.id === ids[name]))
  }
  const prune = async (dry_run: boolean) => {
    const { id } = await cluster.call(pruneRemoteAccounts, { dry_run })
    await cluster.waitForIdle()
    return cluster.call(showAdminTask, { id })
  }
  expect(await prune(false)).toMatchObject({ state: 'done', changed: 0 })
  expect(await kept()).toEqual(NAMES)
  for (const { service, ctx } of cluster.host.running) if (service === 'accounts') ctx.clock.moveTo(8 * 86_400_000)
  expect(await prune(true)).toMatchObject({ state: 'done', dry_run: true, changed: 2, seen: NAMES.length + 1 })
  expect(await kept()).toEqual(NAMES)
  expect(await prune(false)).toMatchObject({ state: 'done', changed: 2 })
  expect(await kept()).toEqual(NAMES.slice(0, -2))
  const { entries } = await cluster.call(listAuditLog, {})
  expect([adminTaskStarted.name, entries.map((one) => one.action).toSorted()]).toEqual([
    'admin.task.started',
    ['create_user', 'prune_accounts', 'prune_accounts'],
  ])
})
