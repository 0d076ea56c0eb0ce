/** The staff API of the audit log, settings, rules, announcements and terms of service. */
import * as admin from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { app as gateway } from '@murmuration/gateway'
import { plansOf } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditQuery } from '../src/core/audit-log/store.js'
import { as } from './fixtures.js'
import { expectGolden } from './golden.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
let ada: Viewer
let mona: Viewer
beforeAll(async () => {
  harness = await startHarness({ apps: [gateway] })
  call = harness.cluster.call
  ada = as(who(harness, '12'))
  mona = as(who(harness, '11'))
})
afterAll(() => harness.cluster.stop())

/** Sends a request of an admin over HTTP. Repeats it while the edge sheds load. */
const request = async (
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; link: string; body: never }> => {
  const answer = await fetch(`${harness.cluster.origin}/api/murmuration/v1/admin/${path}`, {
    method,
    headers: { authorization: 'Bearer 12/admin:read,admin:write', 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (answer.status === 503) {
    await answer.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, 300))
    return request(method, path, body)
  }
  return { status: answer.status, link: answer.headers.get('link') ?? '', body: (await answer.json()) as never }
}
const last = async () => {
  const [entry] = await call(admin.browseAuditLog, { limit: 1 }, ada)
  return [entry?.actor, entry?.action, entry?.target]
}

test('settings are read and changed, and the change is logged with its actor', async () => {
  const before = await request('GET', 'settings')
  expect([before.status, before.body]).toMatchObject([200, { settings: { registrations_mode: 'none' } }])
  expect(await request('PUT', 'settings/registrations_mode', { value: 'approved' })).toMatchObject({
    status: 200,
    body: { name: 'registrations_mode', value: 'approved' },
  })
  expect(await last()).toEqual(['12', 'update_setting', 'registrations_mode'])
  await expect.poll(() => harness.ctx.policy.settings().registrations_mode).toBe('approved')
  for (const [name, value, status] of [
    ['registrations_mode', 'x', 422],
    ['nothing', 1, 422],
    ['site_title', 'a\u0000b', 422],
    ['site_title', undefined, 400],
  ])
    expect([value, (await request('PATCH', `settings/${name}`, { value })).status]).toEqual([value, status])
})

test('several settings are changed together, unchanged ones are not logged, and one refusal changes none', async () => {
  const settings = { trends: false, max_characters: '600', site_title: 'Murmuration' }
  expect(await request('PUT', 'settings', { settings })).toMatchObject({
    status: 200,
    body: { settings: { trends: false, max_characters: 600 } },
  })
  const log = await call(admin.browseAuditLog, { action: 'update_setting' }, ada)
  expect(log.map((one) => one.target).filter((name) => name in settings)).toEqual(['max_characters', 'trends'])
  const refused = await request('PUT', 'settings', { settings: { trends: true, max_characters: 'many', min_age: 0 } })
  expect(refused).toMatchObject({
    status: 422,
    body: { error: 'Validation failed: Max characters is not a number, Min age must be from 1 to 120' },
  })
  expect((await request('GET', 'settings')).body).toMatchObject({ settings: { trends: false, max_characters: 600 } })
})

test('rules are ordered by a list with each rule once', async () => {
  const made: { id: string }[] = []
  for (const text of ['One', 'Two', 'Three']) made.push((await request('POST', 'rules', { text })).body)
  const ids = made.map((one) => one.id)
  const wanted = ids.toReversed()
  expect(await request('PUT', 'rules', { ids: wanted })).toMatchObject({
    status: 200,
    body: wanted.map((id) => ({ id })),
  })
  expect((await call(admin.listRules, {})).map((one) => one.id)).toEqual(wanted)
  expect(await last()).toEqual(['12', 'order_rules', 'rules'])
  for (const wrong of [ids.slice(1), [...ids, '999'], [ids[0], ids[0], ids[1]], []])
    expect([wrong, (await request('PUT', 'rules', { ids: wrong })).status]).toEqual([wrong, 422])
  for (const id of ids) await request('DELETE', `rules/${id}`)
})

test('rules are added, changed and removed', async () => {
  const made = await request('POST', 'rules', { text: 'Be kind', hint: 'Always' })
  const { id } = made.body as { id: string }
  expect([made.status, await last()]).toEqual([200, ['12', 'create_rule', 'Be kind']])
  expect(await request('PATCH', `rules/${id}`, { text: 'Be very kind', priority: '3' })).toMatchObject({
    status: 200,
    body: { id, text: 'Be very kind', hint: 'Always' },
  })
  expect(await request('POST', 'rules', { text: '' })).toMatchObject({
    status: 422,
    body: { error: "Validation failed: Text can't be blank" },
  })
  expect(await request('DELETE', `rules/${id}`)).toMatchObject({ status: 200, body: {} })
  expect((await request('DELETE', `rules/${id}`)).status).toBe(404)
  expect(await last()).toEqual(['12', 'destroy_rule', 'Be very kind'])
})

test('announcements are written, listed, withdrawn and removed', async () => {
  const made = await request('POST', 'announcements', { text: 'Maintenance', all_day: '0', starts_at: '' })
  const { id } = made.body as { id: string }
  expect(made).toMatchObject({
    status: 200,
    body: { text: 'Maintenance', all_day: false, published_at: expect.any(String) },
  })
  expect((await request('GET', 'announcements')).body).toMatchObject({ announcements: [{ id }] })
  expect(await request('PUT', `announcements/${id}`, { published: false })).toMatchObject({
    status: 200,
    body: { published_at: null },
  })
  expect((await request('DELETE', `announcements/${id}`)).status).toBe(200)
  expect(await last()).toEqual(['12', 'destroy_announcement', 'Maintenance'])
})

test('the time of publication can be changed only before an announcement is published', async () => {
  const { id } = (await request('POST', 'announcements', { text: 'Soon', scheduled_at: '2999-01-01T00:00:00Z' }))
    .body as {
    id: string
  }
  const change = (scheduled_at: string) => request('PUT', `announcements/${id}`, { scheduled_at })
  expect(await change('2999-06-01T00:00:00Z')).toMatchObject({
    body: { scheduled_at: '2999-06-01T00:00:00.000Z', published_at: null },
  })
  expect(await change('')).toMatchObject({ body: { scheduled_at: null, published_at: expect.any(String) } })
  expect(await change('2999-06-01T00:00:00Z')).toMatchObject({
    status: 422,
    body: { error: 'Validation failed: Scheduled at cannot be set after publication' },
  })
  await request('DELETE', `announcements/${id}`)
})

test('terms of service are published', async () => {
  expect(await request('POST', 'terms_of_service', { text: 'Terms', effective_date: '2999-01-01' })).toMatchObject({
    status: 200,
  })
  expect(await last()).toEqual(['12', 'publish_terms_of_service', '2999-01-01'])
  expect((await request('POST', 'terms_of_service', { text: 'Terms', effective_date: '2020-01-01' })).status).toBe(422)
})

describe('the audit log', () => {
  test('is filtered by actor, action and target, in pages with links', async () => {
    await call(admin.createIpBlock, { ip: '192.0.2.1', severity: 'no_access' }, mona)
    const other = await call(admin.createIpBlock, { ip: '192.0.2.2', severity: 'no_access' }, ada)
    const targets = async (query: string) =>
      ((await request('GET', `audit_log?${query}`)).body as { target: string }[]).map((one) => one.target)
    expect(await targets('actor_id=11')).toEqual(['192.0.2.1/32'])
    expect(await targets('action=create_ip_block')).toEqual(['192.0.2.2/32', '192.0.2.1/32'])
    expect(await targets(`target_id=${other.id}`)).toEqual(['192.0.2.2/32'])
    expect(await targets('action=create_ip_block&actor_id=13')).toEqual([])
    const { body, link } = await request('GET', 'audit_log?limit=1&action=create_ip_block')
    const [entry] = body as { id: string }[]
    const base = `${harness.cluster.origin}/api/murmuration/v1/admin/audit_log?limit=1&action=create_ip_block`
    expect(link).toBe(`<${base}&max_id=${entry?.id}>; rel="next", <${base}&min_id=${entry?.id}>; rel="prev"`)
    await expectGolden('audit-entry', entry, harness.cluster.origin, { entry: entry?.id ?? '', block: other.id })
  })

  test('an index serves each filter', async () => {
    await harness.cluster.fillTables(
      'admin',
      sql`insert into audit_log (id, actor_id, action, target_id, target, created_at, entry)
      select n, n % 500, 'action_' || n % 500, n, 'x', now(), '{}' from generate_series(1, 20000) n`,
      sql`analyze audit_log`,
    )
    for (const [filter, index] of [
      [{ actor_id: '7' }, 'audit_log_actor'],
      [{ action: 'action_7' }, 'audit_log_action'],
      [{ target_id: '7' }, 'audit_log_target'],
      [{}, 'audit_log_pkey'],
    ] as const) {
      const plan = await plansOf(harness.cluster.db('admin'), (db) =>
        db.rows(auditQuery(filter, { limit: 100, max_id: '900000' })),
      )
      expect(plan).toContain(index)
      expect(plan).not.toMatch(/Seq Scan|Sort/)
    }
  })
})
