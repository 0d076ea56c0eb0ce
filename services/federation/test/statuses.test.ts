/** Received activities about statuses: Create, Update, Delete, Announce and Like, in any order and twice. */
import { createFollow } from '@murmuration/contracts/accounts'
import {
  accountTimeline,
  createStatus,
  showStatus,
  showThread,
  statusRecords,
  vote,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import {
  type Document,
  makeActivity,
  makeRsaKeys,
  PUBLIC,
  type RemoteActor,
} from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let remote: RemoteServer
let evil: RemoteServer
let bob: Awaited<ReturnType<Harness['createAccount']>>
/** Followed by bob. */
let rita: RemoteActor
/** Without local followers. */
let vera: RemoteActor
let eve: RemoteActor
/** A public status of bob. */
let post: { id: string; uri: string }

beforeAll(async () => {
  harness = await startHarness()
  bob = await harness.createAccount('bob')
  remote = await harness.server()
  evil = await harness.server()
  rita = await remote.addActor('rita')
  vera = await remote.addActor('vera')
  eve = await evil.addActor('eve')
  await harness.outcome(remote, makeActivity(rita, 'Follow', bob.uri), { as: rita })
  const account = await harness.account(rita.id)
  await harness.call(createFollow, { id: account?.id ?? '' }, bob)
  const row = await harness
    .db('accounts')
    .row<{ uri: string }>(sql`select uri from follow_requests where account_id = ${bob.id}`)
  await harness.outcome(remote, makeActivity(rita, 'Accept', row?.uri ?? ''), { as: rita })
  const { id } = await harness.call(createStatus, { status: 'hello', visibility: 'public' }, bob)
  post = { id, uri: await uriOf(id) }
})
afterAll(() => harness.stop())
afterEach(async () => {
  await harness.waitForIdle()
  expect(await harness.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
})

const uriOf = async (id: string) => (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? ''
const recordOf = async (uri: string) => (await harness.call(statusRecords, { uris: [uri] })).records[0] ?? null
/** The status as bob sees it, or null. */
const shown = async (uri: string) => {
  const record = await recordOf(uri)
  if (!record || record.deleted) return null
  return harness.call(showStatus, { id: record.id }, bob).catch(() => null)
}

let notes = 0
const note = (author: RemoteActor, extra: Document = {}): Document & { id: string } => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: `${author.id}/statuses/${++notes}`,
  type: 'Note',
  attributedTo: author.id,
  content: `<p>status ${notes}</p>`,
  published: new Date().toISOString(),
  to: [PUBLIC],
  cc: [author.followers],
  ...extra,
})
const create = (author: RemoteActor, object: Document, extra = {}) =>
  harness.outcome(author === eve ? evil : remote, makeActivity(author, 'Create', object, extra), { as: author })
const sendActivity = (author: RemoteActor, type: string, object: Document | string, extra = {}) =>
  harness.outcome(author === eve ? evil : remote, makeActivity(author, type, object, extra), { as: author })

describe('Create', () => {
  test.each(['cavage', 'rfc9421'] as const)(
    'm01 a public status by a followed account, signed with %s',
    async (scheme) => {
      const object = note(rita, {
        contentMap: { en: '<p>x</p>' },
        content: '<p>x</p>',
        tag: [{ type: 'Hashtag', name: '#Café', href: `${remote.origin}/tags/cafe` }],
      })
      expect(await harness.outcome(remote, makeActivity(rita, 'Create', object), { as: rita, scheme })).toBe('done')
      expect(await shown(object.id)).toMatchObject({
        uri: object.id,
        content: '<p>x</p>',
        visibility: 'public',
        language: 'en',
        account: { username: 'rita', uri: rita.id },
        tags: [{ name: 'cafe' }],
      })
    },
  )

  test('m02 a reply to a local account that mentions it', async () => {
    const object = note(vera, {
      inReplyTo: post.uri,
      tag: [{ type: 'Mention', href: bob.uri, name: '@bob' }],
      cc: [vera.followers, bob.uri],
      summary: 'warned',
      sensitive: true,
    })
    expect(await create(vera, object)).toBe('done')
    expect(await shown(object.id)).toMatchObject({
      in_reply_to_id: post.id,
      spoiler_text: 'warned',
      sensitive: true,
      mentions: [{ id: bob.id }],
    })
    const { descendants } = await harness.call(showThread, { id: post.id }, bob)
    expect(descendants.map((it) => it.uri)).toContain(object.id)
  })

  test.each([
    ['m03 unlisted', () => ({ to: [rita.followers], cc: [PUBLIC] }), 'unlisted'],
    ['p01 the public collection in short', () => ({ to: 'as:Public', cc: [] }), 'public'],
    ['m04 private', () => ({ to: [rita.followers], cc: [] }), 'private'],
    ['m05 direct', () => ({ to: [bob.uri], cc: [], tag: [{ type: 'Mention', href: bob.uri }] }), 'direct'],
    ['m06 addressed and not mentioned', () => ({ to: [bob.uri], cc: [] }), 'direct'],
  ])('%s', async (_name, addressing, visibility) => {
    const object = note(rita, addressing())
    expect(await create(rita, object)).toBe('done')
    expect(await shown(object.id)).toMatchObject({ visibility })
    const viewer = await harness.createAccount(`viewer${notes}`)
    const record = await recordOf(object.id)
    const seen = await harness.call(showStatus, { id: record?.id ?? '' }, viewer).then(
      () => true,
      () => false,
    )
    expect(seen).toBe(visibility === 'public' || visibility === 'unlisted')
  })

  test('a status without addressing is for the owner of the inbox only', async () => {
    const object = note(vera, { to: undefined, cc: undefined })
    const activity = { ...makeActivity(vera, 'Create', object), to: undefined, cc: undefined }
    expect(await harness.outcome(remote, activity, { as: vera })).toBe('refused nobody-asked')
    expect(await harness.outcome(remote, activity, { as: vera, to: new URL(`${bob.uri}/inbox`).pathname })).toBe('done')
    expect(await shown(object.id)).toMatchObject({ visibility: 'direct' })
  })

  test('a status without local followers or mentions is stored only when it is looked up', async () => {
    const object = note(vera)
    const activity = makeActivity(vera, 'Create', object)
    expect(await harness.outcome(remote, activity, { as: vera })).toBe('refused nobody-asked')
    expect(await recordOf(object.id)).toBe(null)
    const nina = await harness.createAccount(`nina${notes}`)
    const account = await harness.account(vera.id)
    await harness.call(createFollow, { id: account?.id ?? '' }, nina)
    await sendActivity(vera, 'Accept', { type: 'Follow', actor: nina.uri, object: vera.id })
    expect(await harness.outcome(remote, activity, { as: vera })).toBe('done')
    expect(await recordOf(object.id)).not.toBe(null)
    await sendActivity(vera, 'Reject', { type: 'Follow', actor: nina.uri, object: vera.id })
  })

  test('a public reply to a hidden status here is refused like one to an absent status', async () => {
    for (const visibility of ['private', 'direct'] as const) {
      const { id } = await harness.call(createStatus, { status: 'secret', visibility }, bob)
      const hidden = await uriOf(id)
      for (const inReplyTo of [hidden, hidden.replace(/\d+$/, '1')]) {
        const activity = makeActivity(vera, 'Create', note(vera, { inReplyTo }))
        expect(await harness.outcome(remote, activity, { as: vera })).toBe('refused nobody-asked')
      }
    }
  })

  test('hostile 68 a status without addressing is for each account whose inbox received it, also later', async () => {
    const accounts = [bob, await harness.createAccount('anna'), await harness.createAccount('cleo')]
    const object = note(vera, { to: [], cc: [] })
    const activity = makeActivity(vera, 'Create', object, { to: [], cc: [] })
    const bring = (who: (typeof accounts)[number]) =>
      harness.deliver(remote, activity, { as: vera, to: new URL(`${who.uri}/inbox`).pathname })
    const sees = async (who: (typeof accounts)[number]) =>
      harness.call(showStatus, { id: (await recordOf(object.id))?.id ?? '' }, who).then(
        () => true,
        () => false,
      )
    await Promise.all(accounts.slice(0, 2).map(bring))
    await harness.waitForIdle()
    expect(await Promise.all(accounts.map(sees))).toEqual([true, true, false])
    await bring(accounts[2] as (typeof accounts)[number])
    await harness.waitForIdle()
    expect(await Promise.all(accounts.map(sees))).toEqual([true, true, true])
  })

  test('hostile 69 a repeated Create with other content is one status with the first content', async () => {
    const object = note(rita)
    expect(await create(rita, object)).toBe('done')
    expect(await create(rita, { ...object, content: '<p>other</p>' })).toBe('done unchanged')
    expect(await shown(object.id)).toMatchObject({ content: object.content })
  })

  test('m07 a poll', async () => {
    const option = (name: string, totalItems: number) => ({
      type: 'Note',
      name,
      replies: { type: 'Collection', totalItems },
    })
    const object = note(rita, { type: 'Question', oneOf: [option('Red', 3), option('Blue', 1)], votersCount: 4 })
    expect(await create(rita, object)).toBe('done')
    expect(await shown(object.id)).toMatchObject({ content: object.content })
  })

  test('hostile 80 O24 options of a poll are one line of plain text; a vote repeats them as their server wrote them', async () => {
    const [name, content] = ['Yes,  \u202eplease\u202c', '<p>Tea &amp; <b>milk</b></p>']
    const options = [name, 'No'].map((it) => ({ type: 'Note', name: it }))
    const anyOf = [...options, { type: 'Note', content }]
    const object = note(rita, { type: 'Question', anyOf, endTime: new Date(Date.now() + 600_000).toISOString() })
    expect(await create(rita, object)).toBe('done')
    const { poll } = (await shown(object.id)) ?? {}
    expect(poll?.options.map((it) => it.title)).toEqual(['Yes, please', 'No', 'Tea & milk'])
    await harness.call(vote, { id: poll?.id ?? '', choices: ['0', '1', '2'] }, bob)
    const votes = async () =>
      remote.inbox.all.flatMap(({ activity }) => {
        const it = activity.object as Document | undefined
        return activity.type === 'Create' && it?.inReplyTo === object.id ? [String(it.name)] : []
      })
    await expect.poll(async () => (await votes()).sort()).toEqual([name, 'No', content].sort())
  })

  test('hostile 106 a status without a local recipient causes no look-up of the accounts that it mentions', async () => {
    const unknown = Array.from({ length: 10 }, (_, i) => `${evil.origin}/users/outsider${i}`)
    const tag = unknown.map((href) => ({ type: 'Mention', href, name: '@outsider' }))
    const before = evil.requests.all.length
    expect(await create(vera, note(vera, { tag, to: [PUBLIC, ...unknown] }))).toMatch(/^refused/)
    expect(evil.requests.all.slice(before).map((it) => it.path)).toEqual([])
    expect(await create(rita, note(rita, { tag, to: [PUBLIC, ...unknown] }))).toBe('done')
    expect(evil.requests.all.length).toBeGreaterThan(before)
  })

  test('m08 a vote is never stored as a status, with or without a poll', async () => {
    const object = note(vera, { content: undefined, name: 'Blue', inReplyTo: post.uri, to: [bob.uri], cc: [] })
    expect(await create(vera, object)).toBe('ignored unknown-object')
    expect(await recordOf(object.id)).toBe(null)
  })

  test('w01 an article becomes a title, its summary and a link', async () => {
    const object = note(rita, { type: 'Article', name: 'Title', summary: 'In short.', url: `${remote.origin}/blog/1` })
    expect(await create(rita, object)).toBe('done')
    expect((await shown(object.id))?.content).toContain(`${remote.origin}/blog/1`)
  })

  test('an object sent as address only is fetched, if its author is the actor', async () => {
    const own = remote.addNote(rita, '<p>by address</p>')
    expect(await create(rita, own.id as never)).toBe('done')
    expect(await shown(own.id)).toMatchObject({ content: '<p>by address</p>' })
    const others = remote.addNote(vera, '<p>not rita</p>')
    expect(await create(rita, others.id as never)).toBe('refused attributed-to-another')
  })

  test('the first status of a conversation is fetched too', async () => {
    const root = remote.addNote(vera, '<p>root</p>')
    const middle = remote.addNote(vera, '<p>middle</p>', { inReplyTo: root.id })
    expect(await create(rita, note(rita, { inReplyTo: middle.id }))).toBe('done')
    await harness.waitForIdle()
    expect(await recordOf(middle.id)).not.toBe(null)
    expect(await recordOf(root.id)).not.toBe(null)
  })
})

describe('Create, hostile', () => {
  test('h01 hostile 48 A002 an id on another server', async () => {
    const object = note(rita)
    expect(await create(eve, { ...object, attributedTo: eve.id })).toBe('403 object-on-another-origin')
    expect(await recordOf(object.id)).toBe(null)
  })

  test('h02 hostile 49 A010 a status of another author', async () => {
    const object = note(eve, { attributedTo: rita.id, to: [PUBLIC, bob.uri] })
    expect(await create(eve, object)).toBe('403 attributed-to-another')
    expect(await recordOf(object.id)).toBe(null)
  })

  test('A034 hostile 52 a local id', async () => {
    expect(await create(eve, { ...note(eve), id: `${bob.uri}/statuses/77` })).toBe('403 object-is-ours')
  })

  test('hostile 105 an address only, on a third server', async () => {
    const asked = remote.requests.all.length
    expect(await create(eve, `${rita.id}/statuses/1` as never)).toBe('403 object-on-another-origin')
    expect(remote.requests.all.length).toBe(asked)
  })

  test('a bear: address with a token', async () => {
    expect(await create(eve, `bear:?t=x&u=${eve.id}/statuses/1` as never)).toBe('refused bearer')
  })

  test('h12 hostile 80 81 82 forbidden HTML is removed', async () => {
    const object = note(rita, {
      content:
        '<p onclick="x()">a<script>alert(1)</script><a href="javascript:alert(1)">link</a><iframe src="//x"></iframe></p><p class="mention evil">b</p><svg><style>x</style></svg>',
    })
    expect(await create(rita, object)).toBe('done')
    const html = (await shown(object.id))?.content ?? ''
    expect(html).not.toMatch(/script|onclick|javascript|iframe|svg|style|evil/)
    expect(html).toContain('link')
  })

  test('h10 hostile 35 keys named like prototype properties', async () => {
    const object = note(rita)
    const body = JSON.stringify(makeActivity(rita, 'Create', object)).replace(
      '{',
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},',
    )
    expect((await harness.deliver(remote, body, { as: rita })).status).toBe(202)
    await harness.waitForIdle()
    expect(({} as { polluted?: boolean }).polluted).toBe(undefined)
    expect(await recordOf(object.id)).not.toBe(null)
  })

  test.each([
    ['content', { a: 1 }],
    ['tag', 'text'],
    [
      'tag',
      [null, 7, [[]], { type: 'Mention' }, { type: 'Hashtag', name: 7 }, { type: 'Emoji', name: '../x', icon: 7 }],
    ],
    ['attachment', [null, 7, { type: 'Person' }, { type: 'Image', url: [[['x']]] }]],
    ['published', '-1'],
    ['published', '9999-12-31T23:59:59Z'],
    ['inReplyTo', { a: 1 }],
    ['url', [[]]],
    ['summary', ['x']],
    ['sensitive', 'yes'],
    ['oneOf', 'x'],
    ['likes', 'x'],
  ])('h11 36 A036 A037 invalid values in %s', async (name, value) => {
    const object = note(rita, { [name]: value })
    expect(await create(rita, object)).toMatch(/^(done|refused)/)
    expect(await harness.call(accountTimeline, { id: (await harness.account(rita.id))?.id ?? '' }, bob)).toBeInstanceOf(
      Array,
    )
  })

  test('h16 hostile 93 a status with a future date is not above all others', async () => {
    const object = note(rita, { published: new Date(Date.now() + 86_400_000).toISOString() })
    await create(rita, object)
    const record = await recordOf(object.id)
    expect(Date.parse(record?.created_at ?? '')).toBeLessThan(Date.now() + 60_000)
  })

  test('hostile 103 statuses that reply to themselves or each other are in their thread once', async () => {
    const [own, one, two] = [note(rita), note(rita), note(rita)]
    await create(rita, { ...own, inReplyTo: own.id })
    await create(rita, { ...one, inReplyTo: two.id })
    await create(rita, { ...two, inReplyTo: one.id })
    await harness.waitForIdle()
    const thread = async ({ id: uri }: { id: string }) => {
      const { ancestors, descendants } = await harness.call(showThread, { id: (await recordOf(uri))?.id ?? '' }, bob)
      return [ancestors, descendants].map((list) => list.map((it) => it.uri))
    }
    expect(await thread(own)).toEqual([[], []])
    expect(await thread(one)).toEqual([[two.id], [two.id]])
    expect(await thread(two)).toEqual([[one.id], [one.id]])
  })

  test('the page of a status may be on another server', async () => {
    const object = note(rita, { url: `${evil.origin}/page` })
    await create(rita, object)
    expect((await shown(object.id))?.url).toBe(`${evil.origin}/page`)
  })

  test('interop 4.5 a mention with a profile page is found by its handle', async () => {
    const zoe = await remote.addActor('zoe')
    await sendActivity(zoe, 'Follow', bob.uri)
    // The address of a server in tests is no domain that a handle may name.
    await harness.db('accounts').run(sql`update accounts set domain = 'zoe.example' where uri = ${zoe.id}`)
    const mentions = async (href: string) => {
      const tag = [{ type: 'Mention', href, name: '@Zoe@zoe.example' }]
      const object = note(vera, { tag, cc: [vera.followers, bob.uri] })
      expect(await create(vera, object)).toBe('done')
      return ((await shown(object.id)) as { mentions: { username: string }[] }).mentions.map((it) => it.username)
    }
    expect(await mentions('https://zoe.example/@zoe')).toEqual(['zoe'])
    // A mention never gets a handle of another server than that of its page, nor beside a known address.
    expect(await mentions('https://elsewhere.example/@zoe')).toEqual([])
    expect(await mentions(vera.id)).toEqual(['vera'])
  })

  test('A038 hostile 106 a thousand mentions of unknown accounts: few are looked up', async () => {
    const tag = Array.from({ length: 1_000 }, (_, i) => ({ type: 'Mention', href: `${evil.origin}/users/nobody${i}` }))
    const before = evil.requests.all.length
    expect(await create(rita, note(rita, { tag }))).toBe('done')
    expect(evil.requests.all.length - before).toBeLessThanOrEqual(50)
  })

  test('k07 an embedded parent is used as address only', async () => {
    const object = note(rita, { inReplyTo: { id: post.uri, type: 'Note', content: 'forged' } })
    await create(rita, object)
    expect(await shown(object.id)).toMatchObject({ in_reply_to_id: post.id })
    expect(await harness.call(showStatus, { id: post.id }, bob)).toMatchObject({
      content: expect.stringContaining('hello'),
    })
  })
})

test('actors 3 a rebuilt server can use a deleted actor id again, with other keys', async () => {
  const paul = await remote.addActor('paul')
  const object = note(paul, { inReplyTo: post.uri, cc: [paul.followers, bob.uri] })
  const early = note(paul, { inReplyTo: post.uri, cc: [paul.followers, bob.uri] })
  const later = note(paul, { inReplyTo: post.uri, cc: [paul.followers, bob.uri] })
  await create(paul, object)
  await sendActivity(paul, 'Delete', object.id)
  await sendActivity(paul, 'Delete', early.id)
  const author = (await harness.account(paul.id))?.id
  // More than one page of them.
  await harness.db('statuses').run(sql`insert into tombstones (uri, author_id)
    select ${paul.id} || '/old/' || n, ${author}::bigint from generate_series(1, 2500) as n`)
  expect(await create(paul, object)).toBe('ignored deleted-before')
  expect(await create(paul, early)).toBe('refused statuses-refuses')

  Object.assign(paul, await makeRsaKeys())
  Object.assign(paul.document.publicKey as object, { publicKeyPem: paul.publicKey })
  await sendActivity(paul, 'Like', post.uri)
  expect(await harness.db('statuses').rows(sql`select 1 from tombstones where author_id = ${author}::bigint`)).toEqual(
    [],
  )
  for (const again of [object, early]) {
    expect(await create(paul, again)).toBe('done')
    expect(await shown(again.id)).toMatchObject({ uri: again.id })
  }
  // An object with a Delete stays deleted.
  await sendActivity(paul, 'Delete', later.id)
  expect(await create(paul, later)).toBe('refused statuses-refuses')
})

describe('Update and Delete', () => {
  test('m09 m10 an Update counts once, and an older one does not', async () => {
    const object = note(rita)
    await create(rita, object)
    const edit = (content: string, updated: string) => sendActivity(rita, 'Update', { ...object, content, updated })
    expect(await edit('<p>new</p>', '2030-01-01T00:00:00Z')).toBe('done edited')
    expect(await shown(object.id)).toMatchObject({ content: '<p>new</p>', edited_at: expect.any(String) })
    expect(await edit('<p>older</p>', '2020-01-01T00:00:00Z')).toBe('done unchanged')
    expect(await shown(object.id)).toMatchObject({ content: '<p>new</p>' })
  })

  test.each([
    ['seconds', /\.\d+Z$/, 'Z'],
    ['milliseconds', /$/, ''],
  ])('an Update whose `updated` equals `published`, in %s, is an edit if the content differs', async (_, end, as) => {
    const published = new Date(Date.now() - 5_000).toISOString().replace(end, as)
    const object = note(rita, { published })
    await create(rita, object)
    const edit = { ...object, content: '<p>corrected</p>', updated: published }
    expect(await sendActivity(rita, 'Update', { ...object, updated: published })).toBe('done unchanged')
    expect(await shown(object.id)).toMatchObject({ edited_at: null })
    expect(await sendActivity(rita, 'Update', edit)).toBe('done edited')
    expect(await sendActivity(rita, 'Update', edit)).toBe('done unchanged')
    expect(await create(rita, object)).toBe('done unchanged')
    const edited_at = new Date(published).toISOString()
    expect(await shown(object.id)).toMatchObject({ content: '<p>corrected</p>', edited_at })
    const first = note(rita, { published, updated: published })
    expect(await sendActivity(rita, 'Update', first)).toBe('done')
    expect(await shown(first.id)).toMatchObject({ edited_at: null })
  })

  test.each(['published', 'updated'])(
    'of two edits with the same time, %s before, the version of its server stays',
    async (before) => {
      const at = new Date(Date.now() - 5_000).toISOString().replace(/\.\d+Z$/, 'Z')
      const published = before === 'published' ? at : new Date(Date.now() - 60_000).toISOString()
      const object = note(rita, { published })
      const { pathname } = new URL(object.id)
      await create(rita, object)
      const [first, second] = ['first', 'second'].map((content) => ({
        ...object,
        content: `<p>${content}</p>`,
        updated: at,
      }))
      expect(await sendActivity(rita, 'Update', first ?? {})).toBe('done edited')
      // Without a response of its server, the stored version stays.
      expect(await sendActivity(rita, 'Update', second ?? {})).toBe('done unchanged')
      expect(await shown(object.id)).toMatchObject({ content: '<p>first</p>' })
      remote.publish(pathname, second)
      await harness.clear()
      expect(await sendActivity(rita, 'Update', second ?? {})).toBe('done edited')
      expect(await shown(object.id)).toMatchObject({ content: '<p>second</p>' })
      // The first edit arrives again, under another id.
      expect(await sendActivity(rita, 'Update', first ?? {})).toBe('done unchanged')
      expect(await sendActivity(rita, 'Update', object.id)).toBe('done unchanged')
      expect(await shown(object.id)).toMatchObject({ content: '<p>second</p>', edited_at: new Date(at).toISOString() })
      const media = {
        ...second,
        attachment: [{ type: 'Image', url: `${remote.origin}/i.png`, mediaType: 'image/png' }],
      }
      remote.publish(pathname, media)
      expect(await sendActivity(rita, 'Update', media)).toBe('done edited')
      expect((await shown(object.id))?.media_attachments).toHaveLength(1)
    },
  )

  test('of several edits with the same time that arrive at once, the version of its server stays', async () => {
    const updated = new Date(Date.now() - 5_000).toISOString()
    const object = note(rita, { published: new Date(Date.now() - 60_000).toISOString() })
    await create(rita, object)
    const versions = ['a', 'b', 'c'].map((content) => ({ ...object, content: `<p>${content}</p>`, updated }))
    remote.publish(new URL(object.id).pathname, versions[1])
    await Promise.all(versions.map((one) => harness.deliver(remote, makeActivity(rita, 'Update', one), { as: rita })))
    await harness.waitForIdle()
    expect(await shown(object.id)).toMatchObject({ content: '<p>b</p>' })
  })

  test('hostile 93 a status with a future edit time can be edited later', async () => {
    const object = note(rita, { updated: '9999-12-31T23:59:59Z' })
    await create(rita, object)
    const at = (await shown(object.id))?.edited_at ?? ''
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now())
    const updated = new Date(Date.now() + 1_000).toISOString()
    expect(await sendActivity(rita, 'Update', { ...object, content: '<p>later</p>', updated })).toBe('done edited')
    expect(await shown(object.id)).toMatchObject({ content: '<p>later</p>' })
  })

  test('an Update received before its Create is stored as the status, unless it is old', async () => {
    const fresh = note(rita, { updated: new Date().toISOString() })
    expect(await sendActivity(rita, 'Update', fresh)).toBe('done')
    expect(await create(rita, fresh)).toBe('done unchanged')
    const old = note(rita, { published: '2020-01-01T00:00:00Z', updated: new Date().toISOString() })
    expect(await sendActivity(rita, 'Update', old)).toBe('ignored unknown-object')
  })

  test('an old status whose Update was received first is fetched from its server', async () => {
    const old = note(rita, { published: new Date(Date.now() - 2 * 86_400_000).toISOString() })
    const edited = { ...old, content: '<p>without the name</p>', updated: new Date().toISOString() }
    expect(await sendActivity(rita, 'Update', edited)).toBe('ignored unknown-object')
    remote.publish(new URL(old.id).pathname, edited)
    expect(await create(rita, old)).toBe('done')
    expect(await shown(old.id)).toMatchObject({ content: '<p>without the name</p>' })
  })

  test('A070 hostile 68 an Update never widens the audience', async () => {
    const object = note(rita, { to: [rita.followers], cc: [] })
    await create(rita, object)
    await sendActivity(rita, 'Update', { ...object, to: [PUBLIC], updated: '2030-01-01T00:00:00Z' })
    expect(await shown(object.id)).toMatchObject({ visibility: 'private' })
  })

  test('hostile 53 55 A016 A017 h05 Update and Delete by another actor are refused', async () => {
    const object = note(rita)
    await create(rita, object)
    expect(
      await sendActivity(eve, 'Update', { ...object, content: '<p>taken over</p>', updated: '2030-01-01T00:00:00Z' }),
    ).toBe('403 object-on-another-origin')
    expect(
      await sendActivity(vera, 'Update', { ...object, content: '<p>taken over</p>', updated: '2030-01-01T00:00:00Z' }),
    ).toBe('403 attributed-to-another')
    expect(await sendActivity(eve, 'Delete', object.id)).toBe('refused not-yours')
    expect(await sendActivity(vera, 'Delete', { id: object.id, type: 'Tombstone' })).toBe('refused not-yours')
    expect(await sendActivity(eve, 'Delete', `${remote.origin}/unknown`)).toBe('refused object-on-another-origin')
    expect(await shown(object.id)).toMatchObject({ content: object.content })
    expect(await sendActivity(eve, 'Delete', post.uri)).toBe('refused not-yours')
    expect(await harness.call(showStatus, { id: post.id }, bob)).toMatchObject({ id: post.id })
  })

  test('m12 p07 A025 a repeated Create does not restore a deleted status', async () => {
    for (const given of ['address', 'tombstone'] as const) {
      const object = note(rita)
      const activity = makeActivity(rita, 'Create', object)
      await harness.outcome(remote, activity, { as: rita })
      expect(
        await sendActivity(rita, 'Delete', given === 'address' ? object.id : { id: object.id, type: 'Tombstone' }),
      ).toBe('done')
      expect(await shown(object.id)).toBe(null)
      await harness.deliver(remote, activity, { as: rita })
      expect(await create(rita, object)).toMatch(/^(ignored|refused)/)
      expect(await shown(object.id)).toBe(null)
    }
  })

  test('m13 a Delete received before the Create prevents it', async () => {
    const object = note(rita)
    expect(await sendActivity(rita, 'Delete', object.id)).toBe('done unknown-object')
    expect(await create(rita, object)).toMatch(/^(ignored|refused)/)
    expect(await recordOf(object.id)).toBe(null)
  })
})

describe('Announce', () => {
  const boosts = () => harness.call(showStatus, { id: post.id }, bob).then((it) => it.reblogs_count)

  test('m15 k05 a reblog of a local status, by any account, once', async () => {
    const before = await boosts()
    const boost = makeActivity(vera, 'Announce', post.uri, { to: [PUBLIC] })
    expect(await harness.outcome(remote, boost, { as: vera })).toBe('done')
    await harness.deliver(remote, boost, { as: vera })
    const again = makeActivity(vera, 'Announce', post.uri, { to: [vera.followers], cc: [PUBLIC] })
    expect(await harness.outcome(remote, again, { as: vera })).toBe('done unchanged')
    expect(await boosts()).toBe(before + 1)
    // It may be the retry of an Undo between both activities, so the last activity counts.
    expect(await sendActivity(vera, 'Undo', boost)).toBe('done unchanged')
    expect(await boosts()).toBe(before + 1)
    expect(await sendActivity(vera, 'Undo', again)).toBe('done')
    expect(await boosts()).toBe(before)
  })

  test('m16 an Undo received before the Announce prevents it', async () => {
    const before = await boosts()
    const boost = makeActivity(vera, 'Announce', post.uri, { to: [PUBLIC] })
    await sendActivity(vera, 'Undo', boost)
    expect(await harness.outcome(remote, boost, { as: vera })).toBe('ignored undone-before')
    expect(await boosts()).toBe(before)
  })

  test('a remote status reblogged by a followed account is fetched from its server', async () => {
    const object = remote.addNote(vera, '<p>worth it</p>')
    expect(await sendActivity(rita, 'Announce', { ...object, content: '<p>forged</p>' }, { to: [PUBLIC] })).toBe('done')
    expect(await shown(object.id)).toMatchObject({ content: '<p>worth it</p>', account: { username: 'vera' } })
  })

  test('A018 a forged copy of an absent status is ignored', async () => {
    const object = note(vera)
    expect(await sendActivity(rita, 'Announce', object, { to: [PUBLIC] })).toBe('ignored unknown-object')
    expect(await recordOf(object.id)).toBe(null)
  })

  test('without a follower no request is made', async () => {
    const object = remote.addNote(rita, '<p>quiet</p>')
    const asked = remote.requests.all.length
    expect(await sendActivity(eve, 'Announce', object.id, { to: [PUBLIC] })).toBe('refused nobody-asked')
    expect(remote.requests.all.slice(asked).filter((it) => it.path.includes('/statuses/'))).toEqual([])
  })

  test('h07 hostile 62 a reblog of a non-public status is treated as one of an absent status', async () => {
    for (const visibility of ['private', 'direct']) {
      const { id } = await harness.call(createStatus, { status: 'secret', visibility }, bob)
      expect(await sendActivity(eve, 'Announce', await uriOf(id), { to: [PUBLIC] })).toBe('ignored unknown-object')
      expect(await harness.call(showStatus, { id }, bob)).toMatchObject({ reblogs_count: 0 })
    }
    expect(await sendActivity(eve, 'Announce', `${bob.uri}/statuses/1`, { to: [PUBLIC] })).toBe(
      'ignored unknown-object',
    )
  })

  test('m17 an embedded own followers-only status is reblogged', async () => {
    const object = note(rita, { to: [rita.followers], cc: [] })
    expect(await sendActivity(rita, 'Announce', object, { to: [rita.followers], cc: [] })).toBe('done')
    expect(await shown(object.id)).toMatchObject({ visibility: 'private' })
  })

  test('l03 l06 activities of other accounts that a group forwards', async () => {
    const like = makeActivity(vera, 'Like', post.uri)
    expect(await sendActivity(rita, 'Announce', like, { to: [PUBLIC] })).toBe('refused wrapped-activity')
  })

  test('l01 hostile 71 a status that a group announces is fetched from its server', async () => {
    const object = remote.addNote(vera, '<p>in the group</p>')
    const inner = makeActivity(vera, 'Create', { ...object, content: '<p>forged</p>' })
    expect(await sendActivity(rita, 'Announce', inner, { to: [PUBLIC] })).toBe('done')
    expect(await shown(object.id)).toMatchObject({ content: '<p>in the group</p>' })
  })

  test('hostile 74 A023 A039 a status of a blocked server is not fetched', async () => {
    const blocked = await harness.server({ name: 'localhost' })
    const mallory = await blocked.addActor('mallory')
    const object = blocked.addNote(mallory, '<p>from a blocked server</p>')
    await harness.policy({
      blocks: [{ domain: 'localhost', severity: 'suspend', reject_media: false, reject_reports: false, stamp: '1' }],
    })
    expect(await sendActivity(rita, 'Announce', object.id, { to: [PUBLIC] })).toBe('refused object-host-is-blocked')
    expect(await create(rita, note(rita, { inReplyTo: object.id }))).toBe('done')
    await harness.waitForIdle()
    expect(blocked.requests.all).toEqual([])
    expect(await recordOf(object.id)).toBe(null)
    await harness.policy({})
  })
})

describe('Like', () => {
  const likes = (id = post.id) => harness.call(showStatus, { id }, bob).then((it) => it.favourites_count)

  test('a favourite counts once, and can be undone', async () => {
    const before = await likes()
    const like = makeActivity(vera, 'Like', post.uri)
    expect(await harness.outcome(remote, like, { as: vera })).toBe('done')
    await harness.deliver(remote, like, { as: vera })
    // Signed in the same second, both likes are equally new.
    await harness.waitForIdle()
    const again = makeActivity(vera, 'Like', post.uri)
    expect(await harness.outcome(remote, again, { as: vera })).toBe('done unchanged')
    expect(await likes()).toBe(before + 1)
    expect(await sendActivity(vera, 'Undo', again)).toBe('done')
    expect(await likes()).toBe(before)
  })

  test('k02 k03 p02 p03 reactions count as likes, also when they are undone by their id alone', async () => {
    const before = await likes()
    const react = makeActivity(vera, 'EmojiReact', post.uri, { content: '🎉' })
    expect(await harness.outcome(remote, react, { as: vera })).toBe('done')
    expect(await likes()).toBe(before + 1)
    expect(await sendActivity(vera, 'Undo', react.id)).toBe('done')
    expect(await likes()).toBe(before)
  })

  test('hostile 57 h06 another actor’s favourite is not undone', async () => {
    const like = makeActivity(vera, 'Like', post.uri)
    await harness.outcome(remote, like, { as: vera })
    const before = await likes()
    expect(await sendActivity(eve, 'Undo', { ...like })).toBe('403 not-yours')
    expect(await sendActivity(eve, 'Undo', { ...like, actor: eve.id })).toBe('403 object-on-another-origin')
    expect(await sendActivity(eve, 'Undo', like.id)).toBe('403 object-on-another-origin')
    expect(await likes()).toBe(before)
  })

  test('hostile 63 a Like of an unknown and of a hidden status have the same outcome and no effect', async () => {
    const { id } = await harness.call(createStatus, { status: 'secret', visibility: 'direct' }, bob)
    for (const uri of [await uriOf(id), `${bob.uri}/statuses/1`])
      expect(await sendActivity(eve, 'Like', uri)).toBe('ignored unknown-object')
    expect(await likes(id)).toBe(0)
    expect(await sendActivity(vera, 'Like', `${rita.id}/statuses/1`)).toBe('ignored not-about-us')
  })

  test('l04 a Dislike has no effect', async () => {
    expect((await harness.deliver(remote, makeActivity(vera, 'Dislike', post.uri), { as: vera })).status).toBe(202)
  })
})
