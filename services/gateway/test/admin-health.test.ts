/** Pages of federation health, queues and dead letters, and the dashboard while services do not respond. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import { addReblog, createStatus, removeReblog, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as federation } from '@murmuration/federation'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { viewer } from '@murmuration/testkit'
import { type Browser, openBrowser } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { type Harness, PASSWORD, startHarness } from './harness.js'

/** Statuses without the role `links`, so that no process handles its queue. */
const { links: _, ...roles } = statuses.manifest.roles
const withoutLinks = { ...statuses, manifest: { ...statuses.manifest, roles } }

/** The services that these pages read from, except notifications. So the pages show that notifications does not respond. */
let server: Harness
beforeAll(async () => {
  server = await startHarness({ MEDIA_FFMPEG: 'off' }, [gateway, accounts, withoutLinks, media, admin, federation])
  await make(server, 'boss', 'Owner')
})
afterAll(() => server.stop())

const make = async (on: Harness, username: string, role?: string): Promise<string> => {
  const email = `${username}@mail.example`
  const input = { username, email, password: PASSWORD, confirmed: true, ...(role ? { role } : {}) }
  return (await on.call(createAccountByOperator, input)).id
}
const signIn = async (on: Harness, name: string): Promise<Browser> => {
  const by = openBrowser({ follows: (url) => url.origin === on.origin })
  await by.get(`${on.origin}/auth/sign_in`)
  await by.submit(0, { fields: { 'user[email]': `${name}@mail.example`, 'user[password]': PASSWORD } })
  return by
}
const at = (path: string): string => server.origin + path
const formTo = (by: Browser, path: string) => {
  const form = by.page().forms.findLast((one) => new URL(one.action).pathname === path)
  if (!form) throw new Error(`no form to ${path}`)
  return form
}
let queues = 0
const host = async (name: string, waiting: number, trouble: ReturnType<typeof sql>): Promise<void> => {
  const id = String(++queues)
  const db = server.db('federation')
  await db.run(sql`insert into lanes (id, host) values (${id}, ${name})`)
  await db.run(sql`update lanes set ${trouble} where id = ${id}`)
  await db.run(sql`insert into deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, attempts, at)
    select ${id}::bigint * 1000 + n, n, ${id}::bigint, 1, (extract(epoch from now()) * 1000)::bigint << 16, 0, 1,
      now() + interval '1 day' from generate_series(1, ${waiting}::int) n`)
}
const PAUSED = sql`failures = 4, paused_until = now() + interval '1 hour', failed_at = now(), trouble = 'status 503'`

test('failing servers are listed; one is shown with the reason, retried, and its deliveries are given up after a confirmation', async () => {
  await host('slow.example:8443', 3, PAUSED)
  await host('well.example', 0, sql`delivered_at = now()`)
  const by = await signIn(server, 'boss')
  await by.get(at('/admin/federation/hosts'))
  expect(by.page().text).toContain('slow.example:8443')
  expect(by.page().text).not.toContain('well.example')
  await by.get(at('/admin/federation/hosts?state=ok'))
  expect(by.page().text).toContain('well.example')
  await by.get(at('/admin/federation/hosts?state=failing&domain=slow'))
  await by.follow('slow.example:8443')
  expect(by.page().url).toBe(at('/admin/federation/hosts/slow.example%3A8443'))
  for (const text of ['Paused', 'status 503', 'The next one is sent when the pause is over.', 'Known accounts'])
    expect(by.page().text).toContain(text)
  await by.submit(formTo(by, '/admin/federation/hosts/slow.example%3A8443/retry'))
  expect(by.page().text).toContain('The server is tried now.')
  await by.follow('Give up what waits…')
  expect(by.page().text).toContain('would be given up')
  await by.submit(formTo(by, '/admin/federation/hosts/slow.example%3A8443/drop'))
  expect(by.page().text).toContain('The deliveries were given up.')
  const entries = async () => (await by.get(at('/admin/audit_log?target_id=1'))).text
  await expect.poll(entries).toContain('drop_deliveries')
  expect((await by.get(at('/admin/federation/hosts/nobody.example'))).status).toBe(404)
})

test('refusals are shown by day, by reason and by server', async () => {
  await server.db('federation').run(sql`insert into inbox_refusals (day, stage, reason, count, last_host, last_at)
    values ((now() at time zone 'UTC')::date, 'gate', 'no-signature', 12, 'rude.example', now())`)
  await server.db('federation').run(sql`insert into inbox_refusal_hosts (host, day, stage, reason, count, last_at)
    values ('rude.example', (now() at time zone 'UTC')::date, 'gate', 'no-signature', 9, now())`)
  const by = await signIn(server, 'boss')
  const page = await by.get(at('/admin/federation/refusals'))
  expect(page.html).toMatch(/<svg[^>]+aria-labelledby="chart-refusals-title/)
  for (const text of ['12', 'no-signature', 'before it was stored', 'rude.example']) expect(page.text).toContain(text)
  const one = await by.get(at('/admin/federation/refusals?days=31&host=rude.example'))
  expect(one.text).toContain('9')
})

test('the address of a status shows where it was delivered', async () => {
  const uri = 'https://here.example/1'
  const db = server.db('federation')
  await db.run(sql`insert into lanes (id, host) values (900, 'far.example')`)
  await db.run(sql`insert into inboxes (id, url, lane_id) values (900, 'https://far.example/inbox', 900)`)
  await db.run(sql`insert into activities (id, uri, kind, actor_id, seq, object_uri, created_at)
    values (900, ${uri}, 'Create', 1, 900, ${uri}, now())`)
  await db.run(sql`insert into deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, attempts, status, at)
    values (900, 900, 900, 1, 900, 2, 1, 403, now())`)
  const by = await signIn(server, 'boss')
  await by.get(at('/admin/federation/explain'))
  await by.submit(formTo(by, '/admin/federation/explain'), { fields: { address: uri } })
  for (const text of ['Create', 'Refused', 'far.example', '403']) expect(by.page().text).toContain(text)
  const path = `/admin/federation/explain?address=${encodeURIComponent(uri)}`
  expect((await by.get(at(`${path}&host=far.example`))).text).toContain('403')
  const elsewhere = await by.get(at(`${path}&host=other.example`))
  expect(elsewhere.text).toContain('Nothing was sent to this server yet.')
  expect(elsewhere.text).toContain('No recipient is on that server')
  await by.get(at('/admin/federation/explain?address=https%3A%2F%2Fhere.example%2F2'))
  expect(by.page().text).toContain('Nothing about this address was sent to another server.')
  expect(by.page().text).toContain('No post and no activity with this address is known here.')
  expect(by.page().html).toContain('docs/runbooks/one-post-not-delivered.md')
})

const deadLetter = (id: string, consumer = 'statuses_file-conversation') =>
  server.db('statuses').run(sql`insert into dead_letters (id, consumer, subject, message_id, data, reason, tries, at)
    values (${id}, ${consumer}, 'job.statuses.x', ${`m${id}`}, '{"status":"1","note":"between us"}', 'timeout', 6, now())`)

test('dead letters are shown without private texts, run again, and removed after a confirmation', async () => {
  await deadLetter('71')
  await deadLetter('72', 'statuses_unknown')
  const by = await signIn(server, 'boss')
  await by.get(at('/admin/queues'))
  expect(by.page().alerts.join()).toContain('No response from: notifications')
  await by.get(at('/admin/dead_letters?service=statuses'))
  await by.follow('statuses-71')
  expect(by.page().text).toContain('[hidden: 10 characters]')
  expect(by.page().text).not.toContain('between us')
  await by.submit(formTo(by, '/admin/dead_letters'), { button: 'Run again' })
  expect(by.page().text).toContain('1 dead letter run again.')
  await by.submit(formTo(by, '/admin/dead_letters'), { button: 'Run again' })
  expect(by.page().text).toContain('No dead letter was selected.')
  await by.get(at('/admin/dead_letters/statuses-72'))
  await by.submit(formTo(by, '/admin/dead_letters'), { button: 'Remove…' })
  expect(by.page().text).toContain('1 dead letter would be removed.')
  await by.submit(formTo(by, '/admin/dead_letters'))
  expect(by.page().text).toContain('1 dead letter removed.')
  expect(by.page().text).toContain('There are no dead letters.')
  expect((await by.get(at('/admin/dead_letters/statuses-72'))).status).toBe(404)
})

test('the dashboard counts a new post, and shows queues and failing servers', async () => {
  const writer = viewer(await make(server, 'writer'))
  const by = await signIn(server, 'boss')
  const posts = async () => /Posts\s*([\d,]+)\s*30 days before/.exec((await by.get(at('/admin'))).text)?.[1]
  expect(await posts()).toBe('0')
  await server.call(createStatus, { status: 'hello' }, writer)
  await server.call(createStatus, { status: 'again' }, writer)
  expect(await posts()).toBe('2')
  const { html, text } = by.page()
  expect(html).toMatch(/aria-labelledby="chart-new_statuses-title/)
  for (const label of ['Oldest message', 'Dead letters', 'Failing servers']) expect(text).toContain(label)
  expect(text).toContain('No response from: notifications')
})

test('a role without these permissions sees neither pages nor tiles', async () => {
  await make(server, 'mod', 'Moderator')
  const by = await signIn(server, 'mod')
  expect((await by.get(at('/admin'))).text).not.toContain('Dead letters')
  for (const path of ['/admin/queues', '/admin/dead_letters', '/admin/federation/hosts', '/admin/federation/explain'])
    expect([path, (await by.get(at(path))).status]).toEqual([path, 403])
})

test('the API returns the same data to a token with the scope', async () => {
  const { token } = await server.call(createTokenByOperator, { username: 'boss', scopes: 'admin:read' })
  const shown = async (path: string) => server.http(`/api/murmuration/v1/admin/${path}`, { token })
  for (const path of [
    'federation/health',
    'federation/hosts?state=failing',
    'federation/refusals',
    'queues',
    'dead_letters',
  ])
    expect([path, (await shown(path)).status]).toEqual([path, 200])
  const hosts = await shown('federation/hosts?limit=1')
  expect(hosts.headers.get('link')).toMatch(/limit=1&max_id=\d+>; rel="next"/)
})

test('the API creates accounts, recounts, and proves the audit log', async () => {
  const scopes = 'admin:read admin:write'
  const { token } = await server.call(createTokenByOperator, { username: 'boss', scopes })
  const at = (path: string, json?: unknown) => server.http(`/api/murmuration/v1/admin/${path}`, { token, json })
  const made = await at('accounts', { username: 'made', email: 'made@mail.example' })
  expect([made.status, made.json()]).toMatchObject([200, { username: 'made', password: null }])
  const id = String(made.json().id)
  const wrong = sql`update account_stats set statuses_count = 9, followers_count = 4 where account_id = ${id}`
  await server.db('accounts').run(wrong)
  const recount = await at('recounts/accounts', { repair: '1' })
  expect(recount.json().differences).toContainEqual({ id, counter: 'followers', kept: 4, counted: 0, repaired: true })
  expect((await at('recounts/statuses', {})).json()).toEqual({ differences: [], last: null })
  await server.waitForIdle()
  const entries = (await at('audit_log?limit=10')).json<{ action: string; target: string }[]>()
  expect(entries.map((one) => [one.action, one.target])).toEqual(
    expect.arrayContaining([
      ['create_user', 'made'],
      ['repair_counters', 'accounts'],
    ]),
  )
  const { end, more, problem } = (await at('audit_log/verify')).json<{
    end: { seq: string; hash: string }
    more: boolean
    problem: unknown
  }>()
  expect([more, problem]).toEqual([false, null])
  const rest = await at(`audit_log/verify?after[seq]=${end.seq}&after[hash]=${end.hash}`)
  expect(rest.json()).toEqual({ end, more: false, problem: null })
  const exported = (await at('audit_log/export')).json<{ entries: { seq: string }[]; next: string | null }>()
  expect([exported.entries.at(-1)?.seq, exported.next]).toEqual([end.seq, null])
})

test('the page of a boosted post shows the deliveries of the boost, and why the post itself was not sent', async () => {
  const [author, friend] = [viewer(await make(server, 'author')), viewer(await make(server, 'friend'))]
  const { id } = await server.call(createStatus, { status: 'between us' }, author)
  const { id: reblog } = await server.call(addReblog, { id }, friend)
  await server.waitForIdle()
  const { records } = await server.call(statusRecords, { ids: [id, reblog] })
  const uriOf = (one: string): string => records.find((it) => it.id === one)?.uri ?? ''
  const [uri, boost] = [uriOf(id), uriOf(reblog)]
  const db = server.db('federation')
  await db.run(sql`insert into lanes (id, host) values (901, 'boosted.example')`)
  await db.run(sql`insert into inboxes (id, url, lane_id) values (901, 'https://boosted.example/inbox', 901)`)
  await db.run(sql`insert into activities (id, uri, kind, actor_id, seq, object_uri, created_at)
    values (901, ${boost}, 'Announce', ${friend.id}, 901, ${boost.replace('/activity', '')}, now())`)
  await db.run(sql`insert into deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, attempts, status, at)
    values (901, 901, 901, ${friend.id}, 901, 2, 1, 403, now())`)
  const by = await signIn(server, 'boss')
  for (const address of [uri, boost, at(`/@author/${id}`), at(`/@friend/${reblog}`)]) {
    const { text } = await by.get(at(`/admin/federation/explain?address=${encodeURIComponent(address)}`))
    const shown = [
      'Announce',
      `Boost of ${uri}`,
      'boosted.example',
      `Nothing was sent of ${uri}`,
      'also receives public posts, but no boosts.',
    ]
    for (const one of shown) expect(text).toContain(one)
    expect(text).not.toContain('between us')
  }
})

test('the page finds an undone boost by the post and the account, lists the posts of an account, and says where it looked', async () => {
  const [author, friend] = [viewer(await make(server, 'painter')), viewer(await make(server, 'undoer'))]
  const { id } = await server.call(createStatus, { status: 'between us' }, author)
  const { id: reblog } = await server.call(addReblog, { id }, friend)
  const { records } = await server.call(statusRecords, { ids: [id, reblog] })
  const uriOf = (one: string): string => records.find((it) => it.id === one)?.uri ?? ''
  await server.waitForIdle()
  await server.call(removeReblog, { id }, friend)
  await server.waitForIdle()
  const by = await signIn(server, 'boss')
  const shown = async (query: Record<string, string>) =>
    (await by.get(at(`/admin/federation/explain?${new URLSearchParams(query)}`))).text
  const undone = await shown({ address: uriOf(id), by: '@undoer' })
  for (const one of [
    'The boost was undone',
    uriOf(reblog),
    'not sent',
    'sent to no server',
    'Known until',
    'undone, before it was sent',
  ])
    expect(undone).toContain(one)
  expect(await shown({ address: uriOf(id), by: 'painter' })).toContain('The account has no boost of this post.')
  const listed = await shown({ by: 'undoer' })
  for (const one of [uriOf(reblog), `Boost of ${uriOf(id)}`, 'Undone']) expect(listed).toContain(one)
  await by.follow(uriOf(reblog))
  expect(by.page().text).toContain('The boost was undone')
  expect(await shown({ address: uriOf(id), host: '@bob@nobody.example' })).toMatch(
    /The account bob@nobody\.example is not known here.*No inbox of bob@nobody\.example is known/s,
  )
  await by.get(at('/admin/federation/explain?by=nobody'))
  expect(by.page().alerts.join()).toContain('There is no local account named nobody')
})

test('the dashboard is shown while services do not respond, and names the missing numbers', async () => {
  const small = await startHarness({ MEDIA_FFMPEG: 'off' }, [gateway, accounts, admin])
  try {
    await make(small, 'boss', 'Owner')
    const by = await signIn(small, 'boss')
    const { status, text } = await by.get(`${small.origin}/admin`)
    expect(status).toBe(200)
    for (const label of ['Posts', 'Storage', 'Failing servers'])
      expect(text).toMatch(new RegExp(`${label}\\s*–\\s*Cannot be read now\\.`))
    expect(text).toMatch(/Sign-ups\s*1\s*30 days before/)
    expect(text).toContain('No response from: federation, media, notifications, statuses')
  } finally {
    await small.stop()
  }
})

test('a replayed dead letter whose job has not ended is shown as not finished', async () => {
  await deadLetter('73', 'statuses_preview-link')
  const by = await signIn(server, 'boss')
  await by.get(at('/admin/dead_letters/statuses-73'))
  await by.submit(formTo(by, '/admin/dead_letters'), { button: 'Run again' })
  expect(by.page().text).toContain('0 dead letters run again. 1 not finished yet.')
})
