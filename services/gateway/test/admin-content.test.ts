/** Terms, custom emoji, relays, invitations and hashtags below `/admin` over plain HTTP. */
import { listAllInvites } from '@murmuration/contracts/accounts'
import { listTermsOfService } from '@murmuration/contracts/admin'
import { listRelays } from '@murmuration/contracts/federation'
import { listAllEmojis, proxyUrls } from '@murmuration/contracts/media'
import { listAdminTags, showAdminTag } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as federation } from '@murmuration/federation'
import type { Browser } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StaffHarness, startStaffHarness } from './staff-harness.js'

/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)

let server: StaffHarness
beforeAll(async () => {
  server = await startStaffHarness({}, [federation])
})
afterAll(() => server.stop())

const terms = () => server.call(listTermsOfService, {}, server.owner)
const emojis = () => server.call(listAllEmojis, {}, server.owner)

test('terms are previewed without being published, then published, and used as a draft of the next version', async () => {
  const by = await server.signIn('boss')
  await server.open(by, '/admin/terms')
  expect(by.page().text).toContain('This server has no terms of service yet.')
  await by.follow('New version')
  const text = '# Be fair\n\nOn %{domain}, no *spam*.'
  await server.press(by, '/admin/terms/new', { fields: { text, effective_date: '2999-01-31' }, button: 'Preview' })
  expect(by.page().html).toMatch(/<h2[^>]*>Be fair<\/h2>/)
  expect(by.page().html).toContain('<em>spam</em>')
  expect(by.page().html).toContain('On %{domain}, no *spam*.</textarea>')
  expect(await terms()).toEqual([])
  await server.press(by, '/admin/terms/new', { button: 'Publish' })
  expect(by.page().text).toContain('The terms of service were published.')
  expect(by.page().text).toContain('Announced')
  expect(await terms()).toMatchObject([{ effective_date: '2999-01-31', effective: false }])
  await by.follow('Use as a draft')
  expect(by.page().html).toContain('On %{domain}, no *spam*.</textarea>')
  await server.press(by, '/admin/terms/new', { fields: { effective_date: '2020-01-01' }, button: 'Publish' })
  expect([by.page().status, by.page().alerts]).toEqual([422, ['Effective date is too soon']])
  expect(by.page().html).toContain('no *spam*.</textarea>')
})

test('long terms are published', async () => {
  const by = await server.signIn('boss')
  await server.open(by, '/admin/terms/new')
  const text = 'All of this is long. '.repeat(8_000)
  await server.press(by, '/admin/terms/new', { fields: { text, effective_date: '2999-02-01' }, button: 'Publish' })
  expect(by.page().text).toContain('The terms of service were published.')
})

/** Submits the upload form with a picture, as a browser does. */
const upload = async (by: Browser, fields: Record<string, string>, picture: Buffer | null = PNG) => {
  await server.open(by, '/admin/custom_emojis')
  const form = by.page().forms.find((one) => one.encoding === 'multipart/form-data')
  const proof = form?.fields.find((one) => one.name === 'authenticity_token')?.value ?? ''
  const body = new FormData()
  for (const [name, value] of Object.entries({ authenticity_token: proof, ...fields })) body.append(name, value)
  body.append('file', new Blob(picture ? [new Uint8Array(picture)] : [], { type: 'image/png' }), picture ? 'x.png' : '')
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  return server.http('/admin/custom_emojis', { method: 'POST', headers, body })
}

test('the form with a file that is too large for an emoji is shown again with the limit', async () => {
  const by = await server.signIn('boss')
  const problemOf = (text: string) => /role="alert">([^<]+)</.exec(text)?.[1]
  for (const bytes of [262_144, 310_000, 481_082, 20_000_000]) {
    const picture = Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)])
    const refused = await upload(by, { shortcode: 'heavy', category: 'Birds', replace: '1' }, picture)
    expect([refused.status, problemOf(refused.text)]).toEqual([422, expect.stringContaining('less than 256 KB')])
    for (const field of ['name="shortcode" value="heavy"', 'name="category" value="Birds"'])
      expect(refused.text).toContain(field)
  }
  expect(await emojis()).toEqual([])
})

test('an emoji is uploaded, found, disabled, changed and removed', async () => {
  const by = await server.signIn('boss')
  expect((await upload(by, { shortcode: 'flock', category: 'Birds' })).status).toBe(303)
  expect((await upload(by, { shortcode: ':nest:', category: '' })).status).toBe(303)
  expect(await emojis()).toMatchObject([{ shortcode: 'nest' }, { shortcode: 'flock', category: 'Birds' }])
  const refused = await upload(by, { shortcode: 'flock', category: 'More birds' })
  expect([refused.status, refused.text.includes('There is an emoji with this shortcode already.')]).toEqual([422, true])
  expect(refused.text).toContain('value="More birds"')
  expect((await upload(by, { shortcode: 'flock', category: 'More birds', replace: '1' })).status).toBe(303)
  expect((await upload(by, { shortcode: 'other' }, null)).text).toContain('Choose a picture.')
  expect((await upload(by, { shortcode: 'other' }, Buffer.from('no picture'))).status).toBe(422)
  const found = await server.open(by, '/admin/custom_emojis?q=floc')
  expect([found.text.includes(':flock:'), found.text.includes(':nest:')]).toEqual([true, false])
  await server.press(by, '/admin/custom_emojis/flock', { button: 'Disable' })
  expect((await emojis()).find((one) => one.shortcode === 'flock')).toMatchObject({ disabled: true })
  const disabled = await server.open(by, '/admin/custom_emojis?state=disabled')
  expect([disabled.text.includes(':flock:'), disabled.text.includes(':nest:')]).toEqual([true, false])
  await server.open(by, '/admin/custom_emojis/flock')
  await server.press(by, '/admin/custom_emojis/flock', {
    fields: { category: 'Flocks', visible: false, disabled: false },
  })
  expect((await emojis()).find((one) => one.shortcode === 'flock')).toMatchObject({
    disabled: false,
    visible_in_picker: false,
    category: 'Flocks',
  })
  await server.open(by, '/admin/custom_emojis/flock')
  await server.press(by, '/admin/custom_emojis/flock', { button: 'Remove' })
  expect((await emojis()).map((one) => one.shortcode)).toEqual(['nest'])
  expect((await server.open(by, '/admin/custom_emojis/flock')).status).toBe(404)
})

test('emoji of other servers are found, and copied under a free name only', async () => {
  const by = await server.signIn('boss')
  const items = ['wave', 'nest'].map((shortcode) => ({
    owner: 'other.example',
    kind: 'emoji' as const,
    remote: `https://other.example/${shortcode}.png`,
    shortcode,
  }))
  await server.call(proxyUrls, { items })
  await server.open(by, '/admin/custom_emojis')
  const all = await by.follow('Copy from another server')
  expect([all.text.includes(':wave:'), all.text.includes(':nest: Exists here')]).toEqual([true, true])
  const found = await server.open(by, '/admin/remote_emojis?q=wav&domain=other.example')
  expect([found.text.includes(':wave:'), found.text.includes(':nest:')]).toEqual([true, false])
  expect((await server.open(by, '/admin/remote_emojis?domain=a..b')).status).toBe(422)
  // The URL of the picture does not respond.
  await server.open(by, '/admin/remote_emojis?q=nest')
  await server.press(by, '/admin/remote_emojis/copy', { fields: { shortcode: 'nest' }, button: 'Copy' })
  expect([by.page().status, by.page().alerts]).toEqual([422, ['The picture could not be fetched from its server']])
})

test('a relay is added, disabled, enabled and removed', async () => {
  const by = await server.signIn('boss')
  const relays = async () => (await server.call(listRelays, {}, server.owner)).relays
  await server.open(by, '/admin/relays')
  await server.press(by, '/admin/relays', { fields: { url: 'not an address' } })
  expect([by.page().status, by.page().alerts]).toEqual([422, ['Inbox URL is not valid']])
  expect(by.page().html).toContain('value="not an address"')
  await server.open(by, '/admin/relays')
  await server.press(by, '/admin/relays', { fields: { url: 'https://relay.example/inbox' } })
  expect(await relays()).toMatchObject([{ url: 'https://relay.example/inbox', state: 'pending' }])
  expect(by.page().text).toContain('Waiting for the relay')
  await server.press(by, '/admin/relays/change', { button: 'Disable' })
  expect(await relays()).toMatchObject([{ state: 'idle' }])
  await server.press(by, '/admin/relays/change', { button: 'Enable' })
  expect(await relays()).toMatchObject([{ state: 'pending' }])
  await server.press(by, '/admin/relays/change', { button: 'Remove' })
  expect(await relays()).toEqual([])
})

test('invitations are filtered by account and state, and deactivated', async () => {
  const ann = await server.make('inviter')
  const bob = await server.make('other_inviter')
  const insert = (account: string, code: string, max_uses: number | null, uses: number) =>
    server
      .db('accounts')
      .run(sql`insert into invites (id, account_id, code, uses, max_uses, autofollow, comment, created_at)
      values ((select coalesce(max(id), 0) + 1 from invites), ${account}, ${code}, ${uses}, ${max_uses}, false, '', now())`)
  await insert(ann.id, 'annopen', null, 3)
  await insert(ann.id, 'annfull', 2, 2)
  await insert(bob.id, 'bobopen', 5, 1)
  const by = await server.signIn('boss')
  const codes = async (query: string) =>
    [...(await server.open(by, `/admin/invites${query}`)).html.matchAll(/<code>(\w+)<\/code>/g)].map((one) => one[1])
  expect(await codes('')).toEqual(['bobopen', 'annfull', 'annopen'])
  expect(await codes('?account=@inviter')).toEqual(['annfull', 'annopen'])
  expect(await codes('?usable=true')).toEqual(['bobopen', 'annopen'])
  expect(await codes('?usable=false')).toEqual(['annfull'])
  expect(await codes('?account=nobody_here')).toEqual([])
  expect(by.page().text).toContain('There is no account with this name.')
  await server.open(by, '/admin/invites?account=other_inviter')
  const [invite] = await server.call(listAllInvites, { account_id: bob.id }, server.owner)
  const form = by.page().forms.find((one) => one.id === 'end')
  const proof = form?.fields.find((one) => one.name === 'authenticity_token')?.value ?? ''
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  const body = new URLSearchParams({ authenticity_token: proof, id: invite?.id ?? '' })
  expect((await server.http('/admin/invites', { method: 'POST', headers, body })).status).toBe(303)
  expect(await codes('?usable=true')).toEqual(['annopen'])
})

test('a hashtag is found by the start of its name and changed', async () => {
  const { token } = await server.make('tagger')
  await server.http('/api/v1/statuses', { token, json: { status: 'so #Starlings and #Rain' } })
  await server.waitForIdle()
  const by = await server.signIn('boss')
  const found = await server.open(by, '/admin/tags?name=%23star')
  expect([found.text.includes('#Starlings'), found.text.includes('#Rain')]).toEqual([true, false])
  const [tag] = await server.call(listAdminTags, { name: 'starl' }, server.owner)
  const path = `/admin/tags/${tag?.id}`
  await by.follow('#Starlings')
  expect(by.page().url).toBe(server.origin + path)
  await server.press(by, path, { fields: { display_name: 'Sparrows' } })
  expect([by.page().status, by.page().alerts]).toEqual([422, ['Display name does not match the previous name']])
  await server.open(by, path)
  await server.press(by, path, {
    fields: { display_name: 'StarLings', usable: false, listable: false, trendable: true },
  })
  expect(await server.call(showAdminTag, { id: tag?.id ?? '' }, server.owner)).toMatchObject({
    name: 'StarLings',
    usable: false,
    listable: false,
    requires_review: false,
  })
  expect(by.page().text).toContain('Not usable')
})
