/** Notifications of events: once, with events in any order, and not across blocks and mutes. */
import {
  accountChanged,
  accountJoined,
  accountRemoved,
  blockCreated,
  domainBlocked,
  followCreated,
  followRemoved,
  followRequested,
  followRequestRemoved,
  muteCreated,
} from '@murmuration/contracts/accounts'
import { reportChanged, reportFiled, strikeCreated } from '@murmuration/contracts/admin'
import type { Notification } from '@murmuration/contracts/entities'
import {
  dismissNotification,
  listNotifications,
  notificationCreated,
  unreadCount,
} from '@murmuration/contracts/notifications'
import {
  favouriteCreated,
  favouriteRemoved,
  pollEnded,
  pollReopened,
  statusCreated,
  statusDeleted,
  statusEdited,
} from '@murmuration/contracts/statuses'
import { type Database, type Sql, sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onPollEnded, onPollReopened } from '../src/candidate/poll.reaction.js'
import { onStatusEdited } from '../src/candidate/status.reaction.js'
import { clearAll, refuseDomain, undoAccount, undoStatus } from '../src/candidate/undo.js'
import { asked, blocked, boosted, deleted, edited, favourited, followed, muted, posted } from './happening.js'
import { type Harness, startHarness } from './harness.js'

const [ALICE, BOB, CAROL, REMOTE] = ['1', '2', '3', '9'] as const
let harness: Harness
let next = 1_000
/** An unused id. */
const fresh = () => String(++next)

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  for (const table of [
    harness.relationships,
    harness.texts,
    harness.notified,
    harness.staff,
    harness.muted,
    harness.wrote,
    harness.boosters,
  ])
    table.clear()
  harness.beforeRelationships = async () => {}
  harness.live.length = 0
  harness.fakeAccounts.clear()
  for (const [id, username, domain] of [
    [ALICE, 'alice', null],
    [BOB, 'bob', null],
    [CAROL, 'carol', null],
    [REMOTE, 'rita', 'far.example'],
  ] as const)
    harness.fakeAccounts.set(id, { id, username, domain })
  const db = harness.cluster.db('notifications')
  for (const table of [
    'notifications',
    'group_hours',
    'requests',
    'permissions',
    'policies',
    'sender_flags',
    'barriers',
    'stands',
  ])
    await db.run({ text: `delete from ${table}`, values: [] })
})

const listOf = (id: string, more: { include_filtered?: boolean } = {}): Promise<Notification[]> =>
  harness.cluster.call(listNotifications, more, viewer(id))
const notificationsOf = async (id: string) => (await listOf(id)).map((one) => [one.type, one.account.username])
/** Stores a visible status. Returns its id. */
const text = (author: string): string => {
  const id = fresh()
  harness.texts.set(id, { id, author })
  return id
}

describe('notifications of events', () => {
  test('a mention, with its status, to mentioned local accounts', async () => {
    const id = text(REMOTE)
    await harness.announce(statusCreated, posted(id, REMOTE, { local: false, mentions: [ALICE, BOB, REMOTE] }))
    const [one] = await listOf(ALICE)
    expect(one).toMatchObject({ type: 'mention', account: { acct: 'rita@far.example' }, status: { id } })
    expect(one?.group_key).toBe(`ungrouped-${one?.id}`)
    expect(await notificationsOf(BOB)).toEqual([['mention', 'rita']])
    expect(await notificationsOf(CAROL)).toEqual([])
    const rows = await harness.cluster.db('notifications').rows<{ data: string }>(sql`select data from outbox
      where subject = ${notificationCreated.subject} and data::jsonb->>'id' = ${one?.id ?? ''}`)
    expect(rows.map((row) => JSON.parse(row.data))).toEqual([
      { id: one?.id, recipient: ALICE, type: 'mention', from: REMOTE, filtered: false },
    ])
  })

  test('a favourite, until it is removed', async () => {
    const status = text(ALICE)
    const favourite = favourited(fresh(), BOB, status, ALICE)
    await harness.announce(favouriteCreated, favourite)
    expect(await listOf(ALICE)).toMatchObject([
      { type: 'favourite', account: { username: 'bob' }, status: { id: status } },
    ])
    await harness.announce(favouriteRemoved, favourite)
    expect(await notificationsOf(ALICE)).toEqual([])
  })

  test('a boost, with the boosted status, until it is undone', async () => {
    const status = text(ALICE)
    const boost = fresh()
    await harness.announce(statusCreated, boosted(boost, BOB, status, ALICE))
    expect(await listOf(ALICE)).toMatchObject([
      { type: 'reblog', account: { username: 'bob' }, status: { id: status } },
    ])
    await harness.announce(statusDeleted, { ...deleted(boost, BOB), reblogOf: status, reblogOfAuthor: ALICE })
    expect(await notificationsOf(ALICE)).toEqual([])
  })

  test('a follow and a request, until they end', async () => {
    const follow = followed(fresh(), BOB, ALICE)
    const request = asked(fresh(), CAROL, ALICE)
    await harness.announce(followCreated, follow)
    await harness.announce(followRequested, request)
    expect(await notificationsOf(ALICE)).toEqual([
      ['follow_request', 'carol'],
      ['follow', 'bob'],
    ])
    await harness.announce(followRequestRemoved, { ...request, why: 'withdrawn' })
    await harness.announce(followRemoved, { ...follow, byTarget: false })
    expect(await notificationsOf(ALICE)).toEqual([])
  })

  test('S-068 S-184 a status, to followers with notifications of it: originals and replies to the own account', async () => {
    harness.notified.set(BOB, [ALICE, CAROL])
    await harness.announce(statusCreated, posted(text(BOB), BOB))
    expect(await notificationsOf(ALICE)).toEqual([['status', 'bob']])
    expect(await notificationsOf(CAROL)).toEqual([['status', 'bob']])
    await harness.announce(
      statusCreated,
      posted(text(BOB), BOB, { inReplyTo: '5', inReplyToAuthor: BOB, visibility: 'private' }),
    )
    expect(await notificationsOf(ALICE)).toHaveLength(2)
    await harness.announce(
      statusCreated,
      posted(text(BOB), BOB, { inReplyTo: '5', inReplyToAuthor: CAROL }),
      posted(text(BOB), BOB, { visibility: 'direct' }),
      posted(text(BOB), BOB, { push: false, mentions: [ALICE] }),
      boosted(fresh(), BOB, text(REMOTE), REMOTE),
    )
    expect(await notificationsOf(ALICE)).toHaveLength(2)
  })

  test('more followers than one page has are notified by jobs', async () => {
    const fakeAccounts = Array.from({ length: 1_100 }, (_, i) => String(10_000 + i))
    for (const id of fakeAccounts) harness.fakeAccounts.set(id, { id, username: `p${id}` })
    harness.notified.set(BOB, fakeAccounts)
    await harness.announce(statusCreated, posted(text(BOB), BOB))
    const row = await harness.cluster
      .db('notifications')
      .row<{ count: number; people: number }>(
        sql`select count(*)::int as count, count(distinct recipient_id)::int as people from notifications`,
      )
    expect(row).toEqual({ count: 1_100, people: 1_100 })
  })

  test('S-184 an edit, to accounts that boosted the status; a later one replaces the earlier', async () => {
    const status = text(BOB)
    harness.boosters.set(status, [ALICE, CAROL, BOB])
    await harness.announce(statusEdited, edited(status, BOB))
    const [first] = await listOf(ALICE)
    expect(first).toMatchObject({ type: 'update', status: { id: status } })
    await harness.announce(statusEdited, edited(status, BOB))
    const [second, ...rest] = await listOf(ALICE)
    expect(rest).toEqual([])
    expect(Number(second?.id)).toBeGreaterThan(Number(first?.id))
    expect(await notificationsOf(BOB)).toEqual([])
  })

  test('F011 the end of a poll, once, to its author and the voters', async () => {
    const status = text(ALICE)
    harness.voters.set('77', [BOB, CAROL])
    const end = { id: '77', status, author: ALICE, local: true }
    await harness.announce(pollEnded, end, end)
    for (const id of [ALICE, BOB, CAROL]) expect(await notificationsOf(id)).toEqual([['poll', 'alice']])
  })

  test('the end of a poll that an edit undid meanwhile, to no account', async () => {
    const status = text(ALICE)
    harness.voters.set('78', [BOB])
    harness.running.add('78')
    await harness.announce(pollEnded, { id: '78', status, author: ALICE, local: true })
    for (const id of [ALICE, BOB]) expect(await notificationsOf(id)).toEqual([])
    harness.running.delete('78')
  })

  test('each end of a poll that an edit reset, to its voters; the reset removes the earlier notifications', async () => {
    const status = text(ALICE)
    const end = { id: '79', status, author: ALICE, local: true }
    harness.voters.set('79', [BOB, CAROL])
    await harness.announce(statusCreated, posted(status, ALICE, { mentions: [BOB] }))
    await harness.announce(pollEnded, end)
    expect(await notificationsOf(CAROL)).toEqual([['poll', 'alice']])
    await harness.announce(pollReopened, { id: '79', status })
    expect(await notificationsOf(ALICE)).toEqual([])
    expect(await notificationsOf(BOB)).toEqual([['mention', 'alice']])
    expect(await notificationsOf(CAROL)).toEqual([])
    harness.voters.set('79', [CAROL])
    await harness.announce(pollEnded, end)
    for (const id of [ALICE, CAROL]) expect(await notificationsOf(id)).toEqual([['poll', 'alice']])
    expect(await notificationsOf(BOB)).toEqual([['mention', 'alice']])
  })

  test('a reset of a poll that is handled after the next end keeps the notifications of that end', async () => {
    const status = text(ALICE)
    harness.voters.set('80', [BOB])
    await harness.announce(pollEnded, { id: '80', status, author: ALICE, local: true })
    const ctx = harness.cluster.host.running.find((one) => one.service === 'notifications')?.ctx
    const at = Date.now() - 60_000
    await onPollReopened.run(ctx, { id: '80', status, eventId: '1', at, consumer: 'test' })
    expect(await notificationsOf(BOB)).toEqual([['poll', 'alice']])
  })

  test('an event whose next page could not be queued is not recorded, so that it is handled again', async () => {
    const ctx = harness.cluster.host.running.find((one) => one.service === 'notifications')?.ctx
    const queue = () => {
      throw new Error('not queued')
    }
    const status = text(ALICE)
    harness.voters.set('82', [BOB])
    const end = { id: '82', status, author: ALICE, local: true, eventId: '82', at: Date.now(), consumer: 'test' }
    await expect(onPollEnded.run({ ...ctx, queue }, end)).rejects.toThrow('not queued')
    const edit = { ...edited(status, ALICE), eventId: '83', at: Date.now(), consumer: 'test' }
    await expect(onStatusEdited.run({ ...ctx, queue }, edit)).rejects.toThrow('not queued')
    const recorded = sql`select consumer from consumed where event_id in (82, 83) and consumer like 'test%'`
    expect(await harness.cluster.db('notifications').rows(recorded)).toEqual([])
  })

  test('the next end of a poll whose reset is handled last, to its author and voters', async () => {
    const status = text(ALICE)
    const end = { id: '81', status, author: ALICE, local: true }
    harness.voters.set('81', [BOB])
    await harness.announce(pollEnded, end)
    const reset = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 20))
    await harness.announce(pollEnded, end)
    const ctx = harness.cluster.host.running.find((one) => one.service === 'notifications')?.ctx
    await onPollReopened.run(ctx, { id: '81', status, eventId: '2', at: reset, consumer: 'test' })
    for (const id of [ALICE, BOB]) expect(await notificationsOf(id)).toEqual([['poll', 'alice']])
  })

  test('a mention that an edit added', async () => {
    const status = text(BOB)
    await harness.announce(statusEdited, edited(status, BOB, { mentions: [ALICE, CAROL], added: [CAROL] }))
    expect(await notificationsOf(ALICE)).toEqual([])
    expect(await notificationsOf(CAROL)).toEqual([['mention', 'bob']])
  })

  test('at most the first fifty mentions of a remote status, also after an edit', async () => {
    const mentions = [CAROL, ...Array.from({ length: 49 }, (_, i) => String(7_000 + i)), ALICE]
    const edit = { local: false, mentions, added: mentions }
    await harness.announce(statusEdited, edited(text(REMOTE), REMOTE, edit))
    expect((await notificationsOf(CAROL)).map(([type]) => type)).toEqual(['mention'])
    expect(await notificationsOf(ALICE)).toEqual([])
  })

  test('the first open report, to staff with the permission', async () => {
    harness.staff.set('manage_reports', [ALICE])
    const report = {
      ...{ id: fresh(), reporter: BOB, target: CAROL, statusIds: ['7'], comment: 'spam', category: 'spam' },
      ruleIds: [] as string[],
      collectionIds: ['5'],
      createdAt: '2026-01-02T03:04:05.678Z',
      forward: ['far.example'],
      first: true,
    }
    await harness.announce(reportFiled, report, { ...report, id: fresh(), first: false })
    const shown = async () => {
      const [one, ...more] = (await listOf(ALICE)) as unknown as { report: Record<string, unknown> }[]
      expect(more).toEqual([])
      expect(one).toMatchObject({ type: 'admin.report', account: { username: 'bob' } })
      const { target_account, ...rest } = one?.report ?? {}
      expect(target_account).toMatchObject({ username: 'carol' })
      return rest
    }
    const asFiled = {
      ...{ id: report.id, category: 'spam', comment: 'spam', forwarded: true, created_at: report.createdAt },
      ...{ action_taken: false, action_taken_at: null, status_ids: ['7'], rule_ids: null, collection_ids: ['5'] },
    }
    expect(await shown()).toEqual(asFiled)

    const settled = { action_taken: true, action_taken_at: '2026-01-03T00:00:00.000Z' }
    const change = { id: report.id, category: 'violation', ruleIds: ['3', '4'], actionTakenAt: settled.action_taken_at }
    await harness.announce(reportChanged, change)
    expect(await shown()).toEqual({ ...asFiled, ...settled, category: 'violation', rule_ids: ['3', '4'] })
    await harness.announce(reportChanged, { ...change, category: 'spam', ruleIds: [], actionTakenAt: null })
    expect(await shown()).toEqual(asFiled)
  })

  test('a report that was resolved before the notification is shown as resolved, whichever event arrives first', async () => {
    harness.staff.set('manage_reports', [ALICE])
    const report = {
      ...{ id: fresh(), reporter: BOB, target: CAROL, statusIds: [], comment: '', category: 'spam' },
      ...{ ruleIds: [], collectionIds: [], forward: [], first: true },
    }
    const change = { id: report.id, category: 'violation', ruleIds: ['3'], actionTakenAt: '2026-01-03T00:00:00.000Z' }
    await harness.announce(reportChanged, { ...change, category: 'other', actionTakenAt: null }, change)
    await harness.announce(reportFiled, report)
    const shown = async () => ((await listOf(ALICE)) as unknown as { report: Record<string, unknown> }[])[0]?.report
    const settled = {
      category: 'violation',
      rule_ids: ['3'],
      action_taken: true,
      action_taken_at: change.actionTakenAt,
    }
    expect(await shown()).toMatchObject(settled)
    await harness.announce(reportFiled, report)
    expect(await shown()).toMatchObject(settled)
    await harness.announce(reportChanged, { ...change, actionTakenAt: null })
    expect(await shown()).toMatchObject({ ...settled, action_taken: false, action_taken_at: null })
  })

  test('a report and its resolution, in simultaneous events', async () => {
    harness.staff.set('manage_reports', [ALICE])
    const reports = Array.from({ length: 8 }, () => ({
      ...{ id: fresh(), reporter: BOB, target: CAROL, statusIds: [], comment: '', category: 'spam' },
      ...{ ruleIds: [], collectionIds: [], forward: [], first: true },
    }))
    const at = '2026-01-03T00:00:00.000Z'
    await Promise.all([
      harness.announce(reportFiled, ...reports),
      harness.announce(
        reportChanged,
        ...reports.map(({ id }) => ({ id, category: 'legal', ruleIds: [], actionTakenAt: at })),
      ),
    ])
    const shown = (await listOf(ALICE)) as unknown as { report: Record<string, unknown> }[]
    expect(shown.map((one) => [one.report.category, one.report.action_taken_at])).toEqual(
      reports.map(() => ['legal', at]),
    )
  })

  test('a sign-up, to staff with the permission', async () => {
    harness.staff.set('manage_users', [ALICE])
    await harness.announce(accountJoined, { id: BOB, approved: false })
    expect(await notificationsOf(ALICE)).toEqual([['admin.sign_up', 'bob']])
  })

  test('S-184 a warning, to the moderated account, without the name of the moderator', async () => {
    const strike = { id: fresh(), target: ALICE, targetLocal: true, action: 'silence' as const, text: 'Be kind' }
    await harness.announce(
      strikeCreated,
      { ...strike, statusIds: [], tell: true },
      { ...strike, id: fresh(), statusIds: [], tell: false },
    )
    expect(await listOf(ALICE)).toMatchObject([
      {
        type: 'moderation_warning',
        account: { username: 'alice' },
        moderation_warning: {
          action: 'silence',
          text: 'Be kind',
          status_ids: null,
          target_account: { username: 'alice' },
        },
      },
    ])
    const removal = { ...strike, id: fresh(), action: 'delete_statuses' as const, statusIds: ['5', '6'], tell: true }
    await harness.announce(strikeCreated, removal)
    expect((await listOf(ALICE))[0]).toMatchObject({
      type: 'moderation_warning',
      moderation_warning: { action: 'delete_statuses', status_ids: ['5', '6'] },
    })
  })
})

describe('I4 F058 once', () => {
  test('F023 a repeated event changes nothing, also after the notification was dismissed', async () => {
    const again = async () => {
      await harness.cluster.db('statuses').run(sql`update outbox set sent_at = null, replays = replays + 1,
        created_at = created_at - interval '1 minute' where id = (select max(id) from outbox)`)
      await harness.cluster.waitForIdle()
    }
    const status = text(ALICE)
    await harness.announce(favouriteCreated, favourited(fresh(), BOB, status, ALICE))
    await again()
    const [one, ...rest] = await listOf(ALICE)
    expect(rest).toEqual([])
    await harness.cluster.call(dismissNotification, { id: one?.id ?? '' }, viewer(ALICE))
    await again()
    expect(await notificationsOf(ALICE)).toEqual([])
  })

  test('one notification for an activity that is announced 50 times at once', async () => {
    const status = text(ALICE)
    const favourite = favourited(fresh(), BOB, status, ALICE)
    await harness.announce(favouriteCreated, ...Array.from({ length: 50 }, () => favourite))
    expect(await notificationsOf(ALICE)).toHaveLength(1)
    expect(harness.live).toHaveLength(1)
  })
})

describe('F061 in any order', () => {
  test('an activity that was undone first is not notified', async () => {
    const status = text(ALICE)
    const favourite = favourited(fresh(), BOB, status, ALICE)
    const follow = followed(fresh(), BOB, ALICE)
    const mention = text(BOB)
    await harness.announce(favouriteRemoved, favourite)
    await harness.announce(followRemoved, { ...follow, byTarget: false })
    await harness.announce(statusDeleted, deleted(mention, BOB))
    await harness.announce(favouriteCreated, favourite)
    await harness.announce(followCreated, follow)
    await harness.announce(statusCreated, posted(mention, BOB, { mentions: [ALICE] }))
    expect(await notificationsOf(ALICE)).toEqual([])
    expect(harness.live).toEqual([])
  })

  test('a favourite of a status that was deleted meanwhile is not notified', async () => {
    const status = text(ALICE)
    await harness.announce(statusDeleted, deleted(status, ALICE))
    await harness.announce(favouriteCreated, favourited(fresh(), BOB, status, ALICE))
    expect(await notificationsOf(ALICE)).toEqual([])
  })

  test('deleting a status deletes all notifications about it', async () => {
    const status = text(ALICE)
    await harness.announce(
      statusCreated,
      posted(status, ALICE, { mentions: [BOB] }),
      boosted(fresh(), BOB, status, ALICE),
    )
    await harness.announce(favouriteCreated, favourited(fresh(), CAROL, status, ALICE))
    await harness.announce(statusDeleted, deleted(status, ALICE))
    const rows = await harness.cluster.db('notifications').rows(sql`select id from notifications`)
    expect(rows).toEqual([])
  })
})

describe('F060 blocks and mutes', () => {
  test('a block, mute or domain block deletes earlier notifications, and the request', async () => {
    const status = text(ALICE)
    const mention = text(REMOTE)
    harness.fakeAccounts.set(CAROL, { id: CAROL, username: 'carol', silenced: true })
    await harness.announce(favouriteCreated, favourited(fresh(), BOB, status, ALICE))
    await harness.announce(statusCreated, posted(text(CAROL), CAROL, { mentions: [ALICE] }))
    await harness.announce(statusCreated, posted(mention, REMOTE, { local: false, mentions: [ALICE] }))
    expect(await notificationsOf(ALICE)).toEqual([
      ['mention', 'rita'],
      ['favourite', 'bob'],
    ])
    await harness.announce(blockCreated, blocked(fresh(), ALICE, BOB))
    await harness.announce(domainBlocked, { id: ALICE, domain: 'far.example' })
    expect(await listOf(ALICE, { include_filtered: true })).toMatchObject([
      { filtered: true, account: { username: 'carol' } },
    ])
    await harness.announce(muteCreated, muted(fresh(), ALICE, CAROL, false))
    expect(await listOf(ALICE, { include_filtered: true })).toHaveLength(1)
    await harness.announce(muteCreated, muted(fresh(), ALICE, CAROL, true))
    expect(await listOf(ALICE, { include_filtered: true })).toEqual([])
    expect(await harness.cluster.db('notifications').rows(sql`select id from requests`)).toEqual([])
  })

  test('a block hides notifications on the next read, before its event is received', async () => {
    await harness.announce(followCreated, followed(fresh(), BOB, ALICE))
    harness.relationships.set('1>2', { blocking: true })
    expect(await notificationsOf(ALICE)).toEqual([])
  })

  test('a block between reading the state and storing prevents the notification', async () => {
    let readings = 0
    harness.beforeRelationships = async () => {
      if (++readings > 1) return
      harness.relationships.set('1>2', { blocking: true })
      // The reaction to the block runs before the delayed one stores the notification.
      const accounts = harness.cluster.host.running.find((one) => one.service === 'accounts')!.ctx
      await accounts.db.tx((tx) => accounts.announce(tx, blockCreated, blocked(fresh(), ALICE, BOB)))
      await expect
        .poll(() => harness.cluster.db('notifications').rows(sql`select key from barriers`))
        .toEqual([{ key: 'pair:1:2' }])
    }
    await harness.announce(favouriteCreated, favourited(fresh(), BOB, text(ALICE), ALICE))
    expect(readings).toBe(2)
    expect(await harness.cluster.db('notifications').rows(sql`select id from notifications`)).toEqual([])
  })

  test.each([
    ['sender', BOB],
    ['recipient', ALICE],
  ])('a notification whose %s is permanently deleted meanwhile is not stored, nor counted', async (_who, gone) => {
    let readings = 0
    harness.beforeRelationships = async () => {
      if (++readings > 1) return
      harness.fakeAccounts.delete(gone)
      // The reaction to the deletion runs before the delayed one stores the notification.
      const accounts = harness.cluster.host.running.find((one) => one.service === 'accounts')!.ctx
      const removed = { id: gone, local: true, uri: `https://here.example/users/${gone}` }
      await accounts.db.tx((tx) => accounts.announce(tx, accountRemoved, removed))
      await expect
        .poll(() => harness.cluster.db('notifications').rows(sql`select key from barriers`))
        .toEqual([{ key: `removed:${gone}` }])
    }
    await harness.announce(favouriteCreated, favourited(fresh(), BOB, text(ALICE), ALICE))
    expect(readings).toBe(1)
    expect(await harness.cluster.db('notifications').rows(sql`select id from notifications`)).toEqual([])
    expect(await harness.cluster.call(unreadCount, {}, viewer(ALICE))).toEqual({ count: 0 })
  })

  test.each([
    ['sender', BOB],
    ['recipient', ALICE],
  ])('a notification whose %s is permanently deleted while it is stored does not stay', async (_who, gone) => {
    const db = harness.cluster.db('notifications')
    const pending: Promise<unknown>[] = []
    let isRemoved = false
    await db.tx(async (tx) => {
      // The queries run in this transaction, because the test has few connections to the database.
      const waiting = (condition: Sql) =>
        tx.rows(sql`select 1 from pg_locks where not granted and ${condition}
          and database = (select oid from pg_database where datname = current_database())`)
      // The transaction that stores the notification has read the barriers, and waits for this lock.
      await tx.run(sql`lock table consumed in share mode`)
      pending.push(harness.announce(favouriteCreated, favourited(fresh(), BOB, text(ALICE), ALICE)))
      await expect.poll(() => waiting(sql`relation = 'consumed'::regclass`)).toHaveLength(1)
      harness.fakeAccounts.delete(gone)
      pending.push(undoAccount({ db }, gone).then(() => (isRemoved = true)))
      const advisory = sql`locktype = 'advisory'`
      await expect.poll(async () => isRemoved || (await waiting(advisory)).length > 0).toBe(true)
    })
    await Promise.all(pending)
    expect(await db.rows(sql`select key from barriers`)).toEqual([{ key: `removed:${gone}` }])
    expect(await db.rows(sql`select id from notifications`)).toEqual([])
    // The notification was stored before the account was removed.
    expect(harness.live).toHaveLength(1)
  })

  test.each<[string, (n: number) => boolean, (db: Database) => Promise<void>]>([
    ['of a deleted recipient', (n) => n % 2 === 0, (db) => undoAccount({ db }, ALICE)],
    ['by a deleted sender', (n) => n % 3 === 0, (db) => undoAccount({ db }, '52')],
    ['by a blocked domain', (n) => n % 4 === 0, (db) => refuseDomain({ db }, ALICE, 'far.example')],
    ['about a deleted status', (n) => n % 5 === 0, (db) => undoStatus({ db }, '57')],
    ['of a recipient who clears them', (n) => n % 2 === 0, (db) => clearAll({ db }, ALICE)],
  ])('many notifications %s are removed in steps, and no others', async (_which, isGone, removal) => {
    const db = harness.cluster.db('notifications')
    await db.run(sql`insert into notifications (recipient_id, type, from_id, from_domain, status_id, source, created_at)
      select 1 + n % 2, 'favourite', 52 + n % 3, case when n % 4 < 2 then 'far.example' end, 57 + n % 5, 'test:' || n, now()
      from generate_series(1, 24000) as n`)
    await removal(db)
    const rows = await db.rows<{ n: number }>(sql`select split_part(source, ':', 2)::int as n from notifications`)
    const kept = Array.from({ length: 24_000 }, (_one, i) => i + 1).filter((n) => !isGone(n))
    expect(rows.map((row) => row.n).toSorted((x, y) => x - y)).toEqual(kept)
  })

  test('simultaneous removals of the same notifications leave none', async () => {
    const db = harness.cluster.db('notifications')
    await db.run(sql`insert into notifications (recipient_id, type, from_id, status_id, source, created_at)
      select 1, 'favourite', 52, 57 + n % 2, 'test:' || n, now() from generate_series(1, 24000) as n`)
    await Promise.all([clearAll({ db }, ALICE), undoStatus({ db }, '57'), undoStatus({ db }, '58')])
    expect(await db.rows(sql`select id from notifications`)).toEqual([])
  })

  test.each([
    ['blocks', { blocking: true }],
    ['mutes with notifications', { muting_notifications: true, muting: true }],
    ['blocks the domain of', { domain_blocking: true }],
  ])('nobody hears from somebody whom they are said to %s', async (_what, relationship) => {
    harness.relationships.set('1>2', relationship)
    await harness.announce(statusCreated, posted(text(BOB), BOB, { mentions: [ALICE] }))
    expect(await harness.cluster.db('notifications').rows(sql`select id from notifications`)).toEqual([])
  })

  test('nor of a mention together with a blocked account, nor of a muted thread', async () => {
    harness.relationships.set('1>3', { blocking: true })
    await harness.announce(statusCreated, posted(text(BOB), BOB, { mentions: [ALICE, CAROL] }))
    await harness.announce(
      statusCreated,
      posted(text(BOB), BOB, { mentions: [ALICE], inReplyTo: '5', inReplyToAuthor: CAROL }),
    )
    const status = text(ALICE)
    harness.muted.set(status, [ALICE])
    await harness.announce(favouriteCreated, favourited(fresh(), BOB, status, ALICE))
    expect(await notificationsOf(ALICE)).toEqual([])
    expect(await notificationsOf(CAROL)).toEqual([['mention', 'bob']])
  })

  test('nor of a mention that an edit added, in a reply to a blocked account', async () => {
    harness.relationships.set('1>3', { blocking: true })
    const edit = { mentions: [ALICE], added: [ALICE], inReplyToAuthor: CAROL }
    await harness.announce(statusEdited, edited(text(BOB), BOB, edit))
    expect(await notificationsOf(ALICE)).toEqual([])
    await harness.announce(statusEdited, edited(text(BOB), BOB, { ...edit, inReplyToAuthor: null }))
    expect(await notificationsOf(ALICE)).toEqual([['mention', 'bob']])
  })

  test('notifications of suspended senders are hidden, and shown again afterwards', async () => {
    await harness.announce(followCreated, followed(fresh(), BOB, ALICE))
    const flags = { local: true, silenced: false, sensitized: false, discoverable: true, indexable: true, domain: null }
    await harness.announce(accountChanged, { id: BOB, flags: { ...flags, suspended: true }, profile: false })
    expect(await notificationsOf(ALICE)).toEqual([])
    expect(await harness.cluster.call(unreadCount, {}, viewer(ALICE))).toEqual({ count: 0 })
    await harness.announce(accountChanged, { id: BOB, flags: { ...flags, suspended: false }, profile: false })
    expect(await notificationsOf(ALICE)).toEqual([['follow', 'bob']])
  })

  test('all data of a deleted account is deleted', async () => {
    await harness.announce(followCreated, followed(fresh(), BOB, ALICE), followed(fresh(), ALICE, BOB))
    await harness.announce(accountRemoved, { id: BOB, local: true, uri: 'https://here.example/users/bob' })
    expect(await harness.cluster.db('notifications').rows(sql`select id from notifications`)).toEqual([])
  })
})

describe('filtered', () => {
  test('A044 a private mention by an unrelated account in another thread is a request and is hidden', async () => {
    const status = text(REMOTE)
    await harness.announce(
      statusCreated,
      posted(status, REMOTE, {
        local: false,
        visibility: 'direct',
        mentions: [ALICE],
        inReplyTo: '5',
        inReplyToAuthor: BOB,
      }),
    )
    expect(await notificationsOf(ALICE)).toEqual([])
    expect(harness.live).toEqual([])
    expect(await listOf(ALICE, { include_filtered: true })).toMatchObject([{ type: 'mention', filtered: true }])
    const db = harness.cluster.db('notifications')
    const request = sql`select from_id, last_status_id, notifications_count from requests where recipient_id = ${ALICE}`
    expect(await db.rows(request)).toEqual([{ from_id: REMOTE, last_status_id: status, notifications_count: 1 }])
    const again = text(REMOTE)
    await harness.announce(
      statusCreated,
      posted(again, REMOTE, { local: false, visibility: 'direct', mentions: [ALICE] }),
    )
    expect(await db.rows(request)).toEqual([{ from_id: REMOTE, last_status_id: again, notifications_count: 2 }])
    await harness.announce(statusDeleted, deleted(again, REMOTE))
    expect(await db.rows(request)).toEqual([{ from_id: REMOTE, last_status_id: status, notifications_count: 1 }])
    await harness.announce(statusDeleted, deleted(status, REMOTE))
    expect(await db.rows(request)).toEqual([])
  })

  test('a reply to an own private mention is shown', async () => {
    const status = text(BOB)
    harness.wrote.set(status, [ALICE])
    await harness.announce(statusCreated, posted(status, BOB, { visibility: 'direct', mentions: [ALICE] }))
    expect(await notificationsOf(ALICE)).toEqual([['mention', 'bob']])
  })

  test('an accepted sender and an own policy decide', async () => {
    const db = harness.cluster.db('notifications')
    await db.run(sql`insert into policies (recipient_id, for_not_following) values (${ALICE}, 'drop')`)
    await db.run(sql`insert into permissions (recipient_id, from_id) values (${ALICE}, ${CAROL})`)
    await harness.announce(followCreated, followed(fresh(), BOB, ALICE), followed(fresh(), CAROL, ALICE))
    expect(await notificationsOf(ALICE)).toEqual([['follow', 'carol']])
  })

  test('notifications of staff are shown despite a block', async () => {
    harness.fakeAccounts.set(BOB, {
      id: BOB,
      username: 'bob',
      role: { position: 10, permissions: 1 << 4, highlighted: true },
    })
    harness.relationships.set('1>2', { blocking: true })
    await harness.announce(statusCreated, posted(text(BOB), BOB, { mentions: [ALICE] }))
    await harness.announce(blockCreated, blocked(fresh(), ALICE, BOB))
    expect(await notificationsOf(ALICE)).toEqual([['mention', 'bob']])
  })
})

describe('shown live, and in groups', () => {
  test('open connections get the event after the notification is stored', async () => {
    await harness.announce(followCreated, followed(fresh(), BOB, ALICE))
    const [one] = await listOf(ALICE)
    expect(harness.live).toEqual([{ account: ALICE, message: { e: 'notification', id: one?.id } }])
  })

  test('favourites of one status share a group, without those of other statuses and filtered ones', async () => {
    const [first, second] = [text(ALICE), text(ALICE)]
    const hour = Math.floor(Date.now() / 3_600_000)
    await harness.announce(
      favouriteCreated,
      favourited(fresh(), BOB, first, ALICE),
      favourited(fresh(), CAROL, first, ALICE),
      favourited(fresh(), BOB, second, ALICE),
    )
    harness.fakeAccounts.set(REMOTE, { id: REMOTE, username: 'rita', domain: 'far.example', silenced: true })
    await harness.announce(favouriteCreated, { ...favourited(fresh(), REMOTE, first, ALICE), byLocal: false })
    const keys = (await listOf(ALICE, { include_filtered: true })).map((one) => [one.group_key, one.id] as const)
    expect(keys[0]?.[0]).toBe(`ungrouped-${keys[0]?.[1]}`)
    expect(
      keys
        .slice(1)
        .map(([key]) => key)
        .sort(),
    ).toEqual([`favourite-${first}-${hour}`, `favourite-${first}-${hour}`, `favourite-${second}-${hour}`].sort())
  })

  test('a group lasts for 12 hours', async () => {
    const status = text(ALICE)
    const hour = Math.floor(Date.now() / 3_600_000)
    const db = harness.cluster.db('notifications')
    await db.run(sql`insert into group_hours (recipient_id, prefix, hour) values
      (${ALICE}, ${`favourite-${status}`}, ${hour - 11}), (${ALICE}, 'follow', ${hour - 12})`)
    await harness.announce(favouriteCreated, favourited(fresh(), BOB, status, ALICE))
    await harness.announce(followCreated, followed(fresh(), BOB, ALICE))
    expect((await listOf(ALICE)).map((one) => one.group_key)).toEqual([
      `follow-${hour}`,
      `favourite-${status}-${hour - 11}`,
    ])
  })
})
