/** Bulk actions with the real services: dry run, progress, failures, rank, permission, and undo of each item. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, putRemote } from '@murmuration/contracts/accounts'
import {
  actOnAccount,
  browseAuditLog,
  createBulkAction,
  createDomainBlock,
  createReport,
  findDomainBlocks,
  listBulkActionItems,
  listBulkActions,
  showAccountForStaff,
  showAdminReport,
  showBulkAction,
  stopAdminTask,
  undoAuditLogEntry,
  undoBulkAction,
  unsilenceAccount,
  verifyAuditLog,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { DEFAULT_ROLES, type PermissionName, permissionsOf } from '@murmuration/contracts/permissions'
import { openDatabase, sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, holding, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { app } from '../src/main.js'
import { tasks } from '../src/task/kinds.js'
import { finishUndos } from '../src/undo/ticks.js'

let cluster: Cluster
let call: Cluster['call']
let mona: Viewer
let ada: Viewer
const ids: Record<string, string> = {}

beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts, media, statuses], env: { MEDIA_FFMPEG: 'off' } })
  call = cluster.call
  for (const [name, role] of [['mona', 'Moderator'], ['ada', 'Admin'], ['bob'], ['carol'], ['dave']] as const) {
    const email = `${name}@mail.example`
    const made = await call(createAccountByOperator, { username: name, email, confirmed: true, ...(role && { role }) })
    ids[name] = made.id
  }
  const { moderator, admin } = DEFAULT_ROLES
  mona = viewer(ids.mona ?? '', moderator)
  ada = viewer(ids.ada ?? '', admin)
  for (const name of ['eve', 'evan'])
    ids[name] = (await call(putRemote, { actor: remoteActor(name, 'remote.example') })).record.id
  await cluster.db('accounts').run(sql`insert into accounts (id, username, domain, uri, url, inbox_url, created_at)
    select n, 'spam' || n, 'spam.example', 'https://spam.example/' || n, 'https://spam.example/' || n,
      'https://spam.example/inbox', now() from generate_series(5001, 5250) n`)
})
afterAll(() => cluster.stop())

/** Creates accounts without a decision. Returns their ids. */
const fresh = async (...names: string[]): Promise<string[]> => {
  const made = names.map((username) =>
    call(createAccountByOperator, { username, email: `${username}@mail.example`, confirmed: true }),
  )
  return (await Promise.all(made)).map(({ id }) => id)
}
const of = (...names: string[]): string[] => names.map((name) => ids[name] ?? name)
type Wanted = Partial<Parameters<typeof start>[0]>
const start = (
  given: {
    noun?: string
    action: string
    ids?: string[]
    query?: object
    expected?: number
    text?: string
    dry_run?: boolean
  },
  by: Viewer | null = mona,
) => call(createBulkAction, { noun: 'account', ...given }, by)
/** Starts a bulk action and waits for its end. */
const run = async (given: Wanted & { action: string }, by: Viewer | null = mona) => {
  const { id } = await start(given, by)
  await cluster.waitForIdle()
  return call(showBulkAction, { id: id ?? '' }, by)
}
const undo = async (id: string | null, by: Viewer | null = mona, more: object = {}) => {
  const started = await call(undoBulkAction, { id: id ?? '', ...more }, by)
  await cluster.waitForIdle()
  return started.id === null ? started : call(showBulkAction, { id: started.id }, by)
}
const entries = (batch_id: string | null) => call(browseAuditLog, { batch_id: batch_id ?? '', limit: 200 }, mona)
const limited = async (...names: string[]): Promise<boolean[]> => {
  const rows = await cluster
    .db('accounts')
    .rows<{ id: string; silenced: boolean }>(
      sql`select id, silenced_at is not null as silenced from accounts where id = any(${of(...names)}::bigint[])`,
    )
  return of(...names).map((id) => rows.find((row) => row.id === id)?.silenced ?? false)
}
const SPAM = { by_domain: 'spam.example' }
const spamLimited = async () =>
  (
    await cluster
      .db('accounts')
      .row<{ n: number }>(
        sql`select count(*)::int as n from accounts where domain = 'spam.example' and silenced_at is not null`,
      )
  )?.n
/** Makes storing the outcome of one item fail until the returned function is called. */
const failAt = async (item: string) => {
  const db = openDatabase({ url: cluster.env.DATABASE_URL ?? '', schema: 'admin' })
  await db.run(sql`create table admin.failing_item as select ${item}::bigint as id`)
  await db.run(sql`create function admin.fail_at() returns trigger language plpgsql security definer as 'begin
    if exists (select 1 from admin.failing_item where id = new.target_id) then raise exception ''the worker died''; end if;
    return new; end'`)
  await db.run(sql`create trigger fail_at before update of outcome on admin.bulk_action_items
    for each row execute function admin.fail_at()`)
  return async () => {
    await db.run(sql`drop trigger fail_at on admin.bulk_action_items`)
    await db.run(sql`drop function admin.fail_at`)
    await db.run(sql`drop table admin.failing_item`)
    await db.close()
  }
}
const untilFailed = async (id: string, by: Viewer) => {
  for (;;) {
    const shown = await call(showBulkAction, { id }, by)
    if (shown.error !== null) return shown
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a dry run counts changing items and reasons of skipped ones, and writes nothing', async () => {
  await call(actOnAccount, { id: ids.carol ?? '', type: 'silence' }, mona)
  const counts = () =>
    cluster.db('admin').row(sql`select (select count(*) from audit_log) as entries, (select count(*) from bulk_actions)
      as actions, (select count(*) from tasks) as tasks, (select count(*) from decisions) as decisions`)
  await cluster.waitForIdle()
  const before = await counts()
  const plan = await start({ action: 'silence', ids: of('bob', 'carol', 'ada', 'eve', '7'), dry_run: true })
  expect(plan).toMatchObject({
    id: null,
    dry_run: true,
    state: 'planned',
    found: 5,
    changed: 2,
    skipped: { already: 1, not_permitted: 1, not_found: 1 },
  })
  expect(plan.sample).toHaveLength(5)
  expect(plan.sample).toContainEqual({ id: ids.ada, target: 'ada', outcome: 'not_permitted' })
  expect(await start({ action: 'disable', ids: of('bob', 'eve'), dry_run: true })).toMatchObject({
    changed: 1,
    skipped: { is_remote: 1 },
  })
  await cluster.waitForIdle()
  expect([await counts(), await limited('bob')]).toEqual([before, [false]])
  await call(unsilenceAccount, { id: ids.carol ?? '' }, mona)
})

test('a bulk action changes each item once, with one entry of the batch and one strike each, and is safe to repeat', async () => {
  const done = await run({ action: 'silence', ids: of('bob', 'carol', 'ada', 'eve'), text: 'Spam wave' })
  expect(done).toMatchObject({
    state: 'done',
    found: 4,
    seen: 4,
    changed: 3,
    skipped: { not_permitted: 1 },
    text: 'Spam wave',
  })
  expect(done.sample[0]).toEqual({ id: ids.ada, target: 'ada', outcome: 'not_permitted' })
  expect(await limited('bob', 'carol', 'eve', 'ada')).toEqual([true, true, true, false])
  const own = await entries(done.id)
  expect(own.map(({ action, target, reason, actor }) => [action, target, reason, actor]).toSorted()).toEqual(
    ['bob', 'carol', 'eve@remote.example'].map((target) => ['silence_account', target, 'Spam wave', mona.id]),
  )
  const strikes = await cluster.db('admin').rows(sql`select target_account_id as id from strikes
    where text = 'Spam wave' order by 1`)
  expect(strikes.map((row) => (row as { id: string }).id)).toEqual(of('bob', 'carol', 'eve'))
  const again = await run({ action: 'silence', ids: of('bob', 'carol', 'eve') })
  expect(again).toMatchObject({ state: 'done', changed: 0, skipped: { already: 3 } })
  expect(await entries(again.id)).toEqual([])
  const items = await call(listBulkActionItems, { id: done.id ?? '', outcome: 'changed' }, mona)
  expect(items.map((item) => item.target)).toEqual(['eve@remote.example', 'carol', 'bob'])
  expect((await call(listBulkActions, {}, mona)).map((one) => one.id).slice(0, 2)).toEqual([again.id, done.id])
  expect(await call(verifyAuditLog, {})).toMatchObject({ problem: null })
})

test('undo of a bulk action restores every item except those that changed meanwhile, and lists these', async () => {
  const done = await run({ action: 'sensitive', ids: of('bob', 'carol', 'dave') })
  await call(actOnAccount, { id: ids.carol ?? '', type: 'sensitive' }, ada)
  const plan = await undo(done.id, mona, { dry_run: true })
  expect(plan).toMatchObject({ id: null, found: 3, changed: 2, skipped: { changed_since: 1 } })
  const undone = await undo(done.id, mona, { text: 'A mistake', expected: 3 })
  expect(undone).toMatchObject({ state: 'done', found: 3, changed: 2, skipped: { changed_since: 1 }, undoes: done.id })
  expect(undone.sample[0]).toMatchObject({ target: 'carol', outcome: 'changed_since' })
  const states = await Promise.all(of('bob', 'carol', 'dave').map((id) => call(showAccountForStaff, { id }, mona)))
  expect(states.map((one) => one.sensitized)).toEqual([false, true, false])
  expect((await entries(undone.id)).map(({ action, reason }) => [action, reason])).toEqual([
    ['unsensitive_account', 'A mistake'],
    ['unsensitive_account', 'A mistake'],
  ])
  expect(await call(showBulkAction, { id: done.id ?? '' }, mona)).toMatchObject({ undone_by: undone.id })
  expect(await undo(done.id)).toMatchObject({ changed: 0, skipped: { already_undone: 2, changed_since: 1 } })
  const redone = await undo(undone.id)
  expect(redone).toMatchObject({ changed: 2, undoes: undone.id })
  expect((await call(showAccountForStaff, { id: ids.bob ?? '' }, mona)).sensitized).toBe(true)
})

test('a selection by query is fixed when the action starts, and another number than expected is refused with both', async () => {
  const plan = await start({ action: 'silence', query: SPAM, dry_run: true })
  expect(plan).toMatchObject({ found: 250, changed: 250 })
  await cluster.db('accounts').run(sql`insert into accounts (id, username, domain, uri, url, inbox_url, created_at)
    values (5251, 'late', 'spam.example', 'https://spam.example/5251', 'https://spam.example/5251', 'https://spam.example/inbox', now())`)
  await expect(start({ action: 'silence', query: SPAM, expected: plan.found })).rejects.toMatchObject({
    status: 409,
    message: 'The selection has 251 items now, not 250',
    extras: { body: { expected: 250, found: 251 } },
  })
  for (const expected of ['many', '-1', 1.5, {}] as number[])
    await expect(start({ action: 'silence', query: SPAM, expected })).rejects.toMatchObject({
      status: 422,
      message: 'Validation failed: Expected is invalid',
    })
  await expect(call(undoBulkAction, { id: '7', expected: 'many' as never }, ada)).rejects.toMatchObject({ status: 404 })
  expect(await spamLimited()).toBe(0)
  await cluster.db('accounts').run(sql`delete from accounts where id = 5251`)
})

test('a bulk action whose worker fails continues, and changes each item once', async () => {
  const recover = await failAt('5150')
  const { id } = await start({ action: 'silence', query: SPAM, expected: 250 })
  const failed = await untilFailed(id ?? '', mona)
  expect(failed).toMatchObject({ state: 'running', seen: 100, changed: 100, found: 250, error: 'the worker died' })
  await expect(call(undoBulkAction, { id: id ?? '' }, mona)).rejects.toMatchObject({ status: 409 })
  await recover()
  await cluster.waitForIdle()
  const done = await call(showBulkAction, { id: id ?? '' }, mona)
  expect(done).toMatchObject({ state: 'done', seen: 250, changed: 250, skipped: {}, error: null })
  expect(await spamLimited()).toBe(250)
  const written = await cluster.db('admin').row(sql`select count(*)::int as n, count(distinct target_id)::int as items
    from audit_log where batch_id = ${id}`)
  expect(written).toEqual({ n: 250, items: 250 })
  expect(await undo(id)).toMatchObject({ state: 'done', found: 250, changed: 250 })
  expect(await spamLimited()).toBe(0)
})

test('staff that loses its role while a bulk action runs changes no further items', async () => {
  const recover = await failAt('5150')
  const { id } = await start({ action: 'silence', query: SPAM, expected: 250 })
  await untilFailed(id ?? '', mona)
  const db = cluster.db('accounts')
  const role = await db.row<{ role_id: string }>(sql`select role_id from users where account_id = ${mona.id}`)
  await db.run(sql`update users set role_id = null where account_id = ${mona.id}`)
  await recover()
  await cluster.waitForIdle()
  const done = await call(showBulkAction, { id: id ?? '' }, ada)
  await db.run(sql`update users set role_id = ${role?.role_id} where account_id = ${mona.id}`)
  expect(done).toMatchObject({ state: 'done', seen: 250, changed: 100, skipped: { not_permitted: 150 } })
  expect(await spamLimited()).toBe(100)
  expect(await undo(id)).toMatchObject({ changed: 100 })
})

test('an undo whose worker fails after the change counts each item as undone', async () => {
  const done = await run({ action: 'silence', query: SPAM })
  const last = await cluster
    .db('admin')
    .row<{ id: string }>(sql`select max(id) as id from audit_log where batch_id = ${done.id}`)
  const recover = await failAt(last?.id ?? '')
  const { id } = await call(undoBulkAction, { id: done.id ?? '' }, mona)
  expect(await untilFailed(id ?? '', mona)).toMatchObject({ seen: 200, changed: 200 })
  await recover()
  await cluster.waitForIdle()
  expect(await call(showBulkAction, { id: id ?? '' }, mona)).toMatchObject({ changed: 250, skipped: {} })
  expect(await spamLimited()).toBe(0)
})

test('two bulk actions run at the same time', async () => {
  const [one, other] = await Promise.all([
    start({ action: 'suspend', ids: of('dave') }),
    start({ action: 'unsilence', ids: of('bob', 'carol', 'eve') }),
  ])
  await cluster.waitForIdle()
  for (const { id, found } of [one, other])
    expect(await call(showBulkAction, { id: id ?? '' }, mona)).toMatchObject({ state: 'done', changed: found })
  await undo(one.id)
})

/** Lets transactions that store decisions wait until `many` of them are ready. */
const together = async (many: number, begin: () => Promise<unknown>) => {
  const decisions = await holding(cluster.db('admin'), sql`lock table decisions in share mode`)
  const begun = begin()
  await decisions.queued(many)
  await decisions.letGo()
  await begun
  await cluster.waitForIdle()
}

test('with two simultaneous bulk actions on the same accounts, each account is changed by one', async () => {
  const names = await fresh('kim', 'lea', 'max')
  const ids: (string | null)[] = []
  await together(2, async () => {
    for (const { id } of await Promise.all(
      [mona, ada].map((by) => start({ action: 'silence', ids: names, text: 'Twice' }, by)),
    ))
      ids.push(id)
  })
  const done = await Promise.all(ids.map((id) => call(showBulkAction, { id: id ?? '' }, ada)))
  expect(done.map((one) => one.changed).toSorted()).toEqual([0, 3])
  expect(done.find((one) => one.changed === 0)?.skipped).toEqual({ already: 3 })
  const strikes = await cluster.db('admin').rows(sql`select 1 from strikes where text = 'Twice'`)
  expect(strikes).toHaveLength(3)
  await undo(done.find((one) => one.changed === 3)?.id ?? null, ada)
  expect(await limited(...names)).toEqual([false, false, false])
})

test('undo of the second of two simultaneous actions keeps the effects of the first', async () => {
  const [id = ''] = await fresh('nora')
  await together(2, () => Promise.all([mona, ada].map((by) => call(actOnAccount, { id, type: 'silence' }, by))))
  const both = await call(browseAuditLog, { target_id: id, action: 'silence_account' }, mona)
  expect(both.map((entry) => (entry.before as { silenced: boolean }).silenced)).toEqual([true, false])
  await call(undoAuditLogEntry, { id: both[0]?.id ?? '' }, ada)
  await cluster.waitForIdle()
  expect(await limited(id)).toEqual([true])
  await call(undoAuditLogEntry, { id: both[1]?.id ?? '' }, ada)
  await cluster.waitForIdle()
  expect(await limited(id)).toEqual([false])
})

test('A067 rank is checked for each item, also while undoing', async () => {
  const done = await run({ action: 'silence', ids: of('mona', 'ada', 'bob') }, ada)
  expect(done).toMatchObject({ changed: 2, skipped: { not_permitted: 1 } })
  const undone = await undo(done.id, mona)
  expect(undone).toMatchObject({ changed: 1, skipped: { not_permitted: 1 } })
  expect(await limited('mona', 'bob')).toEqual([true, false])
  expect(await undo(done.id, ada)).toMatchObject({ changed: 1, skipped: { already_undone: 1 } })
})

test('S-175 each noun requires the permission of its single action', async () => {
  const only = (...names: PermissionName[]) =>
    viewer(ids.ada ?? '', { permissions: permissionsOf(...names), position: 100 })
  const refused = { status: 403, message: 'This action is not allowed' }
  const wanted = { action: 'silence', ids: of('bob') }
  for (const dry_run of [true, false]) {
    await expect(start({ ...wanted, dry_run }, only('manage_taxonomies'))).rejects.toMatchObject(refused)
    await expect(start({ ...wanted, dry_run }, only('manage_federation'))).rejects.toMatchObject(refused)
    for (const [noun, action] of [
      ['trend_tag', 'approve'],
      ['domain_block', 'remove'],
    ] as const)
      await expect(start({ noun, action, ids: ['7'], dry_run }, only('manage_users'))).rejects.toMatchObject(refused)
  }
  const done = await run(wanted)
  const outsider = only('manage_taxonomies', 'view_audit_log')
  await expect(call(showBulkAction, { id: done.id ?? '' }, outsider)).rejects.toMatchObject({ code: 'not_found' })
  expect((await call(listBulkActions, {}, outsider)).filter((one) => one.noun === 'account')).toEqual([])
  expect(await undo(done.id, outsider)).toMatchObject({ changed: 0, skipped: { not_permitted: 1 } })
  await undo(done.id)
})

test('S-175 a bulk action is stopped only by staff that may start it', async () => {
  const only = (...names: PermissionName[]) =>
    viewer(ids.ada ?? '', { permissions: permissionsOf(...names), position: 100 })
  const stop = (id: string | null, ...names: PermissionName[]) => call(stopAdminTask, { id: id ?? '' }, only(...names))
  const block = await call(createDomainBlock, { domain: 'stop.example', severity: 'noop' }, ada)
  const { id } = await run({ noun: 'domain_block', action: 'remove', ids: [block.id] }, ada)
  await expect(stop(id, 'manage_users')).rejects.toMatchObject({ status: 403 })
  expect(await stop(id, 'manage_federation')).toMatchObject({ state: 'done' })
  const users = await run({ action: 'silence', ids: of('bob') })
  await expect(stop(users.id, 'manage_federation')).rejects.toMatchObject({ status: 403 })
  expect(await stop(users.id, 'manage_users')).toMatchObject({ state: 'done' })
  await undo(users.id)
})

test.each([
  ['an unknown noun', { noun: 'status', action: 'silence', ids: ['7'] }, 'Noun is not included in the list'],
  ['the noun of undo', { noun: 'audit_entry', action: 'undo', ids: ['7'] }, 'Noun is not included in the list'],
  ['an unknown action', { action: 'toString', ids: ['7'] }, 'Action is not included in the list'],
  [
    'an action of another noun',
    { noun: 'trend_tag', action: 'silence', ids: ['7'] },
    'Action is not included in the list',
  ],
  ['no selection', { action: 'silence' }, "Ids can't be blank"],
  ['a query without a filter', { action: 'silence', query: {} }, "Query can't be blank"],
  [
    'a filter that lists ignore',
    { action: 'silence', query: { permissions: 'all' } },
    'Permissions is not included in the list',
  ],
  ['a user name without letters', { action: 'silence', query: { username: ' @ ' } }, "Username can't be blank"],
  ['two selections', { action: 'silence', ids: ['7'], query: SPAM }, 'Ids and query exclude each other'],
  [
    'a query that matches nothing',
    { action: 'silence', query: { by_domain: 'no.example' } },
    'Nothing matches the selection',
  ],
  [
    'a query for blocks',
    { noun: 'domain_block', action: 'remove', query: SPAM },
    'Query selects accounts and trends only',
  ],
])('%s is refused with the name of the field', async (_name, given, text) => {
  await expect(start(given, ada)).rejects.toMatchObject({ status: 422, message: `Validation failed: ${text}` })
})

test('the undo of a bulk action opens the reports again that it resolved', async () => {
  const [id = ''] = await fresh('reported')
  const report = (await call(createReport, { account_id: id }, viewer(ids.dave ?? ''))).id
  const done = await run({ action: 'silence', ids: [id] })
  expect(await call(showAdminReport, { id: report }, mona)).toMatchObject({ action_taken: true })
  expect(await undo(done.id)).toMatchObject({ found: 1, changed: 1 })
  expect(await call(showAdminReport, { id: report }, mona)).toMatchObject({
    action_taken: false,
    action_taken_by_account: null,
  })
})

test('an operator starts a bulk action without a role; it leaves no strikes', async () => {
  const done = await run({ action: 'silence', ids: of('ada', 'bob') }, null)
  expect(done).toMatchObject({ changed: 2, started_by: null })
  expect((await entries(done.id)).map(({ actor }) => actor)).toEqual([null, null])
  expect(await undo(done.id, null)).toMatchObject({ changed: 2 })
})

test('a bulk suspension ends follows of remote accounts, and lists each for the followed account', async () => {
  const db = cluster.db('accounts')
  await db.run(sql`insert into follows (id, account_id, target_id, created_at, account_local)
    select n, id, ${ids.bob}::bigint, now(), false from unnest(${of('eve', 'evan')}::bigint[]) with ordinality as x(id, n)`)
  const done = await run({ action: 'suspend', ids: of('eve', 'evan') })
  expect(done).toMatchObject({ changed: 2 })
  const rows = await db.rows(sql`select target_name, followers_count from severances
    where account_id = ${ids.bob} order by target_name collate "C"`)
  expect(rows).toEqual([
    { target_name: 'evan@remote.example', followers_count: 1 },
    { target_name: 'eve@remote.example', followers_count: 1 },
  ])
  expect(await db.rows(sql`select 1 from follows where target_id = ${ids.bob}`)).toEqual([])
  expect(await undo(done.id)).toMatchObject({ changed: 2 })
  expect(await db.rows(sql`select 1 from accounts where suspended_at is not null`)).toEqual([])
})

describe('pending sign-ups', () => {
  const pending = async (...names: string[]) => {
    for (const name of names) {
      const email = `${name}@mail.example`
      ids[name] = (await call(createAccountByOperator, { username: name, email, confirmed: true })).id
    }
    await cluster
      .db('accounts')
      .run(sql`update users set approved = false where account_id = any(${of(...names)}::bigint[])`)
  }
  const approved = () =>
    cluster.db('accounts').rows(sql`select a.username, u.approved from users u join accounts a on a.id = u.account_id
      where a.username like 'new%' order by 1`)

  test('are approved and rejected, each with an e-mail and one entry; undo says why both are final', async () => {
    await pending('new1', 'new2', 'new3')
    const yes = await run({ action: 'approve', ids: of('new1', 'new2', 'bob') })
    expect(yes).toMatchObject({ changed: 2, skipped: { not_pending: 1 } })
    const no = await run({ action: 'reject', query: { status: 'pending', origin: 'local' }, expected: 1 })
    expect(no).toMatchObject({ changed: 1 })
    expect(await approved()).toEqual([
      { username: 'new1', approved: true },
      { username: 'new2', approved: true },
    ])
    const letters = await cluster.db('accounts').rows(sql`select kind, username from letters
      where kind in ('approved', 'rejected') order by 2`)
    expect(letters).toEqual([
      { kind: 'approved', username: 'new1' },
      { kind: 'approved', username: 'new2' },
      { kind: 'rejected', username: 'new3' },
    ])
    expect((await entries(yes.id)).map(({ action }) => action)).toEqual(['approve_user', 'approve_user'])
    expect(await undo(yes.id)).toMatchObject({ changed: 0, skipped: { approval_is_final: 2 } })
  })
})

describe('trends', () => {
  const tags = () =>
    cluster
      .db('statuses')
      .rows<{ trendable: boolean | null }>(sql`select trendable from tags where id between 1 and 5 order by id`)
  beforeAll(async () => {
    await cluster.db('statuses').run(sql`insert into tags (id, name, display)
      select n, 'tag' || n, 'tag' || n from generate_series(1, 5) n`)
  })

  test('without a decision are selected by a query', async () => {
    await cluster.db('statuses').run(sql`insert into trends (kind, id, score, top_score, top_at, allowed)
      select 0, n, n, n, now(), case when n = 4 then true end from generate_series(1, 4) n`)
    const query = { status: 'pending' }
    const wanted = { noun: 'trend_tag', action: 'approve', dry_run: true }
    expect(await start({ ...wanted, query, expected: 3 }, ada)).toMatchObject({ found: 3, changed: 3 })
    for (const other of [{ status: 'active' }, { ...query, username: 'x' }])
      await expect(start({ ...wanted, query: other }, ada)).rejects.toMatchObject({
        status: 422,
        message: 'Validation failed: Query selects pending trends only',
      })
    await cluster.db('statuses').run(sql`delete from trends`)
  })

  test('are approved item by item, also if the worker fails after the change, and undone', async () => {
    expect(await run({ noun: 'trend_tag', action: 'reject', ids: ['5'] }, ada)).toMatchObject({ changed: 1 })
    const wanted = { noun: 'trend_tag', action: 'approve', ids: ['1', '2', '3', '5', '999'], text: 'Good ones' }
    expect(await start({ ...wanted, dry_run: true }, ada)).toMatchObject({ changed: 4, skipped: { not_found: 1 } })
    expect((await tags()).map((row) => row.trendable)).toEqual([null, null, null, null, false])
    const recover = await failAt('2')
    const { id } = await start(wanted, ada)
    expect(await untilFailed(id ?? '', ada)).toMatchObject({ seen: 0 })
    await recover()
    await cluster.waitForIdle()
    const done = await call(showBulkAction, { id: id ?? '' }, ada)
    expect(done).toMatchObject({ state: 'done', changed: 4, skipped: { not_found: 1 } })
    expect((await tags()).map((row) => row.trendable)).toEqual([true, true, true, null, true])
    const own = await entries(id)
    expect(own.map(({ action, target, reason }) => [action, target, reason]).toSorted()).toEqual(
      ['#tag1', '#tag2', '#tag3', '#tag5'].map((tag) => ['approve_trend_tag', tag, 'Good ones']),
    )
    expect(await run(wanted, ada)).toMatchObject({ changed: 0, skipped: { already: 4, not_found: 1 } })
    await run({ noun: 'trend_tag', action: 'reject', ids: ['2'] }, ada)
    expect(await undo(id, ada)).toMatchObject({ found: 4, changed: 3, skipped: { changed_since: 1 } })
    expect((await tags()).map((row) => row.trendable)).toEqual([null, false, null, null, false])
  })

  test.each(['the tick', 'the next run'])(
    'are undone by a bulk undo that failed after it restored them, as %s finishes it',
    async (by) => {
      const done = await run({ noun: 'trend_tag', action: 'approve', ids: ['1', '3'] }, ada)
      const db = openDatabase({ url: cluster.env.DATABASE_URL ?? '', schema: 'admin' })
      await db.run(sql`create function admin.fail_entry() returns trigger language plpgsql as 'begin
      if new.undoes is not null then raise exception ''the worker died''; end if; return new; end'`)
      await db.run(sql`create trigger fail_entry before insert on admin.audit_log
      for each row execute function admin.fail_entry()`)
      const { id } = await call(undoBulkAction, { id: done.id ?? '' }, ada)
      await untilFailed(id ?? '', ada)
      expect((await tags()).map((row) => row.trendable)).toEqual([null, false, null, null, false])
      if (by === 'the tick')
        await db.run(sql`update admin.audit_undos set created_at = now() - interval '2 minutes'
      where undo_entry_id is null`)
      await db.run(sql`drop trigger fail_entry on admin.audit_log`)
      await db.run(sql`drop function admin.fail_entry`)
      await db.close()
      if (by === 'the tick') await finishUndos.run(cluster.host.running.find((one) => one.service === 'admin')?.ctx)
      await cluster.waitForIdle()
      expect(await call(showBulkAction, { id: id ?? '' }, ada)).toMatchObject({
        state: 'done',
        changed: 2,
        skipped: {},
      })
      expect(await entries(id)).toHaveLength(2)
    },
  )
})

test('domain blocks are removed together, and undo restores those whose domain is not blocked again', async () => {
  for (const domain of ['a.example', 'b.example'])
    await call(createDomainBlock, { domain, severity: 'suspend', public_comment: domain }, ada)
  const blocks = async () => (await call(findDomainBlocks, {})).blocks
  const before = await blocks()
  const done = await run({ noun: 'domain_block', action: 'remove', ids: [...before.map((one) => one.id), '7'] }, ada)
  expect(done).toMatchObject({ changed: 2, skipped: { not_found: 1 } })
  expect(await blocks()).toEqual([])
  await call(createDomainBlock, { domain: 'b.example', severity: 'silence' }, ada)
  expect(await undo(done.id, ada)).toMatchObject({ changed: 1, skipped: { is_taken: 1 } })
  expect((await blocks()).map(({ domain, severity, public_comment }) => [domain, severity, public_comment])).toEqual([
    ['a.example', 'suspend', 'a.example'],
    ['b.example', 'silence', null],
  ])
})

test('an imported list with more blocks than a bulk action may have is undone as one', async () => {
  const batch = '4242'
  await cluster.fillTables(
    'admin',
    sql`insert into audit_log (id, actor_id, action, target_id, target, created_at, batch_id, after)
    select 900000 + n, ${ada.id}, 'create_domain_block', n::text, n || '.list.example', now(), ${batch}, '{}'
    from generate_series(1, 12000) n`,
  )
  const plan = await call(undoBulkAction, { id: batch, dry_run: true }, ada)
  expect(plan).toMatchObject({ found: 12_000, changed: 0, state: 'planned' })
  expect(await call(undoBulkAction, { id: batch, expected: 12_000 }, ada)).toMatchObject({ found: 12_000 })
})

test('a bulk action that only a newer release knows waits, however often it is tried', async () => {
  const ctx = cluster.host.running.find((one) => one.service === 'admin')?.ctx as Context
  await ctx.db.run(sql`insert into tasks (id, kind, input, dry_run, next_at, created_at, updated_at)
    values (4711, 'bulk-action 4711', ${JSON.stringify({ noun: 'account', action: 'quarantine', found: 1 })}::jsonb, false,
      now() + interval '1 hour', now(), now())`)
  await expect(tasks.run(ctx, { id: '4711' }, { id: 'x', tries: 1 })).rejects.toThrow('there is no')
  for (let n = 0; n < 14; n++) await tasks.run(ctx, { id: '4711' }, { id: 'x', tries: 99 })
  expect(await ctx.db.row(sql`select state, error from tasks where id = 4711`)).toEqual({
    state: 'running',
    error: null,
  })
})
