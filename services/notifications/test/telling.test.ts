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
  statusCreated,
  statusDeleted,
  statusEdited,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asked, blocked, boosted, deleted, edited, favourited, followed, muted, posted } from './happening.js'
import { startWorld, type World } from './world.js'

const [ALICE, BOB, CAROL, REMOTE] = ['1', '2', '3', '9'] as const
let world: World
let next = 1_000
/** An unused id. */
const fresh = () => String(++next)

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(async () => {
  for (const table of [
    world.standings,
    world.texts,
    world.notified,
    world.staff,
    world.muted,
    world.wrote,
    world.boosters,
  ])
    table.clear()
  world.beforeStandings = async () => {}
  world.live.length = 0
  world.people.clear()
  for (const [id, username, domain] of [
    [ALICE, 'alice', null],
    [BOB, 'bob', null],
    [CAROL, 'carol', null],
    [REMOTE, 'rita', 'far.example'],
  ] as const)
    world.people.set(id, { id, username, domain })
  const db = world.cluster.db('notifications')
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
  world.cluster.call(listNotifications, more, viewer(id))
const told = async (id: string) => (await listOf(id)).map((one) => [one.type, one.account.username])
/** Stores a visible status. Returns its id. */
const text = (author: string): string => {
  const id = fresh()
  world.texts.set(id, { id, author })
  return id
}

describe('notifications of events', () => {
  test('a mention, with its status, to mentioned local accounts', async () => {
    const id = text(REMOTE)
    await world.tell(statusCreated, posted(id, REMOTE, { local: false, mentions: [ALICE, BOB, REMOTE] }))
    const [one] = await listOf(ALICE)
    expect(one).toMatchObject({ type: 'mention', account: { acct: 'rita@far.example' }, status: { id } })
    expect(one?.group_key).toBe(`ungrouped-${one?.id}`)
    expect(await told(BOB)).toEqual([['mention', 'rita']])
    expect(await told(CAROL)).toEqual([])
    const rows = await world.cluster.db('notifications').rows<{ data: string }>(sql`select data from outbox
      where subject = ${notificationCreated.subject} and data::jsonb->>'id' = ${one?.id ?? ''}`)
    expect(rows.map((row) => JSON.parse(row.data))).toEqual([
      { id: one?.id, recipient: ALICE, type: 'mention', from: REMOTE, filtered: false },
    ])
  })

  test('a favourite, until it is removed', async () => {
    const status = text(ALICE)
    const favourite = favourited(fresh(), BOB, status, ALICE)
    await world.tell(favouriteCreated, favourite)
    expect(await listOf(ALICE)).toMatchObject([
      { type: 'favourite', account: { username: 'bob' }, status: { id: status } },
    ])
    await world.tell(favouriteRemoved, favourite)
    expect(await told(ALICE)).toEqual([])
  })

  test('a boost, with the boosted status, until it is undone', async () => {
    const status = text(ALICE)
    const boost = fresh()
    await world.tell(statusCreated, boosted(boost, BOB, status, ALICE))
    expect(await listOf(ALICE)).toMatchObject([
      { type: 'reblog', account: { username: 'bob' }, status: { id: status } },
    ])
    await world.tell(statusDeleted, { ...deleted(boost, BOB), reblogOf: status, reblogOfAuthor: ALICE })
    expect(await told(ALICE)).toEqual([])
  })

  test('a follow and a request, until they end', async () => {
    const follow = followed(fresh(), BOB, ALICE)
    const request = asked(fresh(), CAROL, ALICE)
    await world.tell(followCreated, follow)
    await world.tell(followRequested, request)
    expect(await told(ALICE)).toEqual([
      ['follow_request', 'carol'],
      ['follow', 'bob'],
    ])
    await world.tell(followRequestRemoved, { ...request, why: 'withdrawn' })
    await world.tell(followRemoved, { ...follow, byTarget: false })
    expect(await told(ALICE)).toEqual([])
  })

  test('S-068 S-184 a status, to followers with notifications of it: originals and replies to the own account', async () => {
    world.notified.set(BOB, [ALICE, CAROL])
    await world.tell(statusCreated, posted(text(BOB), BOB))
    expect(await told(ALICE)).toEqual([['status', 'bob']])
    expect(await told(CAROL)).toEqual([['status', 'bob']])
    await world.tell(
      statusCreated,
      posted(text(BOB), BOB, { inReplyTo: '5', inReplyToAuthor: BOB, visibility: 'private' }),
    )
    expect(await told(ALICE)).toHaveLength(2)
    await world.tell(
      statusCreated,
      posted(text(BOB), BOB, { inReplyTo: '5', inReplyToAuthor: CAROL }),
      posted(text(BOB), BOB, { visibility: 'direct' }),
      posted(text(BOB), BOB, { push: false, mentions: [ALICE] }),
      boosted(fresh(), BOB, text(REMOTE), REMOTE),
    )
    expect(await told(ALICE)).toHaveLength(2)
  })

  test('more followers than one page has are notified by jobs', async () => {
    const people = Array.from({ length: 1_100 }, (_, i) => String(10_000 + i))
    for (const id of people) world.people.set(id, { id, username: `p${id}` })
    world.notified.set(BOB, people)
    await world.tell(statusCreated, posted(text(BOB), BOB))
    const row = await world.cluster
      .db('notifications')
      .row<{ count: number; people: number }>(
        sql`select count(*)::int as count, count(distinct recipient_id)::int as people from notifications`,
      )
    expect(row).toEqual({ count: 1_100, people: 1_100 })
  })

  test('S-184 an edit, to accounts that boosted the status; a later one replaces the earlier', async () => {
    const status = text(BOB)
    world.boosters.set(status, [ALICE, CAROL, BOB])
    await world.tell(statusEdited, edited(status, BOB))
    const [first] = await listOf(ALICE)
    expect(first).toMatchObject({ type: 'update', status: { id: status } })
    await world.tell(statusEdited, edited(status, BOB))
    const [second, ...rest] = await listOf(ALICE)
    expect(rest).toEqual([])
    expect(Number(second?.id)).toBeGreaterThan(Number(first?.id))
    expect(await told(BOB)).toEqual([])
  })

  test('F011 the end of a poll, once, to its author and the voters', async () => {
    const status = text(ALICE)
    world.voters.set('77', [BOB, CAROL])
    const end = { id: '77', status, author: ALICE, local: true }
    await world.tell(pollEnded, end, end)
    for (const id of [ALICE, BOB, CAROL]) expect(await told(id)).toEqual([['poll', 'alice']])
  })

  test('a mention that an edit added', async () => {
    const status = text(BOB)
    await world.tell(statusEdited, edited(status, BOB, { mentions: [ALICE, CAROL], added: [CAROL] }))
    expect(await told(ALICE)).toEqual([])
    expect(await told(CAROL)).toEqual([['mention', 'bob']])
  })

  test('the first open report, to staff with the permission', async () => {
    world.staff.set('manage_reports', [ALICE])
    const report = {
      ...{ id: fresh(), reporter: BOB, target: CAROL, statusIds: ['7'], comment: 'spam', category: 'spam' },
      ruleIds: [] as string[],
      collectionIds: ['5'],
      createdAt: '2026-01-02T03:04:05.678Z',
      forward: ['far.example'],
      first: true,
    }
    await world.tell(reportFiled, report, { ...report, id: fresh(), first: false })
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
    await world.tell(reportChanged, change)
    expect(await shown()).toEqual({ ...asFiled, ...settled, category: 'violation', rule_ids: ['3', '4'] })
    await world.tell(reportChanged, { ...change, category: 'spam', ruleIds: [], actionTakenAt: null })
    expect(await shown()).toEqual(asFiled)
  })

  test('a report that was resolved before the notification is shown as resolved, whichever event arrives first', async () => {
    world.staff.set('manage_reports', [ALICE])
    const report = {
      ...{ id: fresh(), reporter: BOB, target: CAROL, statusIds: [], comment: '', category: 'spam' },
      ...{ ruleIds: [], collectionIds: [], forward: [], first: true },
    }
    const change = { id: report.id, category: 'violation', ruleIds: ['3'], actionTakenAt: '2026-01-03T00:00:00.000Z' }
    await world.tell(reportChanged, { ...change, category: 'other', actionTakenAt: null }, change)
    await world.tell(reportFiled, report)
    const shown = async () => ((await listOf(ALICE)) as unknown as { report: Record<string, unknown> }[])[0]?.report
    const settled = {
      category: 'violation',
      rule_ids: ['3'],
      action_taken: true,
      action_taken_at: change.actionTakenAt,
    }
    expect(await shown()).toMatchObject(settled)
    await world.tell(reportFiled, report)
    expect(await shown()).toMatchObject(settled)
    await world.tell(reportChanged, { ...change, actionTakenAt: null })
    expect(await shown()).toMatchObject({ ...settled, action_taken: false, action_taken_at: null })
  })

  test('a report and its resolution, in simultaneous events', async () => {
    world.staff.set('manage_reports', [ALICE])
    const reports = Array.from({ length: 8 }, () => ({
      ...{ id: fresh(), reporter: BOB, target: CAROL, statusIds: [], comment: '', category: 'spam' },
      ...{ ruleIds: [], collectionIds: [], forward: [], first: true },
    }))
    const at = '2026-01-03T00:00:00.000Z'
    await Promise.all([
      world.tell(reportFiled, ...reports),
      world.tell(
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
    world.staff.set('manage_users', [ALICE])
    await world.tell(accountJoined, { id: BOB, approved: false })
    expect(await told(ALICE)).toEqual([['admin.sign_up', 'bob']])
  })

  test('S-184 a warning, to the moderated account, without the name of the moderator', async () => {
    const strike = { id: fresh(), target: ALICE, targetLocal: true, action: 'silence' as const, text: 'Be kind' }
    await world.tell(
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
  })
})

describe('I4 F058 once', () => {
  test('F023 a repeated event changes nothing, also after the notification was dismissed', async () => {
    const again = async () => {
      await world.cluster.db('statuses').run(sql`update outbox set sent_at = null, replays = replays + 1,
        created_at = created_at - interval '1 minute' where id = (select max(id) from outbox)`)
      await world.cluster.settle()
    }
    const status = text(ALICE)
    await world.tell(favouriteCreated, favourited(fresh(), BOB, status, ALICE))
    await again()
    const [one, ...rest] = await listOf(ALICE)
    expect(rest).toEqual([])
    await world.cluster.call(dismissNotification, { id: one?.id ?? '' }, viewer(ALICE))
    await again()
    expect(await told(ALICE)).toEqual([])
  })

  test('one notification for an activity that is announced 50 times at once', async () => {
    const status = text(ALICE)
    const favourite = favourited(fresh(), BOB, status, ALICE)
    await world.tell(favouriteCreated, ...Array.from({ length: 50 }, () => favourite))
    expect(await told(ALICE)).toHaveLength(1)
    expect(world.live).toHaveLength(1)
  })
})

describe('F061 in any order', () => {
  test('an activity that was undone first is not notified', async () => {
    const status = text(ALICE)
    const favourite = favourited(fresh(), BOB, status, ALICE)
    const follow = followed(fresh(), BOB, ALICE)
    const mention = text(BOB)
    await world.tell(favouriteRemoved, favourite)
    await world.tell(followRemoved, { ...follow, byTarget: false })
    await world.tell(statusDeleted, deleted(mention, BOB))
    await world.tell(favouriteCreated, favourite)
    await world.tell(followCreated, follow)
    await world.tell(statusCreated, posted(mention, BOB, { mentions: [ALICE] }))
    expect(await told(ALICE)).toEqual([])
    expect(world.live).toEqual([])
  })

  test('a favourite of a status that was deleted meanwhile is not notified', async () => {
    const status = text(ALICE)
    await world.tell(statusDeleted, deleted(status, ALICE))
    await world.tell(favouriteCreated, favourited(fresh(), BOB, status, ALICE))
    expect(await told(ALICE)).toEqual([])
  })

  test('deleting a status deletes all notifications about it', async () => {
    const status = text(ALICE)
    await world.tell(statusCreated, posted(status, ALICE, { mentions: [BOB] }), boosted(fresh(), BOB, status, ALICE))
    await world.tell(favouriteCreated, favourited(fresh(), CAROL, status, ALICE))
    await world.tell(statusDeleted, deleted(status, ALICE))
    const rows = await world.cluster.db('notifications').rows(sql`select id from notifications`)
    expect(rows).toEqual([])
  })
})

describe('F060 blocks and mutes', () => {
  test('a block, mute or domain block deletes earlier notifications, and the request', async () => {
    const status = text(ALICE)
    const mention = text(REMOTE)
    world.people.set(CAROL, { id: CAROL, username: 'carol', silenced: true })
    await world.tell(favouriteCreated, favourited(fresh(), BOB, status, ALICE))
    await world.tell(statusCreated, posted(text(CAROL), CAROL, { mentions: [ALICE] }))
    await world.tell(statusCreated, posted(mention, REMOTE, { local: false, mentions: [ALICE] }))
    expect(await told(ALICE)).toEqual([
      ['mention', 'rita'],
      ['favourite', 'bob'],
    ])
    await world.tell(blockCreated, blocked(fresh(), ALICE, BOB))
    await world.tell(domainBlocked, { id: ALICE, domain: 'far.example' })
    expect(await listOf(ALICE, { include_filtered: true })).toMatchObject([
      { filtered: true, account: { username: 'carol' } },
    ])
    await world.tell(muteCreated, muted(fresh(), ALICE, CAROL, false))
    expect(await listOf(ALICE, { include_filtered: true })).toHaveLength(1)
    await world.tell(muteCreated, muted(fresh(), ALICE, CAROL, true))
    expect(await listOf(ALICE, { include_filtered: true })).toEqual([])
    expect(await world.cluster.db('notifications').rows(sql`select id from requests`)).toEqual([])
  })

  test('a block hides notifications on the next read, before its event is received', async () => {
    await world.tell(followCreated, followed(fresh(), BOB, ALICE))
    world.standings.set('1>2', { blocking: true })
    expect(await told(ALICE)).toEqual([])
  })

  test('a block between reading the facts and storing prevents the notification', async () => {
    let readings = 0
    world.beforeStandings = async () => {
      if (++readings > 1) return
      world.standings.set('1>2', { blocking: true })
      // The reaction to the block runs before the delayed one stores the notification.
      const accounts = world.cluster.host.running.find((one) => one.service === 'accounts')!.ctx
      await accounts.db.tx((tx) => accounts.announce(tx, blockCreated, blocked(fresh(), ALICE, BOB)))
      await expect
        .poll(() => world.cluster.db('notifications').rows(sql`select key from barriers`))
        .toEqual([{ key: 'pair:1:2' }])
    }
    await world.tell(favouriteCreated, favourited(fresh(), BOB, text(ALICE), ALICE))
    expect(readings).toBe(2)
    expect(await world.cluster.db('notifications').rows(sql`select id from notifications`)).toEqual([])
  })

  test.each([
    ['blocks', { blocking: true }],
    ['mutes with notifications', { muting_notifications: true, muting: true }],
    ['blocks the domain of', { domain_blocking: true }],
  ])('nobody hears from somebody whom they are said to %s', async (_what, standing) => {
    world.standings.set('1>2', standing)
    await world.tell(statusCreated, posted(text(BOB), BOB, { mentions: [ALICE] }))
    expect(await world.cluster.db('notifications').rows(sql`select id from notifications`)).toEqual([])
  })

  test('nor of a mention together with a blocked account, nor of a muted thread', async () => {
    world.standings.set('1>3', { blocking: true })
    await world.tell(statusCreated, posted(text(BOB), BOB, { mentions: [ALICE, CAROL] }))
    await world.tell(
      statusCreated,
      posted(text(BOB), BOB, { mentions: [ALICE], inReplyTo: '5', inReplyToAuthor: CAROL }),
    )
    const status = text(ALICE)
    world.muted.set(status, [ALICE])
    await world.tell(favouriteCreated, favourited(fresh(), BOB, status, ALICE))
    expect(await told(ALICE)).toEqual([])
    expect(await told(CAROL)).toEqual([['mention', 'bob']])
  })

  test('notifications of suspended senders are hidden, and shown again afterwards', async () => {
    await world.tell(followCreated, followed(fresh(), BOB, ALICE))
    const flags = { local: true, silenced: false, sensitized: false, discoverable: true, indexable: true, domain: null }
    await world.tell(accountChanged, { id: BOB, flags: { ...flags, suspended: true }, profile: false })
    expect(await told(ALICE)).toEqual([])
    expect(await world.cluster.call(unreadCount, {}, viewer(ALICE))).toEqual({ count: 0 })
    await world.tell(accountChanged, { id: BOB, flags: { ...flags, suspended: false }, profile: false })
    expect(await told(ALICE)).toEqual([['follow', 'bob']])
  })

  test('all data of a deleted account is deleted', async () => {
    await world.tell(followCreated, followed(fresh(), BOB, ALICE), followed(fresh(), ALICE, BOB))
    await world.tell(accountRemoved, { id: BOB, local: true, uri: 'https://here.example/users/bob' })
    expect(await world.cluster.db('notifications').rows(sql`select id from notifications`)).toEqual([])
  })
})

describe('filtered', () => {
  test('A044 a private mention by an unrelated account in another thread is a request and is hidden', async () => {
    const status = text(REMOTE)
    await world.tell(
      statusCreated,
      posted(status, REMOTE, {
        local: false,
        visibility: 'direct',
        mentions: [ALICE],
        inReplyTo: '5',
        inReplyToAuthor: BOB,
      }),
    )
    expect(await told(ALICE)).toEqual([])
    expect(world.live).toEqual([])
    expect(await listOf(ALICE, { include_filtered: true })).toMatchObject([{ type: 'mention', filtered: true }])
    const db = world.cluster.db('notifications')
    const request = sql`select from_id, last_status_id, notifications_count from requests where recipient_id = ${ALICE}`
    expect(await db.rows(request)).toEqual([{ from_id: REMOTE, last_status_id: status, notifications_count: 1 }])
    const again = text(REMOTE)
    await world.tell(statusCreated, posted(again, REMOTE, { local: false, visibility: 'direct', mentions: [ALICE] }))
    expect(await db.rows(request)).toEqual([{ from_id: REMOTE, last_status_id: again, notifications_count: 2 }])
    await world.tell(statusDeleted, deleted(again, REMOTE))
    expect(await db.rows(request)).toEqual([{ from_id: REMOTE, last_status_id: status, notifications_count: 1 }])
    await world.tell(statusDeleted, deleted(status, REMOTE))
    expect(await db.rows(request)).toEqual([])
  })

  test('a reply to an own private mention is shown', async () => {
    const status = text(BOB)
    world.wrote.set(status, [ALICE])
    await world.tell(statusCreated, posted(status, BOB, { visibility: 'direct', mentions: [ALICE] }))
    expect(await told(ALICE)).toEqual([['mention', 'bob']])
  })

  test('an accepted sender and an own policy decide', async () => {
    const db = world.cluster.db('notifications')
    await db.run(sql`insert into policies (recipient_id, for_not_following) values (${ALICE}, 'drop')`)
    await db.run(sql`insert into permissions (recipient_id, from_id) values (${ALICE}, ${CAROL})`)
    await world.tell(followCreated, followed(fresh(), BOB, ALICE), followed(fresh(), CAROL, ALICE))
    expect(await told(ALICE)).toEqual([['follow', 'carol']])
  })

  test('notifications of staff are shown despite a block', async () => {
    world.people.set(BOB, { id: BOB, username: 'bob', role: { position: 10, permissions: 1 << 4, highlighted: true } })
    world.standings.set('1>2', { blocking: true })
    await world.tell(statusCreated, posted(text(BOB), BOB, { mentions: [ALICE] }))
    await world.tell(blockCreated, blocked(fresh(), ALICE, BOB))
    expect(await told(ALICE)).toEqual([['mention', 'bob']])
  })
})

describe('shown live, and in groups', () => {
  test('open connections get the event after the notification is stored', async () => {
    await world.tell(followCreated, followed(fresh(), BOB, ALICE))
    const [one] = await listOf(ALICE)
    expect(world.live).toEqual([{ account: ALICE, message: { e: 'notification', id: one?.id } }])
  })

  test('favourites of one status share a group, without those of other statuses and filtered ones', async () => {
    const [first, second] = [text(ALICE), text(ALICE)]
    const hour = Math.floor(Date.now() / 3_600_000)
    await world.tell(
      favouriteCreated,
      favourited(fresh(), BOB, first, ALICE),
      favourited(fresh(), CAROL, first, ALICE),
      favourited(fresh(), BOB, second, ALICE),
    )
    world.people.set(REMOTE, { id: REMOTE, username: 'rita', domain: 'far.example', silenced: true })
    await world.tell(favouriteCreated, { ...favourited(fresh(), REMOTE, first, ALICE), byLocal: false })
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
    const db = world.cluster.db('notifications')
    await db.run(sql`insert into group_hours (recipient_id, prefix, hour) values
      (${ALICE}, ${`favourite-${status}`}, ${hour - 11}), (${ALICE}, 'follow', ${hour - 12})`)
    await world.tell(favouriteCreated, favourited(fresh(), BOB, status, ALICE))
    await world.tell(followCreated, followed(fresh(), BOB, ALICE))
    expect((await listOf(ALICE)).map((one) => one.group_key)).toEqual([
      `follow-${hour}`,
      `favourite-${status}-${hour - 11}`,
    ])
  })
})
