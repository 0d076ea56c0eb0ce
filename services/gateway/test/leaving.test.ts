/** After the deletion of an account no table of any service contains its id, except for those in `KEPT`. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { name, sql } from '@murmuration/db'
import { app as federation } from '@murmuration/federation'
import type { App } from '@murmuration/kernel'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { openBrowser } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { type Harness, PASSWORD, startHarness } from './harness.js'

const SERVICES = ['accounts', 'statuses', 'media', 'notifications', 'federation', 'admin']
/** Columns that keep the id of a deleted account on purpose. */
const KEPT = new Set([
  // Usernames are never reused, and the Delete activity must be signed.
  'accounts.accounts.id',
  'accounts.keys.account_id',
  // Requests for the actor get 410.
  'federation.gone_actors.account_id',
  // Deliveries of the Delete activity.
  'federation.activities.actor_id',
  // Hides statuses of the account that arrive after the deletion.
  'statuses.author_flags.account_id',
  // Statuses of others keep their mentions, and polls of others keep their votes.
  'statuses.mentions.account_id',
  'statuses.poll_votes.account_id',
  // Counts of accounts per hashtag; deleted after two weeks.
  'statuses.tag_users.account_id',
])

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({}, [gateway, accounts, statuses, media, notifications, federation, admin])
})
afterAll(() => harness.stop())

/** `service.table.column` of every bigint column that contains the id. */
const traces = async (id: string): Promise<string[]> => {
  const found: string[] = []
  for (const service of SERVICES) {
    const db = harness.db(service)
    const columns = await db.rows<{ table: string; column: string; array: boolean }>(sql`
      select c.table_name as "table", c.column_name as "column", c.data_type = 'ARRAY' as array
      from information_schema.columns c join information_schema.tables t
        on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      where c.table_schema = ${service} and (c.data_type = 'bigint' or c.udt_name = '_int8')
        and c.table_name not in ('outbox', 'dead_letters') and c.column_name <> 'order'`)
    for (const { table, column, array } of columns) {
      const [row] = await db.rows<{ n: number }>(
        array
          ? sql`select count(*)::int as n from ${name(table)} where ${id}::bigint = any(${name(column)})`
          : sql`select count(*)::int as n from ${name(table)} where ${name(column)} = ${id}`,
      )
      if (row?.n) found.push(`${service}.${table}.${column}`)
    }
  }
  return found.sort()
}

test('the deletion of an account removes its id from all tables of all services', async () => {
  const token = await harness.createAccount('leaver', 'read write follow push')
  const other = await harness.createAccount('other', 'read write follow push')
  const api = async <T = { id: string }>(path: string, json: unknown, by = token): Promise<T> => {
    const answer = await harness.http(path, { token: by, json })
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return answer.json<T & Record<string, unknown>>()
  }
  const me = (await harness.http('/api/v1/accounts/verify_credentials', { token })).json<{ id: string }>().id
  const them = (await harness.http('/api/v1/accounts/verify_credentials', { token: other })).json<{ id: string }>().id

  const theirs = await api('/api/v1/statuses', { status: '@leaver hello #birds' }, other)
  const question = await api<{ poll: { id: string } }>(
    '/api/v1/statuses',
    { status: 'which?', poll: { options: ['a', 'b'], expires_in: 3_600 } },
    other,
  )
  await api(`/api/v1/polls/${question.poll.id}/votes`, { choices: [0] })
  const mine = await api('/api/v1/statuses', {
    status: '@other hello #birds',
    poll: { options: ['a', 'b'], expires_in: 3_600 },
  })
  await api('/api/v1/statuses', { status: '@other in private', visibility: 'direct' })
  await api('/api/v1/statuses', { status: 'answer', in_reply_to_id: theirs.id })
  await api(`/api/v1/statuses/${mine.id}/pin`, {})
  for (const verb of ['favourite', 'bookmark', 'reblog', 'mute']) await api(`/api/v1/statuses/${theirs.id}/${verb}`, {})
  for (const verb of ['favourite', 'bookmark', 'reblog']) await api(`/api/v1/statuses/${mine.id}/${verb}`, {}, other)
  await api(`/api/v1/accounts/${them}/follow`, {})
  await api(`/api/v1/accounts/${me}/follow`, {}, other)
  await api(`/api/v1/accounts/${them}/note`, { comment: 'somebody' })
  await api(`/api/v1/accounts/${me}/note`, { comment: 'somebody' }, other)
  await api(`/api/v1/accounts/${them}/endorse`, {})
  const list = await api('/api/v1/lists', { title: 'People' })
  await api(`/api/v1/lists/${list.id}/accounts`, { account_ids: [them] })
  const third = await harness.createAccount('third', 'read write follow push')
  const thirdId = (await harness.http('/api/v1/accounts/verify_credentials', { token: third })).json<{ id: string }>()
    .id
  await api(`/api/v1/accounts/${thirdId}/block`, {})
  await api(`/api/v1/accounts/${me}/mute`, {}, third)
  await api('/api/v1/domain_blocks', { domain: 'bad.example' })
  await api('/api/v2/filters', { title: 'Noise', context: ['home'], keywords_attributes: [{ keyword: 'noise' }] })
  await api('/api/v1/tags/birds/follow', {})
  await api('/api/v1/statuses', { status: 'later', scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
  await api('/api/v1/markers', { home: { last_read_id: theirs.id } })
  const upload = new FormData()
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  upload.append('file', new Blob([png], { type: 'image/png' }), 'a.png')
  const picture = (await harness.http('/api/v2/media', { method: 'POST', token, body: upload })).json<{ id: string }>()
  await api('/api/v1/statuses', { status: 'a picture', media_ids: [picture.id] })
  await harness.waitForIdle()
  expect((await traces(me)).length).toBeGreaterThan(20)

  const by = openBrowser({ follows: (url) => url.origin === harness.origin })
  await by.get(`${harness.origin}/auth/sign_in`)
  await by.submit(0, { fields: { 'user[email]': 'leaver@mail.example', 'user[password]': PASSWORD } })
  const page = await by.get(`${harness.origin}/settings/delete`)
  const form = page.forms.findIndex((one) => one.action.endsWith('/settings/delete'))
  expect((await by.submit(form, { fields: { password: PASSWORD } })).text).toContain('has been deleted')
  await harness.waitForIdle()
  expect((await harness.http(`/api/v1/accounts/${me}`)).status).toBe(404)
  expect((await harness.http(`/api/v1/statuses/${mine.id}`)).status).toBe(404)

  // Deleted statuses are kept for a month, because reports may refer to them.
  const later = async ({ manifest }: App, ms: number, name: string) => {
    const ctx = harness.host.running.find((one) => one.service === manifest.service)?.ctx
    const tick = manifest.ticks.find((one) => one.name === `${manifest.service}.${name}`)
    ctx?.clock.moveTo(ms)
    for (let i = 0; i < 3; i++) await tick?.run(ctx)
    ctx?.clock.moveTo(0)
    await harness.waitForIdle()
  }
  await later(accounts, 601_000, 'erase-removed')
  await later(statuses, 31 * 86_400_000, 'erase-deleted')
  await later(media, 0, 'discard-unattached')
  expect((await traces(me)).filter((one) => !KEPT.has(one))).toEqual([])
  const again = await harness.http('/api/v1/accounts/verify_credentials', { token: other })
  expect(again.json()).toMatchObject({ followers_count: 0, following_count: 0 })
})
