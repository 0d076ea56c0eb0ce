/** Tests of profiles: how they are shown, edited and found, and what is hidden. */
import {
  accountMany,
  accountRecords,
  createFollow,
  listIdentityProofs,
  localPicturesReplaced,
  lookupAccount,
  moderateAccount,
  postingDefaults,
  removeAvatar,
  removeHeader,
  resolveAccount,
  searchAccounts,
  showAccount,
  showAuthor,
  showPreferences,
  updateCredentials,
  verifyCredentials,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectGolden } from './golden.js'
import { asked, askedPictures, type Harness, ownEmojis, slow, startAccounts } from './harness.js'

let harness: Harness
let alice: Viewer
let bob: Viewer
beforeAll(async () => {
  harness = await startAccounts()
  alice = await harness.createAccount('alice', { role: 'Owner' })
  bob = await harness.createAccount('bob')
})
afterAll(() => harness.stop())

const update = (as: Viewer, input: object) => harness.call(updateCredentials, input, as)
/** Key of a staged upload. The last digit distinguishes uploads; the one that ends in `f` is no picture. */
const keyOf = (digit: string) => `staging/00000000-0000-4000-8000-00000000000${digit}`
const file = (digit: string) => ({ key: keyOf(digit), size: 10, type: 'image/png', name: 'a.png' })
/** Keys of the pictures that each event about replaced pictures of an account contains, oldest event first. */
const released = async ({ id }: Viewer): Promise<string[][]> =>
  (
    await harness.db('accounts').rows<{ keys: string[] }>(sql`select data::jsonb -> 'keys' as keys from outbox
      where subject = ${localPicturesReplaced.subject} and data::jsonb ->> 'owner' = ${id} order by id`)
  ).map((row) => row.keys)
const golden = (name: string, value: unknown, names: Record<string, string> = {}) =>
  expectGolden(name, value, harness.origin, { alice: alice.id, bob: bob.id, ...names })

test('a new account has the golden documents of viewers and of its owner', async () => {
  await golden('account-fresh', await harness.call(showAccount, { id: bob.id }))
  await golden('credential-account-fresh', await harness.call(verifyCredentials, {}, bob))
})

test('S-160 all fields of a profile can be changed, and changes are visible immediately', async () => {
  const changed = await update(alice, {
    display_name: ' Alice \n Example ',
    note: 'Birds with @bob and @nobody\nhttps://example.com/a/very/long/address/indeed #Birds\n\n<b>bold</b>',
    avatar: file('a'),
    avatar_description: 'me',
    header: file('b'),
    locked: 'true',
    bot: '1',
    discoverable: true,
    indexable: 'on',
    hide_collections: '0',
    attribution_domains: ['News.Example', 'news.example', 'müller.example'],
    fields_attributes: {
      0: { name: 'Home', value: 'https://alice.example' },
      1: { name: 'Friend', value: '@bob' },
      2: {},
    },
    source: { privacy: 'unlisted', sensitive: '1', language: 'de-AT', quote_policy: 'followers' },
  })
  await golden('credential-account-full', changed)
  await golden('account-full', await harness.call(showAccount, { id: alice.id }))
  const events = await harness
    .db('accounts')
    .rows<{ data: string }>(sql`select data from outbox where subject = 'evt.accounts.account.changed'`)
  expect(events.map((row) => JSON.parse(row.data))).toContainEqual(
    expect.objectContaining({ id: alice.id, profile: true, flags: expect.objectContaining({ discoverable: true }) }),
  )
})

test('S-065 absent fields of a request stay unchanged, and profile fields are replaced as a whole', async () => {
  await update(alice, { note: 'shorter' })
  const account = await update(alice, { hide_collections: true })
  expect(account).toMatchObject({ display_name: 'Alice Example', note: '<p>shorter</p>', hide_collections: true })
  expect(account.source).toMatchObject({ note: 'shorter', hide_collections: true, privacy: 'unlisted' })
  await harness
    .db('accounts')
    .run(
      sql`update accounts set fields = jsonb_set(fields, '{0,verified_at}', '"2026-01-02T03:04:05.678Z"') where id = ${alice.id}`,
    )
  const { source } = await update(alice, {
    fields_attributes: [
      { name: 'Homepage', value: 'https://alice.example' },
      { name: 'Cut', value: 'x'.repeat(300) },
    ],
  })
  expect(source.fields).toEqual([
    { name: 'Homepage', value: 'https://alice.example', verified_at: '2026-01-02T03:04:05.678Z' },
    { name: 'Cut', value: 'x'.repeat(255), verified_at: null },
  ])
  const same = await update(alice, { display_name: 'Alice', fields_attributes: 'undefined' })
  expect([same.display_name, same.source.fields], 'as masto.js writes a member that is not set').toEqual([
    'Alice',
    source.fields,
  ])
})

test('problems are listed by field, and nothing is changed', async () => {
  const wrong: [object, string, string][] = [
    [{ display_name: 'x'.repeat(41) }, 'display_name', 'ERR_TOO_LONG'],
    [{ note: 'x'.repeat(501) }, 'note', 'ERR_TOO_LONG'],
    [{ avatar_description: 'x'.repeat(151) }, 'avatar_description', 'ERR_TOO_LONG'],
    [{ fields_attributes: [{ value: 'no label' }] }, 'fields', 'ERR_INVALID'],
    [{ fields_attributes: Array.from({ length: 5 }, () => ({ name: 'a', value: 'b' })) }, 'fields', 'ERR_TOO_LONG'],
    [{ attribution_domains: ['not a domain'] }, 'attribution_domains', 'ERR_INVALID'],
    [{ source: { privacy: 'limited' } }, 'privacy', 'ERR_INCLUSION'],
    [{ source: { language: 'tlh' } }, 'language', 'ERR_INCLUSION'],
    [{ avatar: file('f') }, 'avatar', 'ERR_INVALID'],
  ]
  for (const [input, field, code] of wrong)
    await expect(update(bob, { ...input, locked: true })).rejects.toMatchObject({
      status: 422,
      extras: { body: { details: { [field]: [{ error: code, description: expect.any(String) }] } } },
    })
  expect((await harness.call(verifyCredentials, {}, bob)).locked).toBe(false)
  // A request must not name a file of the store that the gateway did not stage.
  expect(updateCredentials.input.safeParse({ avatar: { ...file('a'), key: 'media/secret.png' } }).success).toBe(false)
  await expect(update(bob, { display_name: 'x'.repeat(41) })).rejects.toMatchObject({
    message: 'Validation failed: Display name is too long (maximum is 40 characters)',
  })
  // A link counts as 23 characters, and a mention without its domain.
  const long = `https://example.com/${'x'.repeat(600)} @bob@${'y'.repeat(60)}.example`
  expect((await update(bob, { note: long })).source.note).toBe(long)
})

test('S-160 pictures are reset to the default ones, also if none was set', async () => {
  const missing = `${harness.origin}/avatars/original/missing.png`
  expect((await harness.call(showAccount, { id: alice.id })).avatar).toContain('/media/avatar/')
  expect(await harness.call(removeAvatar, {}, alice)).toMatchObject({ avatar: missing, avatar_description: '' })
  expect((await harness.call(removeAvatar, {}, alice)).avatar).toBe(missing)
  expect((await harness.call(removeHeader, {}, alice)).header).toBe(`${harness.origin}/headers/original/missing.png`)
  expect(await released(alice)).toEqual([[keyOf('a')], [keyOf('b')]])
})

test('each picture that a profile does not show is released in the transaction of the change', async () => {
  const zora = await harness.createAccount('zora')
  // Each of two simultaneous changes replaces another picture.
  await Promise.all(['c', 'd'].map((digit) => update(zora, { avatar: file(digit), display_name: digit })))
  const [first] = await released(zora)
  expect([[keyOf('c')], [keyOf('d')]]).toContainEqual(first)
  // One of two pictures is refused, so the change fails and no profile shows the other.
  await expect(update(zora, { avatar: file('e'), header: file('f') })).rejects.toMatchObject({ status: 422 })
  expect((await released(zora)).slice(1)).toEqual([[keyOf('e')]])
  await update(zora, { display_name: 'Zora' })
  expect(await released(zora)).toHaveLength(2)
})

test('two simultaneous edits of a profile keep the texts, the HTML and the emoji of both', async () => {
  const wren = await harness.createAccount('wren')
  for (const shortcode of ['egg', 'nest', 'old']) ownEmojis.add(shortcode)
  const fields = (value: string) => ({ fields_attributes: [{ name: ':nest:', value }] })
  await update(wren, { note: 'before', fields_attributes: [{ name: ':old:', value: 'https://bank.example' }] })
  const drawn = Promise.withResolvers<void>()
  slow.set(keyOf('9'), drawn.promise)
  const first = update(wren, { note: 'new :egg:', avatar: file('9') })
  await vi.waitFor(() => expect(askedPictures).toContain(keyOf('9')))
  await update(wren, fields('https://wren.example'))
  drawn.resolve()
  const { note, source, emojis, ...account } = await first
  expect(note).toBe('<p>new :egg:</p>')
  expect(source).toMatchObject({ note: 'new :egg:', fields: [{ name: ':nest:', value: 'https://wren.example' }] })
  expect(account.fields).toEqual([
    { name: ':nest:', value: expect.stringContaining('href="https://wren.example"'), verified_at: null },
  ])
  expect(emojis.map((one) => one.shortcode).sort()).toEqual(['egg', 'nest'])

  // The other way round, the edit of the note is stored during the edit of the fields.
  const later = Promise.withResolvers<void>()
  slow.set(keyOf('8'), later.promise)
  const second = update(wren, { ...fields('https://bank.example'), header: file('8') })
  await vi.waitFor(() => expect(askedPictures).toContain(keyOf('8')))
  await update(wren, { note: 'newest' })
  later.resolve()
  expect(await second).toMatchObject({ note: '<p>newest</p>', source: { note: 'newest' } })
})

test('preferences are resolved', async () => {
  expect(await harness.call(showPreferences, {}, alice)).toMatchObject({
    'posting:default:visibility': 'unlisted',
    'posting:default:sensitive': true,
    'posting:default:language': 'de',
    'posting:default:quote_policy': 'followers',
  })
  expect(await harness.call(showPreferences, {}, bob)).toMatchObject({
    'posting:default:visibility': 'public',
    'posting:default:language': 'en',
    'reading:expand:media': 'default',
  })
  expect(await harness.call(postingDefaults, { id: alice.id })).toMatchObject({
    visibility: 'unlisted',
    language: 'de',
  })
  await update(bob, { locked: true })
  expect(await harness.call(postingDefaults, { id: bob.id })).toMatchObject({ visibility: 'private' })
  await update(bob, { locked: false })
})

test('one request returns the author, posting defaults and mentioned accounts of a status', async () => {
  const rita = await harness.remote('named', { domain: 'remote.example' })
  const { author, defaults, named } = await harness.call(showAuthor, {
    id: alice.id,
    handles: ['bob', 'alice', 'named@remote.example', 'nobody', '@@'],
  })
  expect(author).toMatchObject({ id: alice.id, username: 'alice', domain: null, suspended: false, usable: true })
  const { time_zone: _zone, ...posting } = await harness.call(postingDefaults, { id: alice.id })
  expect(defaults).toEqual(posting)
  expect(named.map((one) => one.id).sort()).toEqual([alice.id, bob.id, rita].sort())
  for (const id of [rita, '1'])
    await expect(harness.call(showAuthor, { id })).rejects.toMatchObject({ code: 'not_found' })
})

test('S-120 S-121 S-122 lookup finds a handle with spaces and in any case, also of an unconfirmed account', async () => {
  const rita = await harness.remote('rita', { domain: 'xn--mnchen-3ya.example' })
  for (const acct of ['alice', ' @ALICE ', 'alice@localhost', ' acct:alice@localhost']) {
    expect((await harness.call(lookupAccount, { acct })).id).toBe(alice.id)
    expect((await harness.call(searchAccounts, { q: acct }, bob))[0]?.id).toBe(alice.id)
  }
  expect(await harness.call(lookupAccount, { acct: 'Rita@MÜNCHEN.example' })).toMatchObject({
    id: rita,
    acct: 'rita@münchen.example',
  })
  const ghost = await harness.createAccount('ghost', { confirmed: false })
  expect((await harness.call(lookupAccount, { acct: 'ghost' })).id).toBe(ghost.id)
  asked.length = 0
  for (const acct of ['nobody', 'nobody@remote.example', '@nobody@remote.example', '', '@@'])
    await expect(harness.call(lookupAccount, { acct }, bob)).rejects.toMatchObject({ code: 'not_found' })
  expect(asked, 'lookup requests nothing from other servers').toEqual([])
})

test('lookup and resolving find a local account by each of its addresses', async () => {
  const record = (await harness.call(accountRecords, { ids: [alice.id] })).records[0]
  const { uri, url } = record as { uri: string; url: string }
  const { origin } = new URL(url)
  const ids = [uri, `${origin}/users/alice`, url, `${origin}/web/@alice`, `${origin}/%40ALICE`]
  const addresses = ids.flatMap((it) => ['', '/', '?a=b', '#main-key', '/?a=b#c'].map((end) => it + end))
  for (const address of [...addresses, uri.replace('http', 'HTTP')]) {
    expect((await harness.call(lookupAccount, { acct: ` ${address}` })).id, address).toBe(alice.id)
    expect((await harness.call(resolveAccount, { uri: address })).record?.id, address).toBe(alice.id)
  }
  for (const address of [
    `${uri}/statuses/1`,
    `${uri}1`,
    `${origin}/@alice/1`,
    `${uri}#follows/1`,
    origin,
    `${origin}/`,
  ]) {
    await expect(harness.call(lookupAccount, { acct: address }), address).rejects.toMatchObject({ code: 'not_found' })
    expect((await harness.call(resolveAccount, { uri: address })).record, address).toBe(null)
  }
})

test('S-082 an unconfirmed account is not found, except by lookup', async () => {
  const { id } = await harness.call(lookupAccount, { acct: 'ghost' })
  await expect(harness.call(showAccount, { id })).rejects.toMatchObject({ code: 'not_found' })
  expect(await harness.call(accountMany, { id: [id, bob.id] })).toMatchObject([{ id: bob.id }])
  expect(await harness.call(searchAccounts, { q: 'ghost' }, alice)).toEqual([])
})

test('S-161 several accounts keep the order of the request, at most forty', async () => {
  const some = await harness.call(accountMany, { id: [bob.id, alice.id, bob.id, '99', 'x'] })
  expect(some.map((one) => one.id)).toEqual([bob.id, alice.id])
  const turned = await harness.call(accountMany, { id: [alice.id, bob.id] })
  expect(turned.map((one) => one.id)).toEqual([alice.id, bob.id])
  expect(await harness.call(accountMany, {})).toEqual([])
  const forty = [bob.id, ...Array.from({ length: 39 }, (_, i) => String(i + 1))]
  expect((await harness.call(accountMany, { id: forty })).map((one) => one.id)).toEqual([bob.id])
  await expect(
    harness.call(accountMany, { id: Array.from({ length: 41 }, (_, i) => String(i + 1)) }),
  ).rejects.toMatchObject({ code: 'unprocessable' })
})

test('D039 an invalid id is not found', async () => {
  for (const id of ['abc', '1e5', '9'.repeat(40), '-1', '1;drop'])
    await expect(harness.call(showAccount, { id })).rejects.toMatchObject({ status: 404, message: 'Record not found' })
})

test('search finds exact handles first, then beginnings of names, and only followees on request', async () => {
  const carol = await harness.createAccount('carol')
  const caroline = await harness.createAccount('caroline')
  const far = await harness.remote('carola', { domain: 'far.example', display_name: 'Somebody' })
  const found = async (q: string, more: object = {}) =>
    (await harness.call(searchAccounts, { q, ...more }, alice)).map((one) => one.id)
  expect(await found('@carol')).toEqual([carol.id, ...[caroline.id, far].sort()])
  expect(await found('CAROL', { limit: 1 })).toEqual([carol.id])
  expect(await found('carola@far')).toEqual([far])
  expect(await found('somebody')).toEqual([far])
  expect(await found('100%')).toEqual([])
  await harness.call(createFollow, { id: caroline.id }, alice)
  expect(await found('carol', { following: true })).toEqual([caroline.id])
  expect((await found('carol'))[1]).toBe(caroline.id)
})

test('a suspended account is empty, and a limited one is marked, except for its owner', async () => {
  const dora = await harness.createAccount('dora')
  await update(dora, { display_name: 'Dora', note: 'here', fields_attributes: [{ name: 'a', value: 'b' }] })
  await harness.call(moderateAccount, { id: dora.id, action: 'silence', stamp: 'staff' })
  expect(await harness.call(showAccount, { id: dora.id })).toMatchObject({ limited: true, display_name: 'Dora' })
  expect(await harness.call(verifyCredentials, {}, dora)).not.toHaveProperty('limited')
  await harness.call(moderateAccount, { id: dora.id, action: 'suspend', stamp: 'staff' })
  await golden('account-suspended', await harness.call(showAccount, { id: dora.id }), { dora: dora.id })
  expect(await harness.call(accountMany, { id: [dora.id] })).toEqual([])
  await harness.call(moderateAccount, { id: dora.id, action: 'unsuspend', stamp: 'staff' })
  await harness.call(moderateAccount, { id: dora.id, action: 'unsilence', stamp: 'staff' })
  expect(await harness.call(showAccount, { id: dora.id })).toMatchObject({ display_name: 'Dora', note: '<p>here</p>' })
})

test('a remote account has pictures, emoji and counts of its server, and a moved one has its target', async () => {
  const target = await harness.remote('newhome', { domain: 'new.example' })
  const rita = await harness.remote('ritamoved', {
    note: '<p>hello :cat:</p>',
    fields: [{ name: 'web', value: '<a href="https://r.example">r</a>' }],
    avatar_url: 'https://remote.example/a.png',
    avatar_description: 'a cat',
    emojis: [{ shortcode: 'cat', url: 'https://remote.example/cat.png', updated: null }],
    type: 'Group',
    followers_count: 1_000_000,
    statuses_count: 3,
    moved_to: 'https://new.example/users/newhome',
  })
  await golden('account-remote-moved', await harness.call(showAccount, { id: rita }), { rita, target })
})

test('identity proofs are always empty', async () => {
  expect(await harness.call(listIdentityProofs, { id: bob.id }, alice)).toEqual([])
})
