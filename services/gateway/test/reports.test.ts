/** Pages of reports: queues, assignment, notes of staff, context, and the redirect to the next report. */
import { listStrikes } from '@murmuration/contracts/admin'
import type { Browser } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StaffHarness, startStaffHarness } from './staff-harness.js'

let server: StaffHarness
let boss: Browser
beforeAll(async () => {
  server = await startStaffHarness()
  boss = await server.signIn('boss')
})
afterAll(() => server.stop())

const file = async (reporter: string, target: string, more: object = {}): Promise<string> => {
  const json = { account_id: target, category: 'spam', ...more }
  return (await server.http('/api/v1/reports', { token: reporter, json })).json<{ id: string }>().id
}
const here = () => new URL(boss.page().url).pathname
const press = (path: string, button: string, fields = {}) => server.press(boss, path, { button, fields })

test('a decision redirects to the next report of the queue, and after the last one to the list', async () => {
  const [rude, victim] = [await server.make('rude'), await server.make('victim')]
  const [first, second, third] = [
    await file(victim.token, rude.id, { comment: 'One' }),
    await file(victim.token, rude.id, { category: 'legal' }),
    await file(victim.token, rude.id, { comment: 'Three' }),
  ]
  const list = await server.open(boss, '/admin/reports?queue=unassigned&category=spam&order=oldest')
  expect(list.text).toMatch(/All open 3 ?Assigned to me 0 ?Unassigned 3 ?Assigned to others 0/)
  expect(list.text).toMatch(/Oldest open report: .* · Median age: /)
  expect(list.html.indexOf(`/admin/reports/${first}`)).toBeLessThan(list.html.indexOf(`/admin/reports/${third}`))
  expect(list.html).not.toContain(`/admin/reports/${second}?queue`)
  const query = 'queue=unassigned&category=spam&order=oldest'
  const page = await server.open(boss, `/admin/reports/${first}?${query}`)
  expect(page.html).toMatch(new RegExp(`href="/admin/reports/${third}\\?[^"]*" rel="next" accesskey="n"`))
  await press(`/admin/reports/${first}`, 'Resolve without action')
  expect([here(), boss.page().text.includes('The report is resolved.')]).toEqual([`/admin/reports/${third}`, true])
  await press(`/admin/reports/${third}`, 'Resolve without action')
  expect(here()).toBe('/admin/reports')
  expect(boss.page().text).toContain('No report is open.')
  await server.open(boss, `/admin/reports/${second}`)
  await press(`/admin/reports/${second}`, 'Resolve without action')
  expect(here()).toBe(`/admin/reports/${second}`)
})

test('a report is assigned to another account, and counts in the queues of both', async () => {
  const [target, reporter, helper] = [
    await server.make('target'),
    await server.make('reporter'),
    await server.make('helper', 'Moderator'),
  ]
  const id = await file(reporter.token, target.id)
  await server.open(boss, `/admin/reports/${id}`)
  await press(`/admin/reports/${id}`, 'Assign to this account', { account_id: helper.id })
  expect(boss.page().text).toContain('The report is assigned.')
  expect(boss.page().text).toContain('Assigned to @helper')
  expect((await server.open(boss, '/admin/reports?queue=others')).text).toContain('Assigned to others 1')
  const by = await server.signIn('helper')
  expect((await server.open(by, '/admin/reports?queue=mine')).text).toContain('Assigned to me 1')
})

test('notes are added and deleted on the pages of a report and an account, and are escaped', async () => {
  const [target, reporter] = [await server.make('noted'), await server.make('noter')]
  const id = await file(reporter.token, target.id)
  await server.open(boss, `/admin/reports/${id}`)
  const added = await press(`/admin/reports/${id}/notes`, 'Add the note', { text: 'Seen <b>before</b>' })
  expect(added.text).toContain('The note was added.')
  expect(added.html).toContain('Seen &lt;b&gt;before&lt;/b&gt;')
  await press(`/admin/accounts/${target.id}/notes`, 'Add the note', { text: 'Wrote to us' })
  expect(here()).toBe(`/admin/accounts/${target.id}`)
  expect(boss.page().text).toContain('Wrote to us')
  expect((await server.open(boss, `/admin/reports/${id}`)).text).toContain('Wrote to us')
  await press(`/admin/reports/${id}/notes`, 'Delete the note')
  expect(boss.page().text).toContain('The note was deleted.')
  expect(boss.page().text).not.toContain('Seen <b>before</b>')
})

test('the pages of a report and of an account link to previous decisions and other reports', async () => {
  const [target, reporter] = [await server.make('warned'), await server.make('teller')]
  const [id, other] = [await file(reporter.token, target.id), await file(reporter.token, target.id)]
  await server.open(boss, `/admin/accounts/${target.id}/act?type=none`)
  const text = 'Please stay kind.'
  const preview = await press(`/admin/accounts/${target.id}/act`, 'Update the preview', { text })
  expect(preview.html).toContain('&gt; Please stay kind.')
  expect(preview.text).toContain('Previous decisions: 0')
  expect(await server.call(listStrikes, { account_id: target.id }, server.owner)).toEqual([])
  await press(`/admin/accounts/${target.id}/act`, 'Warn')
  const strikes = `href="/admin/strikes?account_id=${target.id}"`
  expect(boss.page().html).toContain(strikes)
  const page = await server.open(boss, `/admin/reports/${id}`)
  expect(page.html).toContain(strikes)
  expect(page.html).toContain(`href="/admin/reports/${other}"`)
  expect(page.text).toContain('History')
  expect(page.text).toContain('create_account_warning')
})

test('a reported post that quotes another one is shown with the quoted post', async () => {
  const [rude, quoted, victim] = [
    await server.make('mocker'),
    await server.make('mocked'),
    await server.make('watchful'),
  ]
  const post = async (token: string, json: object) =>
    (await server.http('/api/v1/statuses', { token, json })).json<{ id: string }>().id
  const original = await post(quoted.token, { status: 'my first poem', quote_approval_policy: 'public' })
  const id = await post(rude.token, { status: 'look at this', quoted_status_id: original })
  await server.waitForIdle()
  const report = await file(victim.token, rude.id, { status_ids: [id] })
  const page = await server.open(boss, `/admin/reports/${report}`)
  expect(page.text).toMatch(/look at this.*mocked.*my first poem/s)
  expect(page.text).not.toContain('RE:')
})
