/** Account lists, approval, rejection and deletion by staff: through the gateway, with the real accounts service. */
import { app as accounts } from '@murmuration/accounts'
import {
  accountRecords,
  assignRole,
  createAccountByOperator,
  createRole,
  createTokenByOperator,
  moderateAccount,
  putRemote,
} from '@murmuration/contracts/accounts'
import { approveAccountByStaff, listAuditLog } from '@murmuration/contracts/admin'
import { type Database, sql } from '@murmuration/db'
import { app as gateway } from '@murmuration/gateway'
import { app as media } from '@murmuration/media'
import { type Cluster, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyFinalDecisionWork } from '../src/account/jobs.js'
import { insertDecisions } from '../src/account/store.js'
import type { Context } from '../src/context.js'
import { app } from '../src/main.js'
import { expectGolden } from './golden.js'

let cluster: Cluster
let db: Database
const ids: Record<string, string> = {}
const tokens: Record<string, string> = {}

const make = async (username: string, role?: string): Promise<string> => {
  const { id } = await cluster.call(createAccountByOperator, {
    username,
    email: `${username}@mail.example`,
    confirmed: true,
    ...(role ? { role } : {}),
  })
  ids[username] = id
  return id
}
const makePending = async (username: string): Promise<string> => {
  const id = await make(username)
  await db.run(sql`update users set approved = false where account_id = ${id}`)
  await db.run(sql`update sign_ups set waiting = true, reason = 'I like birds' where account_id = ${id}`)
  return id
}

beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts, media, gateway], env: { MEDIA_FFMPEG: 'off' } })
  db = cluster.db('accounts') as Database
  for (const [name, role] of [['mona', 'Moderator'], ['ada', 'Admin'], ['alice'], ['bob'], ['carla']] as const)
    await make(name, role)
  for (const username of ['mona', 'ada', 'alice'])
    tokens[username] = (await cluster.call(createTokenByOperator, { username, scopes: 'admin:read admin:write' })).token
  ids.eve = (await cluster.call(putRemote, { actor: remoteActor('eve', 'remote.example') })).record.id
})
afterAll(() => cluster.stop())

/** Sends a request. Repeats it while the edge sheds load, which happens on a busy machine. */
const sendRequest = async (
  who: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; link: string; body: never }> => {
  const answer = await fetch(`${cluster.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens[who]}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (answer.status === 503) {
    await answer.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, 300))
    return sendRequest(who, method, path, body)
  }
  return { status: answer.status, link: answer.headers.get('link') ?? '', body: (await answer.json()) as never }
}
const names = (body: { username: string }[]) => body.map((one) => one.username)
/** Entries of the audit log, without the creation of the accounts of this test. */
const log = async () =>
  (await cluster.call(listAuditLog, {})).entries
    .filter(({ action }) => action !== 'create_user' && action !== 'create_token_user')
    .map((one) => [one.actor, one.action, one.target_id, one.target])

test('S-150 S-152 the links of the list of API v1 contain its filters', async () => {
  const { status, link, body } = await sendRequest(
    'mona',
    'GET',
    '/api/v1/admin/accounts?limit=2&active=true&username=&staff=',
  )
  expect([status, names(body)]).toEqual([200, ['carla', 'bob']])
  const base = `${cluster.origin}/api/v1/admin/accounts?limit=2&active=true&staff=&username=`
  expect(link).toBe(`<${base}&max_id=${ids.bob}>; rel="next", <${base}&min_id=${ids.carla}>; rel="prev"`)
  expect(names((await sendRequest('mona', 'GET', '/api/v1/admin/accounts?remote=1')).body)).toEqual(['eve'])
})

test('S-073 S-152 S-153 the links of the list of API v2 contain its filters, with roles as a list', async () => {
  const query = 'limit=1&origin=local&role_ids[]=1&role_ids[]=2'
  const { status, link, body } = await sendRequest('mona', 'GET', `/api/v2/admin/accounts?${query}`)
  expect([status, names(body)]).toEqual([200, ['ada']])
  const base = `${cluster.origin}/api/v2/admin/accounts?${query}`
  expect(link).toBe(`<${base}&max_id=${ids.ada}>; rel="next", <${base}&min_id=${ids.ada}>; rel="prev"`)
  const last = await sendRequest('mona', 'GET', `/api/v2/admin/accounts?${query}&max_id=${ids.mona}`)
  expect([last.body, last.link]).toEqual([[], ''])
  expect(names((await sendRequest('mona', 'GET', '/api/v2/admin/accounts?role_ids[]=1')).body)).toEqual(['mona'])
  expect(names((await sendRequest('mona', 'GET', '/api/v2/admin/accounts?permissions=staff')).body)).toEqual([
    'ada',
    'mona',
  ])
})

test('S-151 S-152 the links of the list of API v2 contain each of its filters', async () => {
  const given = new URLSearchParams({ limit: '1', origin: 'local', status: 'active', permissions: 'staff' })
  for (const [name, value] of Object.entries({ username: 'ad', email: 'ada@', invited_by: '', by_domain: '' }))
    given.append(name, value)
  for (const [name, value] of Object.entries({ display_name: '', ip: '', 'role_ids[]': '2' })) given.append(name, value)
  const { link, body } = await sendRequest('mona', 'GET', `/api/v2/admin/accounts?${given}`)
  expect(names(body)).toEqual(['ada'])
  const next = new URL(/<([^>]+)>; rel="next"/.exec(link)?.[1] ?? '')
  expect(next.pathname).toBe('/api/v2/admin/accounts')
  expect([...next.searchParams].sort()).toEqual([...given, ['max_id', ids.ada]].sort())
})

test('S-151 an unknown origin is a bad request', async () => {
  expect(await sendRequest('mona', 'GET', '/api/v2/admin/accounts?origin=mars')).toMatchObject({
    status: 400,
    body: { error: 'Unknown origin: mars', code: 'invalid' },
  })
})

test('S-026 S-078 a pending account is approved once, receives an e-mail, and the decision is logged', async () => {
  const id = await makePending('dora')
  expect(names((await sendRequest('mona', 'GET', '/api/v1/admin/accounts?pending=true')).body)).toEqual(['dora'])
  const { status, body } = await sendRequest('mona', 'POST', `/api/v1/admin/accounts/${id}/approve`)
  expect([status, body]).toMatchObject([200, { id, approved: true, username: 'dora' }])
  await expectGolden('admin-account-approved', body, cluster.origin, { dora: id })
  const letters = await db.rows(sql`select kind from letters where address = 'dora@mail.example'`)
  expect(letters).toEqual([{ kind: 'approved' }])
  expect((await sendRequest('mona', 'POST', `/api/v1/admin/accounts/${id}/approve`)).status).toBe(403)
  expect(await log()).toEqual([[ids.mona, 'approve_user', id, 'dora']])
})

test('S-026 S-078 a rejected account is deleted, its name and e-mail address are free, and the decision is logged', async () => {
  const id = await makePending('emil')
  expect(await sendRequest('mona', 'POST', `/api/v1/admin/accounts/${id}/reject`)).toMatchObject({
    status: 200,
    body: {},
  })
  expect((await sendRequest('mona', 'POST', `/api/v1/admin/accounts/${id}/reject`)).status).toBe(404)
  expect(await make('emil')).not.toBe(id)
  expect((await log())[0]).toEqual([ids.mona, 'reject_user', id, 'emil'])
})

test.each(['approve', 'reject'])(
  '%s of an account that is not pending is refused, and of an unknown one not found',
  async (verb) => {
    const before = await log()
    for (const id of [ids.alice, ids.eve, ids.ada]) {
      const { status, body } = await sendRequest('mona', 'POST', `/api/v1/admin/accounts/${id}/${verb}`)
      expect([status, body]).toMatchObject([403, { error: 'This action is not allowed' }])
    }
    const { status, body } = await sendRequest('mona', 'POST', `/api/v1/admin/accounts/5/${verb}`)
    expect([status, body]).toMatchObject([404, { error: 'Record not found' }])
    expect(await log()).toEqual(before)
  },
)

test('S-156 a suspended account is deleted with the permission, and any other is not', async () => {
  const path = `/api/v1/admin/accounts/${ids.bob}`
  expect((await sendRequest('mona', 'DELETE', path)).status).toBe(403)
  expect(await sendRequest('ada', 'DELETE', path)).toMatchObject({
    status: 403,
    body: { error: 'This action is not allowed' },
  })
  for (const id of [ids.bob!, ids.eve!]) await cluster.call(moderateAccount, { id, action: 'suspend', stamp: 'staff' })
  expect(await sendRequest('ada', 'DELETE', path)).toMatchObject({ status: 200, body: {} })
  expect((await log())[0]).toEqual([ids.ada, 'destroy_account', ids.bob, 'bob'])
  expect((await sendRequest('ada', 'DELETE', path)).status).toBe(404)
  expect(await sendRequest('ada', 'DELETE', `/api/v1/admin/accounts/${ids.eve}`)).toMatchObject({
    status: 200,
    body: {},
  })
  expect((await cluster.call(accountRecords, { ids: [ids.bob!, ids.eve!] })).records).toEqual([])
})

test('a deletion that the end of the suspension made ineffective is a new decision the next time', async () => {
  const id = await make('gina')
  const path = `/api/v1/admin/accounts/${id}`
  const suspend = () => sendRequest('ada', 'POST', `${path}/action`, { type: 'suspend' })
  const deletions = async () =>
    (await log()).filter(([, action, target]) => action === 'destroy_account' && target === id)
  await suspend()
  // The state after a deletion that accounts did not apply.
  const ctx = cluster.host.running.find((one) => one.service === 'admin')?.ctx as Context
  await ctx.db.tx((tx) => insertDecisions(tx, { accounts: [id], decision: 'delete', by: ids.ada!, at: new Date() }))
  expect((await sendRequest('ada', 'POST', `${path}/unsuspend`)).status).toBe(200)
  await suspend()
  // The job of the revoked deletion.
  await applyFinalDecisionWork.run(ctx, { account: id, verdict: 'delete' }, { id: 'x', tries: 2 })
  expect((await cluster.call(accountRecords, { ids: [id] })).records).toHaveLength(1)
  expect((await sendRequest('ada', 'DELETE', path)).status).toBe(200)
  expect(await deletions()).toHaveLength(1)
  expect((await cluster.call(accountRecords, { ids: [id] })).records).toEqual([])
})

test('a deletion that changes nothing is forgotten, and a later one is in the audit log', async () => {
  const id = await make('hugo')
  const ctx = cluster.host.running.find((one) => one.service === 'admin')?.ctx as Context
  await ctx.db.tx((tx) => insertDecisions(tx, { accounts: [id], decision: 'delete', by: ids.ada!, at: new Date() }))
  await applyFinalDecisionWork.run(ctx, { account: id, verdict: 'delete' }, { id: 'x', tries: 2 })
  await cluster.call(moderateAccount, { id, action: 'suspend', stamp: 'staff' })
  expect((await sendRequest('ada', 'DELETE', `/api/v1/admin/accounts/${id}`)).status).toBe(200)
  expect((await log())[0]).toEqual([ids.ada, 'destroy_account', id, 'hugo'])
})

test('a remote account whose data staff deleted is suspended when it is stored again, until staff lifts that', async () => {
  const store = async (name: string) =>
    (await cluster.call(putRemote, { actor: remoteActor(name, 'remote.example') })).record
  const first = await store('mallory')
  expect(
    (await sendRequest('ada', 'POST', `/api/v1/admin/accounts/${first.id}/action`, { type: 'suspend' })).status,
  ).toBe(200)
  expect((await sendRequest('ada', 'DELETE', `/api/v1/admin/accounts/${first.id}`)).status).toBe(200)
  const second = await store('mallory')
  expect(second.id).not.toBe(first.id)
  expect(second.suspended).toBe(true)
  expect((await sendRequest('ada', 'POST', `/api/v1/admin/accounts/${second.id}/unsuspend`)).status).toBe(200)
  expect((await store('mallory')).suspended).toBe(false)
})

test('staff of the same rank cannot be deleted', async () => {
  await cluster.call(moderateAccount, { id: await make('adam', 'Admin'), action: 'suspend', stamp: 'staff' })
  expect((await sendRequest('ada', 'DELETE', `/api/v1/admin/accounts/${ids.adam}`)).status).toBe(403)
})

test('operators approve with the same operation, logged without an actor', async () => {
  const id = await makePending('otto')
  expect(await cluster.call(approveAccountByStaff, { id })).toMatchObject({ approved: true })
  expect((await log())[0]).toEqual([null, 'approve_user', id, 'otto'])
})

test('S-027 changes of roles are in the audit log with their actor', async () => {
  const { id } = await cluster.call(createRole, { name: 'Helper' })
  await cluster.call(assignRole, { id: ids.carla!, role_id: id }, viewer(ids.ada!))
  await cluster.waitForIdle()
  expect((await log()).slice(0, 2)).toEqual([
    [ids.ada, 'change_role_user', ids.carla, 'carla'],
    [null, 'create_user_role', id, 'Helper'],
  ])
})

test('staff lists invitations of all users and ends one, which is logged', async () => {
  const [first, second] = ['71', '72']
  await db.run(sql`insert into invites (id, account_id, code, created_at) values
    (${first}, ${ids.carla}, 'one', now()), (${second}, ${ids.alice}, 'two', now())`)
  const path = '/api/murmuration/v1/admin/invites'
  expect((await sendRequest('ada', 'GET', path)).body).toMatchObject([
    { id: second, account_id: ids.alice, usable: true },
    { id: first, account_id: ids.carla, usable: true },
  ])
  expect((await sendRequest('ada', 'DELETE', `${path}/${first}`)).status).toBe(200)
  expect((await sendRequest('ada', 'GET', `${path}?account_id=${ids.carla}`)).body).toMatchObject([
    { id: first, usable: false },
  ])
  expect((await sendRequest('ada', 'DELETE', `${path}/99`)).status).toBe(404)
  // The entry is added by the event accounts.invite.managed.
  await cluster.waitForIdle()
  expect((await log())[0]).toEqual([ids.ada, 'destroy_invite', first, 'one'])
})

test('staff lists custom emoji and changes one, which is logged', async () => {
  const path = '/api/murmuration/v1/admin/custom_emojis'
  const media = cluster.db('media')
  await media.run(
    sql`insert into pictures (id, owner, kind, key, media_type, created_at)
      values (1, 'emoji', 'emoji', 'emoji/1', 'image/png', now())`,
  )
  await media.run(
    sql`insert into custom_emojis (shortcode, picture_id, created_at, updated_at) values ('blob', 1, now(), now())`,
  )
  expect((await sendRequest('ada', 'GET', path)).body).toMatchObject([{ shortcode: 'blob', disabled: false }])
  expect((await sendRequest('ada', 'PUT', `${path}/blob`, { disabled: true, category: 'Cats' })).body).toMatchObject({
    category: 'Cats',
  })
  expect((await sendRequest('ada', 'GET', path)).body).toMatchObject([
    { shortcode: 'blob', disabled: true, category: 'Cats' },
  ])
  expect((await sendRequest('ada', 'DELETE', `${path}/blob`)).status).toBe(200)
  expect((await sendRequest('ada', 'DELETE', `${path}/blob`)).status).toBe(404)
  // The entries are added by the event media.emoji.managed.
  await cluster.waitForIdle()
  expect((await log()).slice(0, 2)).toEqual([
    [ids.ada, 'destroy_custom_emoji', 'blob', 'blob'],
    [ids.ada, 'disable_custom_emoji', 'blob', 'blob'],
  ])
})

test('of an approval and a rejection at the same time one counts, and one is logged', async () => {
  for (let round = 0; round < 4; round++) {
    const id = await makePending(`both${round}`)
    const decide = (decision: string) => sendRequest('mona', 'POST', `/api/v1/admin/accounts/${id}/${decision}`)
    const answers = await Promise.all([decide('approve'), decide('reject'), decide('approve'), decide('reject')])
    await cluster.waitForIdle()
    const { entries } = await cluster.call(listAuditLog, { limit: 200 })
    const logged = entries.filter((one) => one.target_id === id && /^(approve|reject)_user$/.test(one.action))
    expect(logged).toHaveLength(1)
    const [row] = await db.rows<{ approved: boolean }>(sql`select approved from users where account_id = ${id}`)
    expect(logged[0]?.action).toBe(row?.approved ? 'approve_user' : 'reject_user')
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => ![200, 403, 404].includes(status))).toEqual([])
  }
})
