/** Ticks of all services over two years: each runs without an error, and rows are deleted after their retention. */
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as accounts from '@murmuration/contracts/accounts'
import * as statuses from '@murmuration/contracts/statuses'
import { type Sql, sql } from '@murmuration/db'
import { registry } from '@murmuration/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patiently, startInOne, type Whole } from './whole.js'

const MINUTE = 60_000
const DAY = 86_400_000

let whole: Whole
let ann: Awaited<ReturnType<Whole['account']>>
let ben: typeof ann
beforeAll(async () => {
  whole = await startInOne({ MEDIA_TEMP_DIR: await mkdtemp(join(tmpdir(), 'upkeep-')) })
  ann = await whole.account('ann')
  ben = await whole.account('ben')
})
afterAll(async () => {
  await whole?.cluster.stop()
  await rm(whole?.cluster.env.MEDIA_TEMP_DIR ?? '', { recursive: true, force: true })
})

const count = async (service: string, query: Sql): Promise<number> =>
  (await whole.cluster.db(service).row<{ n: number }>(sql`select count(*)::int as n from ${query}`))?.n ?? -1
const insert = (service: string, query: Sql) => whole.cluster.db(service).run(query)
const run = (name: string) => whole.run(whole.tick(name))
/** Posts a status. Retries use the same idempotency key. */
const post = (status: Record<string, unknown>, as = ann) => {
  const idempotencyKey = randomUUID()
  const once = () => whole.cluster.call(statuses.createStatus, status as never, as, { idempotencyKey })
  return patiently(once) as Promise<{ id: string; poll?: { id: string } | null }>
}
const ago = (ms: number) => new Date(Date.now() - ms)

test('every tick of every service runs without an error while two years pass', async () => {
  const { cluster } = whole
  await cluster.call(accounts.createFollow, { id: ann.id }, ben)
  await cluster.call(accounts.createMute, { id: ben.id, duration: 3_600 } as never, ann)
  const first = await post({ status: 'first #tag https://page.example/1', language: 'en' })
  await post({ status: 'choose', poll: { options: ['a', 'b'], expires_in: 3_600 } })
  const deleted = await post({ status: 'deleted' })
  await cluster.call(statuses.deleteStatus, { id: deleted.id }, ann)
  await cluster.call(statuses.addFavourite, { id: first.id }, ben)
  await post({ status: 'scheduled', scheduled_at: new Date(Date.now() + 400 * DAY).toISOString() })
  const ticks = whole.manifests.flatMap((manifest) => manifest.ticks)
  expect(ticks.length).toBeGreaterThan(40)
  const failed: string[] = []
  for (let month = 0; month <= 24; month += 2) {
    const now = new Date()
    whole.moveTo(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 28, 12) - now.getTime())
    for (const tick of ticks)
      await whole.run(tick).catch((error: Error) => failed.push(`month ${month}: ${tick.name}: ${error.message}`))
    await post({ status: `month ${month}` })
  }
  expect(failed).toEqual([])
  // Each status is in the partition of its month.
  expect(await count('statuses', sql`statuses where tableoid = 'statuses_default'::regclass`)).toBe(0)
  expect(await count('statuses', sql`(select distinct tableoid from statuses) as parts`)).toBeGreaterThan(10)
  // After two years, deleted statuses are erased, and all others still exist.
  expect(await count('statuses', sql`statuses where deleted_at is not null`)).toBe(0)
  expect(await count('statuses', sql`statuses where local`)).toBe(16)
  expect(await count('statuses', sql`scheduled_statuses`)).toBe(0)
  await cluster.waitForIdle()
  // The schedulers of the services ran their ticks as well. No tick failed in every run.
  const metrics = await registry.metrics()
  const runs = (outcome: string) =>
    [...metrics.matchAll(/^murmuration_ticks_total\{tick="([^"]+)",outcome="(\w+)"\} [1-9]\d*$/gm)].flatMap((found) =>
      found[2] === outcome ? [found[1]] : [],
    )
  const done = new Set(runs('done'))
  expect(runs('failed').filter((tick) => !done.has(tick))).toEqual([])
})

test('statuses.end-polls and statuses.publish-due end polls and publish scheduled statuses that are due', async () => {
  whole.moveTo(0)
  const poll = await post({ status: 'soon', poll: { options: ['a', 'b'], expires_in: 300 } })
  await post({ status: 'later', scheduled_at: new Date(Date.now() + 600_000).toISOString() })
  whole.moveTo(15 * MINUTE)
  await run('statuses.end-polls')
  await run('statuses.publish-due')
  await whole.cluster.waitForIdle()
  const notified = sql`notifications where type = 'poll' and status_id = ${poll.id}`
  expect(await count('notifications', notified)).toBe(1)
  expect(await count('statuses', sql`statuses where text = 'later'`)).toBe(1)
  whole.moveTo(0)
})

test('statuses.erase-deleted, statuses.forget-previews and statuses.preview-due erase rows and release files that are due', async () => {
  const status = await post({ status: 'erased' })
  await whole.cluster.call(statuses.deleteStatus, { id: status.id }, ann)
  await insert('statuses', sql`insert into links (url, next_at) values ('https://old.example/', ${ago(31 * DAY)})`)
  await insert('statuses', sql`insert into links (url, next_at) values ('https://new.example/', ${ago(29 * DAY)})`)
  await insert('statuses', sql`insert into preview_waits values (${status.id}, ${ago(MINUTE)})`)
  await run('statuses.preview-due')
  expect(await count('statuses', sql`preview_waits where status_id = ${status.id}`)).toBe(0)
  await run('statuses.forget-previews')
  expect(await count('statuses', sql`links where url in ('https://old.example/', 'https://new.example/')`)).toBe(1)
  await run('statuses.erase-deleted')
  expect(await count('statuses', sql`statuses where id = ${status.id}`)).toBe(1)
  whole.moveTo(31 * DAY)
  await run('statuses.erase-deleted')
  expect(await count('statuses', sql`statuses where id = ${status.id}`)).toBe(0)
  whole.moveTo(0)
})

test('accounts.forget-imports, accounts.forget-weeks and accounts.purge-credentials delete expired rows', async () => {
  const user = sql`(select id from users where account_id = ${ann.id})`
  const column = sql`(id, account_id, kind, overwrite, state, name, total, created_at)`
  await insert(
    'accounts',
    sql`insert into imports ${column} values
    (1, ${ann.id}, 'mutes', false, 'unconfirmed', 'a', 0, ${ago(11 * MINUTE)}),
    (2, ${ann.id}, 'mutes', false, 'finished', 'b', 0, ${ago(8 * DAY)}),
    (3, ${ann.id}, 'mutes', false, 'finished', 'c', 0, ${ago(6 * DAY)})`,
  )
  await insert(
    'accounts',
    sql`insert into active_weeks select d::date, ${user} from unnest(${[ago(190 * DAY), ago(20 * DAY)]}::timestamptz[]) as d
    on conflict do nothing`,
  )
  await insert(
    'accounts',
    sql`insert into applications (id, name, website, redirect_uris, scopes, client_id, secret_hash, created_at)
    values (77, 'app', null, '{urn:ietf:wg:oauth:2.0:oob}', '{read}', 'client', '\\x00', now())`,
  )
  await insert(
    'accounts',
    sql`insert into authorization_codes (hash, application_id, user_id, redirect_uri, scopes, created_at, expires_at)
    select n.hash::bytea, 77, ${user}, 'x', '{read}', n.at, n.at from (values ('\\x01', ${ago(2 * DAY)}::timestamptz), ('\\x02', ${ago(MINUTE)})) as n(hash, at)`,
  )
  await insert(
    'accounts',
    sql`insert into sign_in_attempts (id, user_id, method, succeeded, created_at)
    select n, ${user}, 'password', false, ${ago(91 * DAY)}::timestamptz from generate_series(1, 2500) as n`,
  )
  for (const name of ['forget-imports', 'forget-weeks', 'purge-credentials']) await run(`accounts.${name}`)
  expect(await count('accounts', sql`sign_in_attempts where created_at < ${ago(90 * DAY)}`)).toBe(0)
  expect(await count('accounts', sql`imports`)).toBe(1)
  expect(await count('accounts', sql`active_weeks where week < ${ago(183 * DAY)}::date`)).toBe(0)
  expect(await count('accounts', sql`active_weeks where week < ${ago(13 * DAY)}::date`)).toBe(1)
  expect(await count('accounts', sql`authorization_codes`)).toBe(1)
})

test('admin.forget-keys and admin.publish-policy erase old keys and publish the policy again', async () => {
  await insert(
    'admin',
    sql`insert into idempotency_keys (account_id, key, report_id, created_at)
    values (${ann.id}, 'old', 1, ${ago(61 * MINUTE)}), (${ann.id}, 'new', 2, ${ago(59 * MINUTE)})`,
  )
  await run('admin.forget-keys')
  await run('admin.publish-policy')
  expect(await count('admin', sql`idempotency_keys`)).toBe(1)
})

test('admin.forget-bulk-actions deletes bulk actions after 90 days, with their items', async () => {
  for (const [id, days] of [
    [1, 91],
    [2, 89],
  ] as const) {
    await insert(
      'admin',
      sql`insert into bulk_actions (id, noun, action, notify, found, created_at)
        values (${id}, 'account', 'silence', false, 1, ${ago(days * DAY)})`,
    )
    await insert('admin', sql`insert into bulk_action_items (bulk_action_id, target_id) values (${id}, 7)`)
  }
  await run('admin.forget-bulk-actions')
  expect(await count('admin', sql`bulk_actions`)).toBe(1)
  expect(await count('admin', sql`bulk_action_items where bulk_action_id = 2`)).toBe(1)
  expect(await count('admin', sql`bulk_action_items where bulk_action_id = 1`)).toBe(0)
})

test('federation.forget-activities and federation.give-up-deliveries end rows that waited for seven days', async () => {
  const activity = (
    id: number,
    days: number,
  ) => sql`insert into inbox_activities (id, type, actor, outcome, received_at)
    values (${id}, 'Like', 'https://far.example/a', 'done', now() - make_interval(days => ${days}::int))`
  await insert('federation', activity(1, 8))
  await insert('federation', activity(2, 6))
  await run('federation.forget-activities')
  expect(await count('federation', sql`inbox_activities`)).toBe(1)
  const others = ['federation.measure-deliveries', 'federation.release-activities', 'federation.tell-polls']
  for (const name of ['federation.give-up-deliveries', 'federation.wake-lanes', ...others]) await run(name)
})

test('media.sweep-work-directories deletes work directories of ended processes', async () => {
  const parent = whole.cluster.env.MEDIA_TEMP_DIR ?? ''
  const ended = join(parent, 'murmuration-media-elsewhere-5-ended')
  await mkdir(ended, { recursive: true })
  await utimes(ended, ago(60 * MINUTE), ago(60 * MINUTE))
  await run('media.sweep-work-directories')
  expect(await readdir(parent)).not.toContain('murmuration-media-elsewhere-5-ended')
})

test('statuses.check-reserved-attachments releases attachments of statuses that were not stored, and keeps all others', async () => {
  const attachment = (id: number, status: string) => sql`insert into attachments
      (id, owner, status, state, type, media_type, original_key, reserved_since, created_at)
    values (${id}, ${ann.id}, ${status}, 'done', 'image', 'image/png', ${`media/reserved-${id}`}, ${ago(2 * 60 * MINUTE)}, now())`
  const { id } = await post({ status: 'with a file' })
  await insert('statuses', sql`update statuses set media_ids = '{71}', has_media = true where id = ${id}`)
  await insert('media', attachment(71, id))
  await insert('media', attachment(72, String(BigInt(id) + 1n)))
  await insert('media', attachment(73, String(BigInt(id) + 2n)))
  await insert('media', sql`update attachments set reserved_since = now() where id = 73`)
  await run('statuses.check-reserved-attachments')
  const reserved = sql`attachments where id in (71, 72, 73) and status is not null`
  expect(await count('media', reserved)).toBe(2)
  expect(await count('media', sql`attachments where id = 71 and status = ${id} and reserved_since is null`)).toBe(1)
  expect(await count('media', sql`attachments where id = 72 and status is null and loose_since is not null`)).toBe(1)
  await insert('media', sql`delete from attachments where id in (71, 72, 73)`)
})

test('statuses.keep-months and notifications.forget-old do nothing directly after an earlier run', async () => {
  for (const name of ['statuses.keep-months', 'notifications.forget-old']) {
    await run(name)
    await run(name)
  }
  expect(await count('statuses', sql`statuses where tableoid = 'statuses_default'::regclass`)).toBe(0)
})
