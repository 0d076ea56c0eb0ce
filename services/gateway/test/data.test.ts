/** Export, import and migration in a browser without JavaScript, and the public page of a collection. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import {
  createCollection,
  createDomainBlock,
  createFollow,
  lookupAccount,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import {
  addBookmark,
  addFilterStatus,
  createFilter,
  createStatus,
  listBookmarks,
  listFilters,
} from '@murmuration/contracts/statuses'
import { openDatabase, sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { viewer } from '@murmuration/testkit'
import { type Browser, openBrowser } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { type Harness, PASSWORD, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({}, [gateway, accounts, statuses, media, admin])
})
afterAll(() => harness.stop())

const at = (path: string) => `${harness.origin}${path}`
const idOf = async (acct: string) => (await harness.call(lookupAccount, { acct })).id
/** Creates an account, and a browser that is signed in to it. */
const signedIn = async (name: string) => {
  await harness.createAccount(name)
  const browser = openBrowser({ follows: (url) => url.origin === harness.origin })
  await browser.get(at('/auth/sign_in'))
  await browser.submit(0, { fields: { 'user[email]': `${name}@mail.example`, 'user[password]': PASSWORD } })
  return { browser, viewer: viewer(await idOf(name)) }
}
/** The form of the current page with this action. */
const form = (browser: Browser, action: string) => {
  const found = browser.page().forms.find((one) => new URL(one.action).pathname === action)
  if (!found) throw new Error(`no form ${action} on ${browser.page().url}: ${browser.page().text.slice(0, 400)}`)
  return found
}
const importFile = async (browser: Browser, kind: string, text: string, mode = 'merge') => {
  await browser.get(at('/settings/imports'))
  return browser.submit(form(browser, '/settings/imports'), {
    fields: { kind, mode: [mode] },
    files: { file: { name: 'mine.csv', text, type: 'text/csv' } },
  })
}

test('exports are downloaded as CSV files that other servers can import', async () => {
  const { browser, viewer: ada } = await signedIn('ada')
  await harness.createAccount('bob')
  await harness.call(createFollow, { id: await idOf('bob'), notify: true, languages: ['de', 'en'] }, ada)
  const theirs = await harness.call(createStatus, { status: 'Keep me' }, viewer(await idOf('bob')))
  await harness.call(addBookmark, { id: theirs.id }, ada)
  const page = await browser.get(at('/settings/export'))
  expect(page.status).toBe(200)
  expect(page.text).toContain('Accounts you follow')
  const follows = await browser.get(at('/settings/exports/follows.csv'))
  expect(follows.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(follows.headers['content-disposition']).toBe('attachment; filename="follows.csv"')
  expect(follows.headers['cache-control']).toBe('private, no-store')
  const domain = /bob@([^,]+)/.exec(follows.html)?.[1]
  expect(follows.html).toBe(
    `Account address,Show boosts,Notify on new posts,Languages\nbob@${domain},true,true,"de, en"\n`,
  )
  const uri = 'uri' in theirs ? theirs.uri : ''
  expect((await browser.get(at('/settings/exports/bookmarks.csv'))).html).toBe(`${uri}\n`)
  for (const name of ['lists', 'blocks', 'domain_blocks'])
    expect((await browser.get(at(`/settings/exports/${name}.csv`))).html).toBe('')
  expect((await browser.get(at('/settings/exports/mutes.csv'))).html).toBe('Account address,Hide notifications\n')

  const anonymous = openBrowser({ follows: () => false })
  const turned = await anonymous.get(at('/settings/exports/follows.csv'))
  expect(turned.url).toBe(at(`/auth/sign_in?next=${encodeURIComponent('/settings/exports/follows.csv')}`))
})

test('exports and uploads work after 25 exports whose client disconnected', async () => {
  const { browser } = await signedIn('hasty')
  await harness.createAccount('quiet')
  const { hostname, port } = new URL(harness.origin)
  const start = (path: string) => {
    const socket = connect(Number(port), hostname)
    const headers = `Host: ${hostname}:${port}\r\nCookie: ${browser.cookies.header(new URL(at(path)))}`
    socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
    return socket
  }
  const owner = openDatabase({ url: harness.env.DATABASE_URL ?? '', schema: 'accounts', connections: 1 })
  const disconnect = (path: string, count: number) =>
    // No page of the table can be read before all clients have disconnected.
    owner.tx(async (tx) => {
      await tx.run(sql`lock table follows in access exclusive mode`)
      const sockets = Array.from({ length: count }, () => start(path))
      await sleep(300)
      for (const socket of sockets) socket.destroy()
      await sleep(200)
    })
  await disconnect('/settings/exports/follows.csv', 15)
  await disconnect('/settings/exports/follows.csv', 10)
  await owner.close()
  expect((await browser.get(at('/settings/exports/follows.csv'))).status).toBe(200)
  const look = await importFile(browser, 'follows', 'Account address,Show boosts\nquiet,false\n')
  expect(look.text).toContain('Your file was uploaded.')
})

test('an import is previewed, confirmed and processed, and its failed rows can be downloaded', async () => {
  const { browser } = await signedIn('cora')
  await harness.createAccount('dan')
  const look = await importFile(browser, 'follows', 'Account address,Show boosts\ndan,false\nnobody at all,true\n')
  expect(look.text).toContain('Your file was uploaded. Please review it before you confirm the import.')
  expect(look.text).toContain('dan')
  await harness.waitForIdle()
  expect((await browser.get(look.url)).text).toContain('Add 2 rows')
  const begun = await browser.submit(form(browser, `${new URL(look.url).pathname}/confirm`))
  expect(begun.text).toContain('The import has started.')
  await harness.waitForIdle()
  const done = await browser.get(look.url)
  expect(done.text).toContain('done: 1 of 2 rows imported, 1 failed')
  expect((await browser.get(`${look.url}/failures.csv`)).html).toBe(
    'Account address,Show boosts,Notify on new posts,Languages\nnobody at all,true,,\n',
  )
  expect((await browser.get(at('/settings/exports/follows.csv'))).html).toContain('dan@')

  const second = await importFile(browser, 'blocks', 'dan\n', 'overwrite')
  expect(second.text).toContain('Records that are not in this file are removed.')
  const away = await browser.submit(form(browser, `${new URL(second.url).pathname}/remove`))
  expect(away.text).toContain('Nothing was changed')
  const { browser: other } = await signedIn('curious')
  expect((await other.get(look.url)).status).toBe(404)
})

test('the preview warns of a file that looks like one of another kind', async () => {
  const { browser } = await signedIn('mistaken')
  const table = 'Account address,Show boosts,Notify on new posts,Languages\nada,true,false,\n'
  const warned = await importFile(browser, 'blocks', table)
  expect(warned.text).toContain('This file looks like “Accounts to follow”')
  expect(warned.text).toContain('the chosen import type is “Accounts to block”')
  expect((await importFile(browser, 'follows', table)).text).not.toContain('looks like')
})

test.each(['constructor', 'toString', '__proto__'])('the import type %s is refused', async (kind) => {
  const { browser } = await signedIn(`odd${kind.length}`)
  const refused = await importFile(browser, kind, 'ada\n')
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Choose a file and an import type.')])
})

test('bookmarks are imported, and replace the existing ones with the mode overwrite', async () => {
  const { browser, viewer: bea } = await signedIn('bea')
  await harness.createAccount('writer')
  const write = async (status: string, more: object = {}) =>
    harness.call(createStatus, { status, ...more }, viewer(await idOf('writer')))
  const [old, fresh, secret] = [
    await write('Old'),
    await write('Fresh'),
    await write('Secret', { visibility: 'private' }),
  ]
  await harness.call(addBookmark, { id: old.id }, bea)
  const uris = [fresh, secret].map((one) => ('uri' in one ? one.uri : ''))
  const absent = uris[0]?.replace(fresh.id, '7')
  const begin = async (mode: string) => {
    const look = await importFile(browser, 'bookmarks', `#uri\n${uris.join('\n')}\n${absent}\n`, mode)
    await browser.submit(form(browser, `${new URL(look.url).pathname}/confirm`))
    await harness.waitForIdle()
    return (await browser.get(look.url)).text
  }
  const marked = async () => (await harness.call(listBookmarks, {}, bea)).map((one) => one.id)
  expect(await begin('merge')).toContain('done: 1 of 3 rows imported, 2 failed')
  expect(await marked()).toEqual([fresh.id, old.id])
  expect(await begin('overwrite')).toContain('done: 1 of 3 rows imported, 2 failed')
  expect(await marked()).toEqual([fresh.id])
})

test('exported filters give another account equal ones, and the error of a refused filter names its field', async () => {
  const { browser: old, viewer: flo } = await signedIn('flo')
  await harness.createAccount('spoiler')
  const theirs = await harness.call(createStatus, { status: 'The end' }, viewer(await idOf('spoiler')))
  const { id } = await harness.call(
    createFilter,
    {
      title: '<Spoilers>',
      context: ['home', 'thread'],
      filter_action: 'blur',
      expires_in: 86_400,
      keywords_attributes: [{ keyword: 'finale' }, { keyword: '#ep 9', whole_word: false }],
    },
    flo,
  )
  await harness.call(addFilterStatus, { filter_id: id, status_id: theirs.id }, flo)
  await harness.call(createFilter, { title: 'Empty', context: ['account'], filter_action: 'hide' }, flo)
  expect((await old.get(at('/settings/export'))).text).toContain('2 filters')
  const file = await old.get(at('/settings/exports/custom_filters.json'))
  expect(file.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(file.headers['content-disposition']).toBe('attachment; filename="custom_filters.json"')
  const [first, second, ...others] = await harness.call(listFilters, {}, flo)
  expect(JSON.parse(file.html)).toEqual({
    custom_filters: [
      {
        title: '<Spoilers>',
        expires_at: first?.expires_at,
        context: ['home', 'thread'],
        action: 'blur',
        keywords_attributes: [
          { keyword: 'finale', whole_word: true },
          { keyword: '#ep 9', whole_word: false },
        ],
        statuses: ['uri' in theirs ? theirs.uri : ''],
      },
      { title: 'Empty', expires_at: null, context: ['account'], action: 'hide', keywords_attributes: [], statuses: [] },
    ],
  })
  expect([second?.title, others]).toEqual(['Empty', []])

  const { browser, viewer: fay } = await signedIn('fay')
  const begin = async (text: string, mode = 'merge') => {
    const look = await importFile(browser, 'filters', text, mode)
    const begun = await browser.submit(form(browser, `${new URL(look.url).pathname}/confirm`))
    expect(begun.text).toContain('The import has started.')
    await harness.waitForIdle()
    return { look, done: await browser.get(look.url) }
  }
  const { look, done } = await begin(file.html)
  expect(look.html).toContain('<td>&lt;Spoilers&gt;</td><td>home, thread</td><td>blur</td>')
  expect(done.text).toContain('done: 2 of 2 rows imported')
  expect(done.text).not.toContain('Errors in the failed rows')
  const alike = async (who: typeof fay) =>
    (await harness.call(listFilters, {}, who)).map((one) => ({
      ...one,
      id: '',
      keywords: one.keywords.map((each) => ({ ...each, id: '' })),
      statuses: one.statuses.map((each) => each.status_id),
    }))
  expect(await alike(fay)).toEqual(await alike(flo))
  expect((await browser.get(at('/settings/exports/custom_filters.json'))).html).toBe(file.html)

  const wrong = { title: 'Kitchen', context: ['kitchen'], keywords_attributes: [] }
  const { done: partly } = await begin(
    JSON.stringify({ custom_filters: [wrong, { ...wrong, title: 'Good', context: ['home'] }] }),
    'overwrite',
  )
  expect(partly.text).toContain('done: 1 of 2 rows imported, 1 failed')
  expect(partly.text).toMatch(/1\s+Kitchen\s+Context None or invalid context supplied/)
  expect((await harness.call(listFilters, {}, fay)).map((one) => one.title)).toEqual(['Good'])
  expect(JSON.parse((await browser.get(`${partly.url}/failures.json`)).html)).toEqual({ custom_filters: [wrong] })
  expect((await browser.get(`${partly.url}?lang=de`)).text).toContain('Orte fehlen oder sind unbekannt')
  expect((await old.get(`${partly.url}/failures.json`)).status).toBe(404)

  const refused = async (text: string) => {
    const page = await importFile(browser, 'filters', text)
    return [page.status, page.text.match(/File [^.]*/)?.[0]]
  }
  expect(await refused('#domain')).toEqual([422, expect.stringContaining('File could not be read as filters (JSON)')])
  const many = (count: number) => JSON.stringify({ custom_filters: Array.from({ length: count }, () => wrong) })
  expect(await refused(many(0))).toEqual([422, expect.stringContaining('File is empty')])
  expect(await refused(many(1_001))).toEqual([422, expect.stringContaining('File has more than 1000 rows')])
  expect(await refused('x'.repeat(5 * 1_048_576))).toEqual([
    422,
    expect.stringContaining('File size must be less than 4 MB'),
  ])
})

test('a refused import file is explained on the page', async () => {
  const { browser } = await signedIn('fred')
  const wrong = await importFile(browser, 'follows', '#domain\nbad.example\n')
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('File is a table of another kind')])
  const empty = await importFile(browser, 'follows', '')
  expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('File is empty')])
  const large = await importFile(browser, 'mutes', 'x'.repeat(22 * 1_048_576), 'overwrite')
  expect([large.status, large.alerts]).toEqual([422, ['File size must be less than 20 MB']])
  expect(large.html).toContain('<option value="mutes" selected>')
  expect(large.html).toContain('name="mode" value="overwrite" checked')
  await browser.get(at('/settings/imports'))
  const { action, fields } = form(browser, '/settings/imports')
  expect(fields.map((field) => field.name)).toContain('authenticity_token')
  const forged = new FormData()
  forged.set('authenticity_token', 'guessed')
  forged.set('kind', 'follows')
  forged.set('file', new Blob(['dan\n']), 'x.csv')
  const cookie = browser.cookies.header(new URL(action)) ?? ''
  const send = (headers: Record<string, string>) =>
    fetch(action, { method: 'POST', body: forged, headers: { cookie, ...headers }, redirect: 'manual' })
  expect((await send({ origin: harness.origin })).status).toBe(403)
  expect((await send({ origin: 'https://evil.example' })).status).toBe(403)
})

test('an account moves to another one that has it as an alias, and cancels the redirect', async () => {
  const { browser: old, viewer: olga } = await signedIn('olga')
  const { browser: next, viewer: home } = await signedIn('olga2')
  const fan = (await signedIn('fan')).viewer
  await harness.call(createFollow, { id: olga.id }, fan)
  await old.get(at('/settings/migration'))
  expect(old.page().text).toContain('1 follower will follow that account')
  const move = (password: string) =>
    old.submit(form(old, '/settings/migration'), { fields: { acct: 'olga2', password } })
  expect((await move(PASSWORD)).text).toContain('does not name this account as an alias')

  await next.get(at('/settings/aliases'))
  const missing = await next.submit(form(next, '/settings/aliases'), { fields: { acct: 'nobody' } })
  expect([missing.status, missing.text]).toEqual([422, expect.stringContaining('Account could not be found')])
  const added = await next.submit(form(next, '/settings/aliases'), { fields: { acct: '@olga' } })
  expect(added.text).toContain('The alias was added')
  expect((await move('wrong')).text).toContain('The password is not right.')
  const moved = await move(PASSWORD)
  expect(moved.text).toContain('You have moved. Your followers are being moved.')
  await harness.waitForIdle()
  expect((await old.get(at('/settings/migration'))).text).toContain('all followers on this server have moved')
  expect((await harness.call(lookupAccount, { acct: 'olga2' })).followers_count).toBe(1)
  expect((await harness.http('/@olga')).text).toContain('olga2')
  // A moved account can still export its data.
  expect((await old.get(at('/settings/exports/follows.csv'))).status).toBe(200)
  await old.get(at('/settings/migration'))
  const back = await old.submit(form(old, '/settings/migration/cancel'))
  expect(back.text).toContain('This account can be used again.')
  expect(back.text).toContain('You can move again on')
  await next.get(at('/settings/aliases'))
  expect((await next.submit(form(next, '/settings/aliases/remove'))).text).toContain('The alias was removed.')
  expect(home.id).not.toBe(olga.id)
})

test('A057 severed relationships are listed and exported as CSV, only for their account', async () => {
  const { browser, viewer: ada } = await signedIn('loser')
  const { browser: other } = await signedIn('nosy')
  expect((await browser.get(at('/severed_relationships'))).text).toContain('No follows were ended.')
  const owner = openDatabase({ url: harness.env.DATABASE_URL ?? '', schema: 'accounts', connections: 1 })
  await owner.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    values (77, 'rita', 'lost.example', 'https://lost.example/rita', 'https://lost.example/@rita', now())`)
  await owner.run(sql`insert into account_stats (account_id) values (77)`)
  await owner.run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    values (77, ${ada.id}, 77, true, now())`)
  await owner.close()
  await harness.call(createDomainBlock, { domain: 'lost.example' }, ada)
  const page = await browser.get(at('/severed_relationships'))
  expect(page.text).toContain('You blocked lost.example')
  expect(page.text).toContain('1 account you followed')
  const link = page.links.find((one) => one.href.endsWith('/following.csv'))?.href ?? ''
  expect((await browser.get(link)).html).toContain('rita@lost.example')
  expect((await other.get(link)).status).toBe(404)
})

test('a collection has a public page with escaped names', async () => {
  const { viewer: ada } = await signedIn('picker')
  const { viewer: bird } = await signedIn('bird')
  await harness.call(updateCredentials, { discoverable: true, display_name: '<b>Bird</b>' }, bird)
  const { collection } = await harness.call(
    createCollection,
    { name: 'Birds <i>', description: 'They sing', account_ids: [bird.id], tag_name: 'birds' },
    ada,
  )
  const page = await harness.http(`/collections/${collection.id}`)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Birds &lt;i&gt;')
  expect(page.text).toContain('&lt;b&gt;Bird&lt;/b&gt;')
  expect(page.text).not.toContain('<b>Bird')
  expect((await harness.http('/collections/12')).status).toBe(404)
  expect((await harness.http('/collections/x')).status).toBe(404)
  const api = await harness.http(`/api/v1_alpha/collections/${collection.id}`)
  expect(api.headers.get('deprecation')).toMatch(/^@\d+$/)
  expect(api.json<{ collection: { name: string } }>().collection.name).toBe('Birds <i>')
  const token = await harness.createAccount('maker')
  const wrong = await harness.http('/api/v1/collections', { token, json: { name: '' } })
  expect([wrong.status, wrong.json()]).toEqual([
    422,
    expect.objectContaining({
      error: {
        error: "Validation failed: Name can't be blank",
        details: { name: [{ error: 'ERR_BLANK', description: "can't be blank" }] },
      },
    }),
  ])
  const made = (await harness.http('/api/v1/collections', { token, json: { name: 'Gone soon' } })).json<{
    collection: { id: string }
  }>()
  const gone = await harness.http(`/api/v1/collections/${made.collection.id}`, { token, method: 'DELETE' })
  expect([gone.status, gone.text]).toEqual([200, ''])
})

test('there are no donation campaigns and e-mail subscriptions, and preferences have exactly the documented fields', async () => {
  const token = await harness.createAccount('asker')
  const campaign = await harness.http('/api/v1/donation_campaigns?seed=5&locale=en', { token })
  expect([campaign.status, campaign.text]).toEqual([204, ''])
  expect((await harness.http('/api/v1/donation_campaigns')).status).toBe(422)
  const subscribe = (id: string) =>
    harness.http(`/api/v1/accounts/${id}/email_subscriptions`, { json: { email: 'fan@mail.example' } })
  expect([(await subscribe(await idOf('asker'))).status, (await subscribe('12')).status]).toEqual([404, 404])
  expect((await harness.http('/api/v1/preferences', { token })).json()).toEqual({
    'posting:default:visibility': 'public',
    'posting:default:sensitive': false,
    'posting:default:language': 'en',
    'posting:default:quote_policy': 'public',
    'reading:expand:media': 'default',
    'reading:expand:spoilers': false,
    'reading:autoplay:gifs': false,
  })
})
