/** Import of domain blocks below `/admin`: dry run with counts and conflicts, confirmation, and export. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { createAccountByOperator } from '@murmuration/contracts/accounts'
import {
  browseAuditLog,
  createDomainBlockByOperator,
  findDomainBlocks,
  removeDomainBlockByOperator,
} from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Browser, openBrowser } from '@murmuration/testkit/browser/forms'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { federation, type Harness, PASSWORD, startHarness } from './harness.js'

let server: Harness
let by: Browser
beforeAll(async () => {
  server = await startHarness({ MEDIA_FFMPEG: 'off' }, [gateway, accounts, statuses, media, admin, federation])
  for (const [username, role] of [
    ['boss', 'Owner'],
    ['mod', 'Moderator'],
  ] as const)
    await server.call(createAccountByOperator, {
      username,
      email: `${username}@mail.example`,
      password: PASSWORD,
      confirmed: true,
      role,
    })
  by = await signIn('boss')
})
afterAll(() => server.stop())
const blocks = async () => (await server.call(findDomainBlocks, {})).blocks
afterEach(async () => {
  for (const { domain } of await blocks()) await server.call(removeDomainBlockByOperator, { domain })
})

const at = (path: string): string => server.origin + path
const signIn = async (name: string): Promise<Browser> => {
  const browser = openBrowser({ follows: (url) => url.origin === server.origin })
  await browser.get(at('/auth/sign_in'))
  await browser.submit(0, { fields: { 'user[email]': `${name}@mail.example`, 'user[password]': PASSWORD } })
  return browser
}
const formTo = (path: string) => by.page().forms.find((one) => new URL(one.action).pathname === path) ?? 0
const upload = async (text: string) => {
  await by.get(at('/admin/domains/import'))
  await by.submit(formTo('/admin/domains/import'), { files: { file: { name: 'list.csv', text, type: 'text/csv' } } })
  return by.page()
}
const paste = async (list: string) => {
  await by.get(at('/admin/domains/import'))
  await by.submit(formTo('/admin/domains/import'), { fields: { list } })
  return by.page()
}

const LIST = `#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate
spam.example,suspend,false,false,"spam, mostly",false
loud.example,silence,true,false,,true
known.example,suspend,false,false,,false
below.known.example,suspend,false,false,,false
no domain,suspend,false,false,,false
`

test('the dry run of a file counts blocks, names conflicts, and changes nothing', async () => {
  await server.call(createDomainBlockByOperator, { domain: 'known.example', severity: 'silence' })
  await server.db('accounts').run(sql`insert into accounts (id, username, domain, uri, url, inbox_url, created_at)
    select n, 'u' || n, 'spam.example', 'https://spam.example/' || n, 'https://spam.example/' || n, 'https://spam.example/inbox', now()
    from generate_series(9001, 9003) n`)
  await by.get(at('/admin/domains'))
  await by.follow('Import a list…')
  const page = await upload(LIST)
  expect(page.status).toBe(200)
  expect(page.text).toMatch(/Servers to block\s*2\s*1 of them suspended/)
  expect(page.text).toMatch(/Accounts affected\s*3/)
  expect(page.text).toMatch(/known\.example\s*Suspend\s*Limit\s*known\.example/)
  expect(page.text).toMatch(/below\.known\.example\s*Suspend\s*Limit\s*known\.example/)
  expect(page.text).toContain('Domain is not a valid domain name')
  expect((await blocks()).map((one) => one.domain)).toEqual(['known.example'])
  await by.submit(formTo('/admin/domains/import/confirm'))
  expect(by.page().text).toContain('2 servers blocked.')
  expect((await blocks()).map((one) => [one.domain, one.severity, one.public_comment])).toEqual([
    ['known.example', 'silence', null],
    ['loud.example', 'silence', null],
    ['spam.example', 'suspend', 'spam, mostly'],
  ])
  const link = /audit_log\?batch_id=(\d+)/.exec(by.page().html)?.[1] ?? ''
  const entries = await server.call(browseAuditLog, { batch_id: link, limit: 10 } as never)
  expect(entries.map((one) => [one.action, one.target])).toEqual([
    ['create_domain_block', 'loud.example'],
    ['create_domain_block', 'spam.example'],
  ])
  await by.follow('Show this import in the audit log')
  expect(by.page().text).toContain('loud.example')
  expect(by.page().text).not.toContain('known.example')
})

test('the form with a list that is too large is shown again with the limit', async () => {
  await by.get(at('/admin/domains/import'))
  const text = 'a.example\n'.repeat(500_000)
  const files = { file: { name: 'list.csv', text, type: 'text/csv' } }
  await by.submit(formTo('/admin/domains/import'), { fields: { list: 'pasted.example' }, files })
  expect([by.page().status, by.page().alerts]).toEqual([422, ['File size must be less than 4 MB']])
  expect(by.page().html).toContain('pasted.example</textarea>')
})

test('a list whose comment comes first, without a column for the severity, blocks its domains', async () => {
  expect((await upload('public_comment;domain\nspam;bad.example\n')).text).toMatch(/Servers to block\s*1\s*1 of them/)
  await by.submit(formTo('/admin/domains/import/confirm'))
  expect((await blocks()).map((one) => [one.domain, one.severity, one.public_comment])).toEqual([
    ['bad.example', 'suspend', 'spam'],
  ])
})

test('a pasted list of domains suspends them, and a second import of it changes nothing', async () => {
  const list = Array.from({ length: 620 }, (_, n) => `n${n}.example`).join('\r\n')
  expect((await paste(list)).text).toMatch(/Servers to block\s*620\s*620 of them suspended/)
  expect(by.page().text).toContain('320 more are not listed.')
  await by.submit(formTo('/admin/domains/import/confirm'))
  expect(by.page().text).toContain('620 servers blocked.')
  const page = await paste(list)
  expect(page.text).toContain('620 servers are blocked already.')
  expect(formTo('/admin/domains/import/confirm')).toBe(0)
})

test.each([
  ['no file', '', 'Choose a file or paste a list.'],
  ['a list without rows', '#domain,#severity\n', 'The list is empty.'],
  ['a quote that never ends', '"never ends', 'The list cannot be read.'],
  ['5,001 rows', 'a.example\n'.repeat(5_001), 'The list cannot be read.'],
])('%s is refused with a reason', async (_name, list, problem) => {
  const page = await upload(list)
  expect([page.status, page.alerts.join()]).toEqual([422, expect.stringContaining(problem)])
})

test('the export has the format of the import', async () => {
  await paste('gone.example')
  await by.submit(formTo('/admin/domains/import/confirm'))
  const page = await by.get(at('/admin/domains/export.csv'))
  expect(page.headers['content-disposition']).toBe('attachment; filename="domain_blocks.csv"')
  expect(page.html).toBe(
    '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\ngone.example,suspend,false,false,,false\n',
  )
})

test('a forged list in the confirmation form is refused, and a role without the permission cannot open the page', async () => {
  await paste('gone.example')
  const form = formTo('/admin/domains/import/confirm')
  await by.submit(form, { fields: { packed: 'bm90aGluZw' } })
  expect(by.page().status).toBe(404)
  const mod = await signIn('mod')
  for (const path of ['/admin/domains/import', '/admin/domains/export.csv'])
    expect([path, (await mod.get(at(path))).status]).toEqual([path, 403])
})
