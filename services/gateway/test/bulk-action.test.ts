/** Bulk actions below `/admin` without scripts: selection, dry run, progress and undo. */
import {
  actOnAccount,
  browseAuditLog,
  createDomainBlock,
  listDomainBlocks,
  showAccountForStaff,
} from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import type { Browser, Submission } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StaffHarness, startStaffHarness } from './staff-harness.js'

const BULK = '/admin/bulk_actions'
let server: StaffHarness
const ids: Record<string, string> = {}
beforeAll(async () => {
  server = await startStaffHarness({ RATE_LIMITS: 'off' })
  for (const name of ['spam1', 'spam2', 'spam3', 'kind']) ids[name] = (await server.make(name)).id
  await server.make('mod', 'Moderator')
  await server.make('chief', 'Admin')
})
afterAll(() => server.stop())

const of = (...names: string[]): string[] => names.map((name) => ids[name] ?? name)
const isLimited = async (...names: string[]) =>
  (await Promise.all(of(...names).map((id) => server.call(showAccountForStaff, { id }, server.owner)))).map(
    (one) => one.silenced,
  )
/** Submits the bar below a list. */
const choose = async (by: Browser, path: string, fields: Submission['fields']) => {
  await server.open(by, path)
  return server.press(by, `${BULK}/confirm`, { fields: fields ?? {} })
}
const begin = async (by: Browser, fields: Submission['fields'] = {}) => {
  const page = await server.press(by, BULK, { fields })
  await server.waitForIdle()
  return page
}

test('a selection is counted, confirmed, processed and undone, except for an item that changed since', async () => {
  const by = await server.signIn('mod')
  const page = await choose(by, '/admin/accounts?username=spam', {
    'ids[]': of('spam1', 'spam2'),
    scope: 'selected',
    action: 'silence',
  })
  expect(page.status).toBe(200)
  expect(page.text).toMatch(/Selected\s*2.*Will change\s*2.*Will not change\s*0/s)
  expect(page.text).toContain('The account holders read this text')
  expect(await isLimited('spam1', 'spam2')).toEqual([false, false])
  const running = await begin(by, { text: 'Spam <b>wave</b>', notify: false })
  expect(new URL(running.url).pathname).toMatch(/^\/admin\/bulk_actions\/\d+$/)
  const done = await server.open(by, new URL(running.url).pathname)
  expect(done.text).toMatch(/Done.*Changed\s*2/s)
  expect(done.html).toContain('Spam &lt;b&gt;wave&lt;/b&gt;')
  expect(done.headers.refresh).toBeUndefined()
  expect(await isLimited('spam1', 'spam2', 'spam3')).toEqual([true, true, false])
  await server.call(actOnAccount, { id: ids.spam2 ?? '', type: 'silence' }, server.owner)
  const plan = await by.follow('Undo all…')
  expect(plan.text).toMatch(/Will be undone\s*1.*Will stay\s*1.*The state has changed since this action/s)
  const undo = await server.press(by, new URL(plan.url).pathname, { button: 'Undo all (1)' })
  await server.waitForIdle()
  const undone = await server.open(by, new URL(undo.url).pathname)
  expect(undone.text).toMatch(/Undo: Actions of staff.*Changed\s*1/s)
  expect(undone.text).toContain('spam2')
  expect(await isLimited('spam1', 'spam2')).toEqual([false, true])
  await by.follow('The bulk action that this one undid')
  expect(by.page().text).toContain('The bulk action that undid this one')
})

test('selected domain blocks are removed, and restored by an undo', async () => {
  const by = await server.signIn('chief')
  for (const domain of ['one.example', 'two.example', 'three.example'])
    await server.call(createDomainBlock, { domain, severity: 'silence' }, server.owner)
  const blocks = async () =>
    (await server.call(listDomainBlocks, {}, server.owner)).map(({ id, domain }) => [id, domain])
  const chosen = (await blocks()).flatMap(([id, domain]) => (id && domain !== 'two.example' ? [id] : []))
  const list = await server.open(by, '/admin/domains')
  expect(list.html).toContain('aria-label="Select two.example"')
  // Only accounts and trends can be selected by a query.
  expect(list.html).not.toContain('<option value="all"')
  const plan = await choose(by, '/admin/domains', { 'ids[]': chosen, scope: 'selected', action: 'remove' })
  expect(plan.text).toMatch(/Selected\s*2.*Will change\s*2/s)
  const running = await begin(by, { text: 'A mistake' })
  expect((await blocks()).map(([, domain]) => domain)).toEqual(['two.example'])
  await server.open(by, new URL(running.url).pathname)
  const undo = await by.follow('Undo all…')
  await server.press(by, new URL(undo.url).pathname, { button: 'Undo all (2)' })
  await server.waitForIdle()
  expect(await blocks()).toHaveLength(3)
})

test('everything that matches the filters is selected, and a selection that grew must be confirmed again', async () => {
  const by = await server.signIn('mod')
  const filters = '/admin/accounts?username=spam&status=active'
  const page = await choose(by, filters, { scope: 'all', action: 'sensitive' })
  expect(page.text).toMatch(/Selected\s*3.*Will change\s*3/s)
  ids.spam4 = (await server.make('spam4')).id
  const refused = await begin(by)
  expect([refused.status, refused.alerts]).toEqual([409, ['The selection has 4 items now, not 3']])
  expect(refused.text).toMatch(/Selected\s*4/)
  const running = await begin(by)
  const [entry] = await server.call(browseAuditLog, { limit: 1 }, server.owner)
  expect(new URL(running.url).pathname).toBe(`${BULK}/${entry?.batch_id}`)
  const listed = await server.open(by, BULK)
  expect(listed.text).toMatch(/Hide media: Accounts\s*Done\s*4\s*4/)
})

test('all rows of the page are selected without checkboxes, and accounts of a higher rank do not change', async () => {
  const by = await server.signIn('mod')
  const page = await choose(by, '/admin/accounts?permissions=staff', { scope: 'page', action: 'suspend' })
  expect(page.text).toMatch(/Selected\s*3.*Will change\s*0/s)
  expect(page.text).toContain('Your role does not allow this')
  expect(page.text).toContain('No item would change.')
  const empty = await choose(by, '/admin/accounts?username=kind', { scope: 'selected', action: 'suspend' })
  expect([new URL(empty.url).pathname, empty.text]).toEqual([
    '/admin/accounts',
    expect.stringContaining('Nothing was selected.'),
  ])
})

test('pending sign-ups are rejected as a selection, and approved as everything that matches', async () => {
  const pend = async (name: string) => {
    ids[name] = (await server.make(name)).id
    await server.db('accounts').run(sql`update users set approved = false where account_id = ${ids[name]}`)
  }
  for (const name of ['new1', 'new2', 'new3']) await pend(name)
  const by = await server.signIn('mod')
  await choose(by, '/admin/sign_ups', { 'ids[]': of('new1'), scope: 'selected', action: 'reject' })
  await begin(by)
  const page = await choose(by, '/admin/sign_ups', { scope: 'all', action: 'approve' })
  expect(page.text).toMatch(/Selected\s*2/)
  const running = await begin(by)
  const done = await server.open(by, new URL(running.url).pathname)
  expect(done.text).toContain('Decisions about sign-ups are final.')
  expect((await server.open(by, '/admin/sign_ups')).text).toContain('No sign-up is pending.')
  const rows = await server.db('accounts').rows(sql`select a.username, u.approved from users u
    join accounts a on a.id = u.account_id where a.username like 'new_' order by 1`)
  expect(rows).toEqual([
    { username: 'new2', approved: true },
    { username: 'new3', approved: true },
  ])
})

test('trends are approved as a selection', async () => {
  await server.db('statuses').run(sql`insert into tags (id, name, display)
    select n, 'tag' || n, 'tag' || n from generate_series(1, 3) n`)
  await server.db('statuses').run(sql`insert into trends (kind, id, score, top_score, top_at)
    select 0, n, n, n, now() from generate_series(1, 3) n`)
  const by = await server.signIn('chief')
  const page = await choose(by, '/admin/trends', { 'ids[]': ['1', '3'], scope: 'selected', action: 'approve' })
  expect(page.text).toMatch(/Approve: Hashtags.*Will change\s*2/s)
  await begin(by)
  const rows = await server.db('statuses').rows(sql`select trendable from tags where id < 4 order by id`)
  expect(rows).toEqual([{ trendable: true }, { trendable: null }, { trendable: true }])
  const all = await choose(by, '/admin/trends', { scope: 'all', action: 'reject' })
  expect(all.text).toMatch(/Reject: Hashtags.*Selected\s*1.*#tag2/s)
})

test('trending posts are listed without the line that links a quoted post', async () => {
  const token = await server.createAccount('quoter')
  const post = async (json: object) =>
    (await server.http('/api/v1/statuses', { token, json })).json<{ id: string; content: string }>()
  const { id } = await post({ status: 'worth a quote' })
  const quoting = await post({ status: 'as they said', quoted_status_id: id })
  expect(quoting.content).toContain('RE: ')
  await server.db('statuses').run(sql`insert into trends (kind, id, score, top_score, top_at)
    values (2, ${quoting.id}, 9, 9, now())`)
  const page = await (await server.signIn('chief')).get(`${server.origin}/admin/trends/statuses`)
  expect(page.text).toContain('as they said')
  expect(page.text).not.toContain('RE: ')
})

test('the page of a running bulk action reloads, and a forged form changes nothing', async () => {
  const by = await server.signIn('mod')
  const id = '77'
  await server.db('admin').run(sql`insert into bulk_actions (id, noun, action, notify, found, created_at)
    values (77, 'account', 'silence', true, 10, now())`)
  await server
    .db('admin')
    .run(sql`insert into tasks (id, kind, input, dry_run, seen, changed, next_at, created_at, updated_at)
    values (77, 'bulk-action 77', '{}', false, 4, 3, now() + interval '1 hour', now(), now())`)
  const page = await server.open(by, `${BULK}/${id}`)
  expect(page.headers.refresh).toBe('2')
  expect(page.html).toMatch(/<progress max="10" value="4"/)
  expect(page.text).toContain('4 / 10 done.')
  expect((await server.open(by, `${BULK}/5`)).status).toBe(404)
  await choose(by, '/admin/accounts?username=kind', { 'ids[]': of('kind'), scope: 'selected', action: 'silence' })
  const forms = by.page().forms.filter((one) => new URL(one.action).pathname === BULK)
  const fields = Object.fromEntries(forms.flatMap((one) => one.fields.map(({ name, value }) => [name, value ?? ''])))
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  const post = (more: object) =>
    server.http(BULK, { method: 'POST', headers, body: new URLSearchParams({ ...fields, ...more }) })
  expect((await post({ authenticity_token: '' })).status).toBe(403)
  expect((await post({ noun: 'domain_block', action: 'remove' })).status).toBe(403)
  expect((await post({ expected: 'x' })).status).toBe(404)
  const back = await post({ back: 'https://evil.example/', action: 'fly' })
  expect(back.headers.get('location') ?? '').not.toContain('evil')
  expect(await isLimited('kind')).toEqual([false])
})
