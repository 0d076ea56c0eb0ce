/** The dashboard of staff with the real accounts, statuses and media: measures, dimensions and retention. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, putRemote, removeRemote } from '@murmuration/contracts/accounts'
import { createReport, readDimensions, readMeasures, readRetention } from '@murmuration/contracts/admin'
import type { AdminMeasure } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import { permissionsOf } from '@murmuration/contracts/permissions'
import { addFavourite, addReblog, createStatus, deleteStatus, measureTag } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { app } from '../src/main.js'
import { nameReportDomains } from '../src/reported-domain/ticks.js'
import { expectGolden } from './golden.js'

const DAY_MS = 86_400_000
const dayAt = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
const today = dayAt(0)
const week = { start_at: dayAt(6), end_at: today }

let cluster: Cluster
let staff: Viewer
let bob: Viewer
let carol: Viewer
let eve: string
let tag: string
let file = 1_000n
const db = (service: string) => cluster.db(service)

beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts, media, statuses], env: { MEDIA_FFMPEG: 'off' } })
  const fakeAccount = async (username: string) => {
    const email = `${username}@mail.example`
    return viewer((await cluster.call(createAccountByOperator, { username, email, confirmed: true })).id)
  }
  staff = { ...(await fakeAccount('mona')), permissions: permissionsOf('view_dashboard') }
  ;[bob, carol] = [await fakeAccount('bob'), await fakeAccount('carol')]
  eve = (await cluster.call(putRemote, { actor: remoteActor('eve', 'far.example') })).record.id
  await cluster.call(putRemote, { actor: remoteActor('rita', 'a.far.example') })
  await cluster.call(putRemote, { actor: remoteActor('else', 'elsewhere.example') })
  await relations()
  await writing()
  await files()
  await cluster.waitForIdle()
})
afterAll(() => cluster.stop())

const relations = () =>
  db('accounts').run(sql`insert into follows (id, account_id, target_id, account_local, created_at) values
    (1, ${bob.id}, ${eve}, true, now()), (2, ${carol.id}, ${eve}, true, now() - interval '3 days'),
    (3, ${eve}, ${bob.id}, false, now()), (4, ${bob.id}, ${carol.id}, true, now())`)

const writing = async () => {
  const first = await cluster.call(createStatus, { status: 'Hello #Flock', language: 'de' }, bob)
  await cluster.call(createStatus, { status: 'Me too #Flock', language: 'en', in_reply_to_id: first.id }, carol)
  await cluster.call(addFavourite, { id: first.id }, carol)
  await cluster.call(addReblog, { id: first.id }, carol)
  const gone = await cluster.call(createStatus, { status: 'Gone', language: 'de' }, bob)
  await cluster.call(deleteStatus, { id: gone.id }, bob)
  await cluster.waitForIdle()
  await db(
    'statuses',
  ).run(sql`insert into author_flags (account_id, local, domain, silenced, suspended, sensitized, discoverable, indexable)
    values (${eve}, false, 'far.example', false, false, false, true, true) on conflict do nothing`)
  await db(
    'statuses',
  ).run(sql`insert into statuses (id, author_id, local, visibility, uri, conversation_id, language, created_at)
    select id_floor(now()) + n, ${eve}, false, 0, 'https://far.example/' || n, n, 'fr', now() from generate_series(1, 4) as n`)
  const row = await db('statuses').row<{ id: string }>(sql`select id from tags where name = 'flock'`)
  tag = row?.id ?? ''
  await cluster.call(createReport, { account_id: eve }, bob)
  await cluster.call(createReport, { account_id: carol.id }, bob)
}

const files = async () => {
  const attach = (size: number) =>
    db(
      'media',
    ).run(sql`insert into attachments (id, owner, status, domain, state, type, media_type, original_key, remote_url, size, created_at)
      values (${String(file++)}, ${eve}, 1, 'far.example', 'cached', 'image', 'image/png', 'k', ${`https://far.example/${file}`}, ${size}, now())`)
  await attach(1_000_000)
  await attach(0)
  await db('media').run(sql`update attachments set size = 500_000 where size = 0`)
  await attach(7)
  await db('media').run(sql`delete from attachments where size = 7`)
}

const measures = (keys: string[], more: object = {}) =>
  cluster.call(readMeasures, { keys, ...week, ...more } as never, staff) as Promise<AdminMeasure[]>
const totals = async (keys: string[], more: object = {}) =>
  Object.fromEntries((await measures(keys, more)).map((one) => [one.key, one.total]))

test('measures count users, interactions and reports by day, and skip unknown keys', async () => {
  const found = await measures([
    'active_users',
    'new_users',
    'interactions',
    'opened_reports',
    'resolved_reports',
    'nothing',
  ])
  expect(found.map((one) => [one.key, one.total, one.previous_total, one.data.length, one.data.at(-1)?.value])).toEqual(
    [
      ['active_users', '3', '0', 7, '3'],
      ['new_users', '3', '0', 7, '3'],
      ['interactions', '3', '0', 7, '3'],
      ['opened_reports', '2', '0', 7, '2'],
      ['resolved_reports', '0', '0', 7, '0'],
    ],
  )
  expect(found[0]?.data[0]).toEqual({ date: `${dayAt(6)}T00:00:00.000Z`, value: '0' })
  await expectGolden('admin-measure', { ...found[2], data: found[2]?.data.slice(-1) }, cluster.origin)
})

test('measures count posts of local accounts, without boosts and posts of other servers', async () => {
  const [found] = await measures(['new_statuses'])
  const local = await db('statuses').row<{ n: string }>(sql`select count(*)::text as n from statuses
    where local and deleted_at is null and reblog_of_id is null`)
  expect([found?.total, found?.previous_total]).toEqual([local?.n, '0'])
  expect(Number(local?.n)).toBeGreaterThan(0)
})

test('measures of a domain count all time, with or without its subdomains', async () => {
  const keys = ['instance_accounts', 'instance_follows', 'instance_followers', 'instance_statuses', 'instance_reports']
  const of = (include_subdomains: boolean) =>
    Object.fromEntries(keys.map((key) => [key, { domain: 'Far.example', include_subdomains }]))
  expect(await totals(keys, of(false))).toEqual({
    instance_accounts: '1',
    instance_follows: '2',
    instance_followers: '1',
    instance_statuses: '4',
    instance_reports: '1',
  })
  expect(await totals(['instance_accounts'], of(true))).toEqual({ instance_accounts: '2' })
  const [follows] = await measures(['instance_follows'], of(false))
  expect(follows).not.toHaveProperty('previous_total')
  expect(follows?.data.map((one) => one.value)).toEqual(['0', '0', '0', '1', '0', '0', '1'])
})

test('bytes of a domain follow every change of a file', async () => {
  const key = 'instance_media_attachments'
  const [found] = await measures([key], { [key]: { domain: 'far.example' } })
  expect(found).toMatchObject({ unit: 'bytes', total: '1500000', human_value: '1.43 MB' })
  await expectGolden('admin-measure-bytes', { ...found, data: found?.data.slice(-1) }, cluster.origin)
})

test('measures of a tag count uses, distinct accounts and servers', async () => {
  const keys = ['tag_uses', 'tag_accounts', 'tag_servers']
  const of = { tag_uses: { id: tag }, tag_accounts: { id: tag }, tag_servers: { id: tag } }
  expect(await totals(keys, of)).toEqual({ tag_uses: '2', tag_accounts: '2', tag_servers: '1' })
  await expect(measures(['tag_uses'], { tag_uses: { id: '7' } })).rejects.toMatchObject({ status: 404 })
})

test('measures and dimensions of one tag send one request for each period', async () => {
  const host = cluster.host.running.find((one) => one.service === 'admin')
  const call = vi.spyOn(host?.ctx as Context, 'call')
  const asked = () => call.mock.calls.filter(([operation]) => operation === measureTag).length
  await measures(['tag_accounts', 'tag_uses', 'tag_servers'], {
    tag_accounts: { id: tag },
    tag_uses: { id: tag },
    tag_servers: { id: tag },
  })
  expect(asked()).toBe(2)
  const keys = ['tag_servers', 'tag_languages']
  await cluster.call(readDimensions, { keys, tag_servers: { id: tag }, tag_languages: { id: tag } } as never, staff)
  expect(asked()).toBe(3)
  call.mockRestore()
})

test('missing parameters and invalid dates are refused with their names', async () => {
  const bare = (input: object) => cluster.call(readMeasures, input as never, staff)
  const refusal = (name: string) => ({
    status: 400,
    message: `param is missing or the value is empty or invalid: ${name}`,
  })
  await expect(bare(week)).rejects.toMatchObject(refusal('keys'))
  await expect(bare({ keys: [], ...week })).rejects.toMatchObject(refusal('keys'))
  await expect(bare({ keys: ['new_users'], end_at: today })).rejects.toMatchObject(refusal('start_at'))
  await expect(bare({ keys: ['new_users'], start_at: today })).rejects.toMatchObject(refusal('end_at'))
  await expect(measures(['instance_accounts'])).rejects.toMatchObject(refusal('instance_accounts'))
  await expect(measures(['tag_uses'])).rejects.toMatchObject(refusal('tag_uses'))
  for (const name of ['start_at', 'end_at'])
    for (const operation of [readMeasures, readDimensions, readRetention])
      await expect(
        cluster.call(operation, { keys: ['new_users'], ...week, [name]: 'soon' } as never, staff),
      ).rejects.toMatchObject({
        status: 422,
        message: 'Invalid date supplied',
        extras: { body: { details: { [name]: [{ error: 'ERR_INVALID', description: 'is invalid' }] } } },
      })
})

test('a period has at most two years', async () => {
  const [found] = await measures(['new_users'], { start_at: '2001-01-01' })
  expect(found?.data).toHaveLength(731)
  expect(found?.total).toBe('3')
})

test('admin.name-report-domains looks up the server of accounts in reports of older releases', async () => {
  const host = cluster.host.running.find((one) => one.service === 'admin')
  if (!host) throw new Error('admin does not run')
  const of = { instance_reports: { domain: 'far.example' } }
  await db('admin').run(sql`update reports set target_domain = null`)
  expect(await totals(['instance_reports'], of)).toEqual({ instance_reports: '0' })
  await nameReportDomains.run(host.ctx)
  expect(await totals(['instance_reports'], of)).toEqual({ instance_reports: '1' })
})

test('reports about a remote account that is deleted keep the domain of its address', async () => {
  const host = cluster.host.running.find((one) => one.service === 'admin')
  if (!host) throw new Error('admin does not run')
  const domainsOf = async (id: string) =>
    (
      await db('admin').rows<{ target_domain: string | null }>(
        sql`select target_domain from reports where target_account_id = ${id} order by id`,
      )
    ).map((row) => row.target_domain)
  const file = (id: number, target: string, domain: string | null) =>
    db(
      'admin',
    ).run(sql`insert into reports (id, account_id, target_account_id, target_domain, category, comment, created_at, updated_at)
      values (${id}, ${bob.id}, ${target}, ${domain}, 'other', '', now() - interval '30 days', now())`)
  const actor = { ...remoteActor('leaver', 'leaving.example'), uri: 'https://web.leaving.example/users/leaver' }
  const leaver = (await cluster.call(putRemote, { actor })).record.id
  await file(1, leaver, null)
  // The tick ran between the deletion and its event.
  await file(2, leaver, '')
  expect(await cluster.call(removeRemote, { uri: actor.uri })).toEqual({ removed: true })
  await expect.poll(() => domainsOf(leaver)).toEqual(['leaving.example', 'leaving.example'])

  await file(3, '31', null)
  await file(4, '32', null)
  await db('admin').run(sql`insert into audit_log (id, actor_id, action, target_id, target, created_at)
    values (1, null, 'suspend', '31', 'old@long-gone.example', now()), (2, null, 'suspend', '32', 'local', now())`)
  // Authors that were deleted in a release without domains: 33 and 34 are remote, 35 is local, 36 is unknown.
  for (const n of [33, 34, 35, 36]) await file(n, String(n), null)
  await db('statuses').run(sql`insert into author_flags (account_id, local, domain, silenced, suspended, sensitized,
      discoverable, indexable, rev)
    select id, local, domain, false, true, false, false, false, 9223372036854775807
    from (values (33, false, 'older.example'), (34, false, null), (35, true, null)) as v(id, local, domain)`)
  await nameReportDomains.run(host.ctx)
  expect((await Promise.all(['33', '34', '35', '36'].map(domainsOf))).flat()).toEqual(['older.example', '?', '', ''])
  expect([await domainsOf('31'), await domainsOf('32'), await domainsOf(leaver)]).toEqual([
    ['long-gone.example'],
    [''],
    ['leaving.example', 'leaving.example'],
  ])
  await db('admin').run(sql`delete from reports where id < 40`)
  await db('statuses').run(sql`delete from author_flags where account_id < 40`)
  await cluster.waitForIdle()
})

const dimension = async (key: string, more: object = {}) =>
  (await cluster.call(readDimensions, { keys: [key], ...more } as never, staff))[0]
const pairs = async (key: string, more: object = {}) =>
  (await dimension(key, more))?.data.map((one) => [one.key, one.human_key, one.value])

test('dimensions list the most frequent languages, sources, servers and tag uses', async () => {
  const local = new URL(cluster.origin).host
  expect(await pairs('languages')).toEqual([['en', 'English', '3']])
  expect(await pairs('sources')).toEqual([['web', 'Website', '3']])
  expect(await pairs('servers')).toEqual([
    ['far.example', 'far.example', '4'],
    [local, local, '3'],
  ])
  expect(await pairs('servers', { limit: 1 })).toHaveLength(1)
  expect(await pairs('tag_servers', { tag_servers: { id: tag } })).toEqual([[local, local, '2']])
  expect(await pairs('tag_languages', { tag_languages: { id: tag } })).toEqual([
    ['de', 'German', '1'],
    ['en', 'English', '1'],
  ])
  expect(await pairs('instance_accounts', { instance_accounts: { domain: 'far.example' } })).toEqual([
    ['eve', 'eve', '2'],
  ])
  expect(await pairs('instance_languages', { instance_languages: { domain: 'far.example' } })).toEqual([
    ['fr', 'French', '4'],
  ])
  await expectGolden('admin-dimension', await dimension('languages'), cluster.origin)
})

test('dimensions contain the size of the stores and the versions of the software', async () => {
  const space = await dimension('space_usage')
  expect(space?.data.map((one) => [one.key, one.unit])).toEqual([
    ['postgresql', 'bytes'],
    ['media', 'bytes'],
  ])
  expect(Number(space?.data[0]?.value)).toBeGreaterThan(1_000_000)
  expect(space?.data[1]?.value).toBe('1500000')
  const versions = await dimension('software_versions')
  expect(versions?.data.map((one) => one.key)).toEqual(['murmuration', 'node', 'postgresql', 'nats'])
  for (const one of versions?.data ?? []) expect(one.value).toMatch(/^\d+\./)
  expect(await cluster.call(readDimensions, { keys: ['nothing'] } as never, staff)).toEqual([])
  await expect(cluster.call(readDimensions, {} as never, staff)).rejects.toMatchObject({ status: 400 })
})

const seen = (who: Viewer, joined: number, active: number) =>
  db('accounts').run(sql`update users set active_at = ${new Date(Date.now() - active * DAY_MS)},
    created_at = ${new Date(Date.now() - joined * DAY_MS)} where account_id = ${who.id}`)

test('retention is the share of the users registered on a day that were active later', async () => {
  const path = (frequency?: string, start_at = dayAt(2)) =>
    cluster.call(readRetention, { start_at, end_at: today, frequency } as never, staff)
  const cohorts = await path('fortnight')
  expect(cohorts.map((one) => [one.frequency, one.data.map((cell) => [cell.rate, cell.value])])).toEqual([
    [
      'day',
      [
        [0, '0'],
        [0, '0'],
        [0, '0'],
      ],
    ],
    [
      'day',
      [
        [0, '0'],
        [0, '0'],
      ],
    ],
    ['day', [[1, '3']]],
  ])
  await expectGolden(
    'admin-cohort',
    { ...cohorts[2], period: 'x', data: [{ ...cohorts[2]?.data[0], date: 'x' }] },
    cluster.origin,
  )
  expect(await path('month', '2001-01-01')).toHaveLength(12)
  expect(await path('day', '2001-01-01')).toHaveLength(31)
  await expect(cluster.call(readRetention, { start_at: today } as never, staff)).rejects.toMatchObject({ status: 400 })
})

test('users are counted once per period, independent of their number of active days', async () => {
  await seen(bob, 0, -1)
  const [found] = await measures(['active_users'], { start_at: today, end_at: dayAt(-1) })
  expect(found?.data.map((one) => one.value)).toEqual(['3', '1'])
  expect(found?.total).toBe('3')
  const [later] = await measures(['active_users'], { start_at: dayAt(-1), end_at: dayAt(-1) })
  expect([later?.total, later?.previous_total]).toEqual(['1', '3'])
})
