/**
 * Forms in which other software writes statuses and activities about them. A server of its own sends each row of the table,
 * which must have the named effect. Numbers are rows of the interoperability facts, `interop <section>.<row>`.
 */
import { inboxRefusals } from '@murmuration/contracts/federation'
import { addReblog, showStatus, showThread, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
let authors = 0
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())
afterEach(async () => {
  await fixture.harness.waitForIdle()
  expect(await fixture.harness.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
})

const federation = () =>
  fixture.harness.host.running.find((one) => one.service === 'federation')?.ctx as unknown as Context
const likes = async () =>
  (await fixture.harness.call(showStatus, { id: fixture.post.id }, fixture.bob)).favourites_count
const absencesOf = (uri: string) =>
  fixture.harness
    .db('statuses')
    .rows(sql`select times from absences join post_uris using (status_id) where post_uris.uri = ${uri}`)
const isStored = async (uri: string) => (await fixture.harness.call(statusRecords, { uris: [uri] })).records.length > 0

type Habit = [name: string, fields: () => Document, expected: () => object]

/** Statuses that are stored, and what bob sees of them. */
const kept: Habit[] = [
  [
    'interop 3.4 a conversation that is a tag, and an old address',
    () => ({ conversation: 'tag:masto.example,2026-05-01:objectId=1:objectType=Conversation', atomUri: 'tag:x' }),
    () => ({ visibility: 'public' }),
  ],
  [
    'interop 4.1 home is unlisted',
    () => ({ to: [fixture.rita.followers], cc: [PUBLIC] }),
    () => ({ visibility: 'unlisted' }),
  ],
  [
    'interop 4.1 followers is private',
    () => ({ to: [fixture.rita.followers], cc: [] }),
    () => ({ visibility: 'private' }),
  ],
  [
    'interop 4.1 specified is direct',
    () => ({ to: [fixture.bob.uri], cc: [], tag: [{ type: 'Mention', href: fixture.bob.uri }] }),
    () => ({ visibility: 'direct' }),
  ],
  [
    'interop 4.2 a poll with an end that is null',
    () => ({
      type: 'Question',
      endTime: null,
      closed: null,
      anyOf: [
        { type: 'Note', name: 'Red', replies: { type: 'Collection', totalItems: 2 } },
        { type: 'Note', name: 'Blue' },
      ],
    }),
    () => ({
      poll: {
        multiple: true,
        expired: false,
        expires_at: null,
        options: [
          { title: 'Red', votes_count: 2 },
          { title: 'Blue', votes_count: 0 },
        ],
      },
    }),
  ],
  [
    'interop 4.3 words of Misskey are not needed',
    () => ({
      content: '<p>shown</p>',
      source: { content: '$[x hidden]', mediaType: 'text/x.misskeymarkdown' },
      _misskey_content: 'hidden',
      _misskey_summary: 'hidden',
      _misskey_reaction: 'hidden',
    }),
    () => ({ content: '<p>shown</p>', spoiler_text: '' }),
  ],
  [
    'interop 4.5 a mention without a host is whom its address names',
    () => ({ cc: [fixture.bob.uri], tag: [{ type: 'Mention', href: fixture.bob.uri, name: '@nobody' }] }),
    () => ({ mentions: [{ id: fixture.bob.id }] }),
  ],
  [
    'interop 4.6 the parent inlined is an address',
    () => ({ inReplyTo: { id: fixture.post.uri, type: 'Note', content: 'forged' } }),
    () => ({ in_reply_to_id: fixture.post.id }),
  ],
  [
    'interop 5.4 actor, context and conversation repeated in the object',
    () => ({
      actor: fixture.rita.id,
      context: `${fixture.remote.origin}/contexts/9`,
      conversation: `${fixture.remote.origin}/contexts/9`,
    }),
    () => ({ visibility: 'public' }),
  ],
  [
    'interop 5.6 a custom emoji without an id',
    () => ({
      content: '<p>:blob:</p>',
      tag: [
        { id: null, type: 'Emoji', name: ':blob:', icon: { type: 'Image', url: `${fixture.remote.origin}/b.png` } },
      ],
    }),
    () => ({ emojis: [{ shortcode: 'blob' }] }),
  ],
  [
    'interop 5.9 a list of people is direct',
    () => ({ to: [fixture.bob.uri], cc: [], listMessage: `${fixture.remote.origin}/lists/1` }),
    () => ({ visibility: 'direct' }),
  ],
  [
    'interop 5.10 the public of one server is not everybody',
    () => ({ to: [`${fixture.remote.origin}/#Public`, fixture.rita.followers], cc: [] }),
    () => ({ visibility: 'private' }),
  ],
  [
    'interop 5.19 a bridged copy says of what',
    () => ({ proxyOf: [{ type: 'ProxyOf', protocol: 'x' }] }),
    () => ({ visibility: 'public' }),
  ],
  [
    'interop 6.4 lists of one are the one',
    () => ({ to: PUBLIC, cc: fixture.rita.followers, tag: { type: 'Hashtag', name: '#one' } }),
    () => ({ visibility: 'public', tags: [{ name: 'one' }] }),
  ],
  [
    'interop 6.10 6.11 an id that sorts, hidden on the web of its server',
    () => ({ id: `${fixture.rita.id}/statuses/01ARZ3NDEKTSV4RRFFQ69G5FAV` }),
    () => ({ visibility: 'public' }),
  ],
  [
    'interop 6.14 words for a picture in its summary',
    () => ({
      attachment: {
        type: 'Image',
        mediaType: 'image/png',
        url: `${fixture.remote.origin}/p.png`,
        name: 'short',
        summary: 'long',
      },
    }),
    () => ({ media_attachments: [{ description: 'long' }] }),
  ],
  [
    'interop 7.5 7.19 a page of a community is a title with a link',
    () => ({
      type: 'Page',
      name: 'A cat',
      content: '<p>body</p>',
      mediaType: 'text/html',
      source: { content: 'body', mediaType: 'text/markdown' },
      attachment: [{ type: 'Link', href: 'https://news.example/cat' }],
      image: { type: 'Image', url: `${fixture.remote.origin}/c.png` },
      audience: `${fixture.remote.origin}/c/cats`,
      commentsEnabled: true,
    }),
    () => ({ content: expect.stringContaining('A cat') }),
  ],
  [
    'interop 7.7 a language that is an object, and tags of the community',
    () => ({
      language: { identifier: 'de', name: 'Deutsch' },
      tag: [{ type: 'CommunityPostTag', id: `${fixture.remote.origin}/tag/1`, preferredUsername: 'news' }],
    }),
    () => ({ language: null, tags: [] }),
  ],
  [
    'interop 7.16 a private message that is a status',
    () => ({ to: [fixture.bob.uri], cc: [], tag: [{ type: 'Mention', href: fixture.bob.uri }] }),
    () => ({ visibility: 'direct' }),
  ],
  [
    'interop 7.18 9.18 an article of a forum, with a short form beside it',
    () => ({
      type: 'Article',
      name: 'Welcome',
      summary: '<p>short</p>',
      content: '<h3>Welcome</h3><p>long</p>',
      preview: { type: 'Note', content: '<p>short</p>', attachment: [] },
      url: `${fixture.remote.origin}/post/1`,
    }),
    () => ({ content: expect.stringMatching(/Welcome[\s\S]*short[\s\S]*\/post\/1/) }),
  ],
  [
    'interop 8.2 8.3 8.6 a film: its page among many addresses, Markdown not taken for HTML, and much that is its own',
    () => ({
      type: 'Video',
      name: 'My film',
      content: 'A **film** <b>',
      mediaType: 'text/markdown',
      duration: 'PT65S',
      uuid: 'd2f2',
      views: 3,
      state: 1,
      waitTranscoding: true,
      support: null,
      url: [
        { type: 'Link', mediaType: 'video/mp4', href: `${fixture.remote.origin}/v.mp4`, height: 720 },
        { type: 'Link', mediaType: 'application/x-bittorrent;x-scheme-handler/magnet', href: 'magnet:?x' },
        { type: 'Link', mediaType: 'text/html', href: `${fixture.remote.origin}/w/1` },
        {
          type: 'Link',
          mediaType: 'application/x-mpegURL',
          href: `${fixture.remote.origin}/m`,
          tag: [{ type: 'Link' }],
        },
      ],
    }),
    () => ({ content: expect.stringMatching(/My film[\s\S]*\/w\/1/), url: `${fixture.remote.origin}/w/1` }),
  ],
  [
    'interop 8.1 a film by a person and a channel',
    () => ({
      type: 'Video',
      name: 'Two authors',
      attributedTo: [
        { type: 'Person', id: fixture.rita.id },
        { type: 'Group', id: `${fixture.remote.origin}/video-channels/c` },
      ],
    }),
    () => ({ account: { username: 'rita' } }),
  ],
  [
    'interop 9.1 tags in a map, and rights and places nobody else has',
    () => ({
      tag: { 0: { type: 'Hashtag', name: '#sunset' }, type: 'Mention', href: fixture.bob.uri },
      capabilities: { announce: PUBLIC },
      commentsEnabled: true,
      location: { type: 'Place', name: 'Lisbon' },
    }),
    () => ({ visibility: 'public' }),
  ],
  [
    'interop 9.7 ids with a query, kept byte for byte',
    () => ({ id: `${fixture.remote.origin}/?p=148`, type: 'Article', name: 'By query' }),
    () => ({ uri: `${fixture.remote.origin}/?p=148` }),
  ],
  [
    'I4 interop 9.9 keys with a colon and an instrument',
    () => ({ 'diaspora:guid': 'x', 'diaspora:comment': '{}', instrument: { type: 'Service', name: 'Friendica' } }),
    () => ({ visibility: 'public' }),
  ],
  [
    'interop 9.11 9.12 an event has a title and a link, and is by who sends it',
    () => ({
      type: 'Event',
      name: 'Dance',
      actor: `${fixture.remote.origin}/@emil`,
      startTime: '2026-06-01T19:00:00+00:00',
      location: { type: 'Place', name: 'Hall' },
    }),
    () => ({ content: expect.stringContaining('Dance'), account: { username: 'rita' } }),
  ],
  [
    'interop 9.13 a track has a title and a link',
    () => ({
      type: 'Audio',
      name: 'Track',
      url: { type: 'Link', mediaType: 'audio/ogg', href: 'https://x.example/a' },
    }),
    () => ({ content: expect.stringContaining('Track') }),
  ],
  [
    'interop 9.14 a live announcement is a note',
    () => ({ content: '<p>We are live</p>' }),
    () => ({ visibility: 'public' }),
  ],
  [
    'interop 9.15 an article without a summary',
    () => ({ type: 'Article', name: 'Essay', url: `${fixture.remote.origin}/essay` }),
    () => ({ content: expect.stringContaining('Essay') }),
  ],
  [
    'interop 9.16 an id with a colon, two schemes and an at sign',
    () => ({ id: `${fixture.remote.origin}/convert/ap/at://did:plc:abc/app.bsky.feed.post/1` }),
    () => ({ uri: `${fixture.remote.origin}/convert/ap/at://did:plc:abc/app.bsky.feed.post/1` }),
  ],
  [
    'interop 9.19 times to the nanosecond, and a proof beside the rest',
    () => ({
      published: '2026-05-01T10:00:00.123456789Z',
      proof: { type: 'DataIntegrityProof', cryptosuite: 'eddsa-jcs-2022', proofValue: 'z3' },
    }),
    () => ({ created_at: '2026-05-01T10:00:00.123Z' }),
  ],
  [
    'interop 9.21 a mention without a name, and likes that are an address',
    () => ({ tag: [{ type: 'Mention', href: fixture.bob.uri }], likes: `${fixture.remote.origin}/likes/1` }),
    () => ({ mentions: [{ id: fixture.bob.id }] }),
  ],
]

test.each(kept)('%s', async (_name, fields, expected) => {
  const object = fixture.note(fixture.rita, fields())
  expect(await fixture.sendActivity(fixture.rita, 'Create', object)).toBe('done')
  expect(await fixture.shown(object.id)).toMatchObject(expected())
})

/** Documents that are accepted and store nothing. */
const dropped: [string, () => Document][] = [
  ['interop 4.21 a bite', () => makeActivity(fixture.rita, 'Bite', fixture.bob.uri)],
  [
    'interop 4.22 a collection of activities',
    () => ({
      ...makeActivity(fixture.rita, 'OrderedCollection', ''),
      object: undefined,
      orderedItems: [makeActivity(fixture.rita, 'Create', fixture.note(fixture.rita))],
    }),
  ],
  [
    'interop 5.5 7.16 a chat message',
    () =>
      makeActivity(fixture.rita, 'Create', fixture.note(fixture.rita, { type: 'ChatMessage', to: [fixture.bob.uri] })),
  ],
  ['interop 8.8 a view', () => makeActivity(fixture.rita, 'View', fixture.post.uri)],
  ['interop 8.8 a dislike', () => makeActivity(fixture.rita, 'Dislike', fixture.post.uri)],
  ['interop 9.2 a story', () => makeActivity(fixture.rita, 'Create', fixture.note(fixture.rita, { type: 'Story' }))],
  [
    'interop 9.2 a story taken in by address',
    () => makeActivity(fixture.rita, 'Add', `bear:?t=x&u=${fixture.rita.id}/s/1`),
  ],
  ...['Review', 'Rating', 'Quotation', 'Edition', 'Shelf'].map((type): [string, () => Document] => [
    `interop 9.5 a ${type}`,
    () => makeActivity(fixture.rita, 'Create', fixture.note(fixture.rita, { type })),
  ]),
  [
    'interop 9.10 something put into a list nobody knows',
    () =>
      makeActivity(fixture.rita, 'Add', fixture.note(fixture.rita), {
        target: `${fixture.remote.origin}/containers/1`,
      }),
  ],
  ...['Join', 'Leave', 'Invite', 'Offer'].map((type): [string, () => Document] => [
    `interop 9.11 ${type}`,
    () => makeActivity(fixture.rita, type, fixture.post.uri),
  ]),
  [
    'interop 9.13 a library',
    () => makeActivity(fixture.rita, 'Create', fixture.note(fixture.rita, { type: 'Library' })),
  ],
  [
    'interop 9.20 a status with an id outside the web',
    () => makeActivity(fixture.rita, 'Create', { ...fixture.note(fixture.rita), id: 'ap://did:key:z6Mk/objects/1' }),
  ],
  [
    'interop 9.22 9.23 something by software nobody has seen',
    () => makeActivity(fixture.rita, 'Create', fixture.note(fixture.rita, { type: 'Hologram', payload: { x: 1 } })),
  ],
  [
    'hostile 122 a list for somebody else’s channel',
    () =>
      makeActivity(fixture.rita, 'Create', {
        ...fixture.note(fixture.rita, { type: 'Playlist' }),
        attributedTo: fixture.bob.uri,
      }),
  ],
]

test.each(dropped)('%s is accepted without effect', async (_name, activity) => {
  const sent = activity()
  const before = await fixture.harness.db('statuses').row<{ n: number }>(sql`select count(*)::int as n from statuses`)
  const outcome = await fixture.harness.outcome(fixture.remote, sent as Document & { id: string }, { as: fixture.rita })
  expect(outcome).toMatch(/^(dropped|refused|ignored|403)/)
  expect(await fixture.harness.db('statuses').row(sql`select count(*)::int as n from statuses`)).toEqual(before)
  expect(await likes()).toBe(0)
})

describe('likes and reactions', () => {
  const reactions: [string, string, Document][] = [
    ['interop 3.3 without an audience', 'Like', { to: undefined, cc: undefined }],
    ['interop 4.4 with an emoji', 'Like', { content: '🎉', _misskey_reaction: '🎉' }],
    ['interop 4.21 with an emoji of a third server', 'Like', { content: ':blob@other.example:' }],
    [
      'interop 5.3 as a type of its own, its name without colons and its id elsewhere',
      'EmojiReact',
      { content: 'blob', tag: [{ id: 'https://third.example/e/1', type: 'Emoji', name: 'blob', icon: { url: 'x' } }] },
    ],
    ['interop 7.10 with the community as audience', 'Like', { audience: 'https://lemmy.example/c/cats' }],
    ['interop 9.20 with a visibility', 'Like', { visibility: 'public', to: [PUBLIC] }],
  ]
  test.each(reactions)('%s is a favourite, once, and can be undone', async (_name, type, extra) => {
    const like = makeActivity(fixture.vera, type, fixture.post.uri, extra)
    expect(await fixture.harness.outcome(fixture.remote, like, { as: fixture.vera })).toBe('done')
    const again = makeActivity(fixture.vera, type, fixture.post.uri, extra)
    expect(await fixture.harness.outcome(fixture.remote, again, { as: fixture.vera })).toBe('done unchanged')
    expect(await likes()).toBe(1)
    expect(await fixture.sendActivity(fixture.vera, 'Undo', again, { to: undefined, cc: undefined })).toBe('done')
    expect(await likes()).toBe(0)
  })
})

test.each(['Like', 'EmojiReact', 'Announce', 'Follow', 'Block'])(
  'an Undo of %s may have the id of the undone activity',
  async (type) => {
    const post = await fixture.write({ status: 'one id', visibility: 'public' })
    const isAboutAccount = type === 'Follow' || type === 'Block'
    const extra = type === 'EmojiReact' ? { content: '\u{1f389}' } : type === 'Announce' ? { to: [PUBLIC] } : {}
    const activity = makeActivity(fixture.vera, type, isAboutAccount ? fixture.bob.uri : post.uri, extra)
    const effects = async () => {
      await fixture.harness.waitForIdle()
      const status = await fixture.harness.call(showStatus, { id: post.id }, fixture.bob)
      const vera = await fixture.harness.account(fixture.vera.id)
      const rows = await fixture.harness.db('accounts').rows(sql`
        select 1 from follows where account_id = ${vera?.id} and target_id = ${fixture.bob.id}
        union all select 1 from blocks where account_id = ${vera?.id} and target_id = ${fixture.bob.id}`)
      return status.favourites_count + status.reblogs_count + rows.length
    }
    expect(await fixture.harness.outcome(fixture.remote, activity, { as: fixture.vera })).toMatch(/^done/)
    expect(await effects()).toBe(1)
    const undo = { ...makeActivity(fixture.vera, 'Undo', activity), id: activity.id }
    const later = { as: fixture.vera, now: new Date(Date.now() + 2_000) }
    await fixture.harness.outcome(fixture.remote, undo, later)
    expect(await effects()).toBe(0)
  },
)

describe('times of a status', () => {
  const times: [name: string, formOf: (ms: number) => unknown, isRead: boolean][] = [
    ['a number of seconds', (ms) => ms / 1_000, true],
    ['a number of milliseconds', (ms) => ms, true],
    ['a text of seconds', (ms) => String(ms / 1_000), true],
    [
      'a value object with a number',
      (ms) => ({ '@value': ms, '@type': 'http://www.w3.org/2001/XMLSchema#long' }),
      true,
    ],
    ['the text of a date in JavaScript', (ms) => String(new Date(ms)), true],
    ['a number of microseconds', (ms) => ms * 1_000, false],
    ['an object', (ms) => ({ seconds: ms / 1_000 }), false],
    ['a boolean', () => true, false],
  ]
  test.each(times)('may be %s, and the status is stored in any case', async (_, formOf, isRead) => {
    const now = Date.now()
    const at = Math.floor(now / 1_000) * 1_000 - 3_600_000
    const first = fixture.note(fixture.rita, { content: '<p>first</p>', published: formOf(at) })
    const create = { ...makeActivity(fixture.rita, 'Create', first), published: formOf(at) }
    expect(await fixture.harness.outcome(fixture.remote, create, { as: fixture.rita })).toBe('done')
    const shown = await fixture.shown(first.id)
    const createdAt = Date.parse(shown?.created_at ?? '')
    if (isRead) expect(createdAt).toBe(at)
    else expect(createdAt).toBeGreaterThanOrEqual(now - 1_000)
    const edit = { ...first, content: '<p>second</p>', updated: formOf(at + 60_000) }
    expect(await fixture.sendActivity(fixture.rita, 'Update', edit)).toBe(isRead ? 'done edited' : 'done unchanged')
    expect(await fixture.shown(first.id)).toMatchObject({
      content: isRead ? '<p>second</p>' : '<p>first</p>',
      edited_at: isRead ? new Date(at + 60_000).toISOString() : null,
    })
  })
})

describe('reblogs and groups', () => {
  test('interop 4.1 a reblog for the home timeline', async () => {
    const activity = makeActivity(fixture.rita, 'Announce', fixture.post.uri, {
      to: [fixture.rita.followers],
      cc: [PUBLIC],
    })
    expect(await fixture.harness.outcome(fixture.remote, activity, { as: fixture.rita })).toBe('done')
    expect((await fixture.shown(activity.id))?.visibility).toBe('unlisted')
  })

  test('interop 7.1 7.2 7.3 8.4 a group announces a Page: inside an activity, and as address', async () => {
    for (const wrap of [true, false]) {
      const page = fixture.remote.addNote(fixture.vera, '<p>body</p>', { type: 'Page', name: `Cat ${wrap}` })
      const forged = { ...page, name: 'forged' }
      const object = wrap ? makeActivity(fixture.vera, 'Create', forged) : page.id
      expect(await fixture.sendActivity(fixture.rita, 'Announce', object, { to: [PUBLIC] })).toBe('done')
      expect((await fixture.shown(page.id))?.content).toContain(`Cat ${wrap}`)
      expect((await fixture.shown(page.id))?.account.username).toBe('vera')
    }
  })

  test.each(['Update', 'Delete', 'Undo', 'Like', 'Dislike', 'Add', 'Remove', 'Lock', 'Block', 'Flag'])(
    'interop 7.4 7.11 7.14 a group announces %s: no reblog, no error, no retry',
    async (type) => {
      const own = fixture.note(fixture.rita)
      expect(await fixture.sendActivity(fixture.rita, 'Create', own)).toBe('done')
      const inner = makeActivity(fixture.vera, type, own.id, { summary: 'off topic' })
      expect(await fixture.sendActivity(fixture.rita, 'Announce', inner, { to: [PUBLIC] })).toMatch(
        /^(dropped|refused|ignored|done)/,
      )
      expect(await isStored(own.id)).toBe(true)
      expect(await fixture.shown(own.id)).toMatchObject({ reblogs_count: 0, favourites_count: 0 })
    },
  )

  test('interop 7.4 an Update that a group announces causes a fetch from the server of the status', async () => {
    const page = fixture.remote.addNote(fixture.vera, '<p>first</p>', { type: 'Note' })
    expect(await fixture.sendActivity(fixture.rita, 'Announce', page.id, { to: [PUBLIC] })).toBe('done')
    const updated = new Date(Date.now() + 60_000).toISOString()
    const path = new URL(page.id).pathname
    fixture.remote.publish(path, { ...page, content: '<p>second</p>', updated })
    const forged = makeActivity(fixture.vera, 'Update', { ...page, content: '<p>forged</p>', updated })
    expect(await fixture.sendActivity(fixture.rita, 'Announce', forged, { to: [PUBLIC] })).toBe('done edited')
    expect(await fixture.shown(page.id)).toMatchObject({ content: '<p>second</p>', reblogs_count: 1 })
  })

  test('interop 7.4 a Delete that a group announces counts if the status no longer exists at its address', async () => {
    const page = fixture.remote.addNote(fixture.vera, '<p>a topic</p>', { type: 'Note' })
    expect(await fixture.sendActivity(fixture.rita, 'Announce', page.id, { to: [PUBLIC] })).toBe('done')
    const deletion = () => makeActivity(fixture.rita, 'Delete', page.id)
    expect(await fixture.sendActivity(fixture.rita, 'Announce', deletion(), { to: [PUBLIC] })).toBe(
      'refused object-still-there',
    )
    expect(await fixture.shown(page.id)).not.toBe(null)
    fixture.remote.publish(new URL(page.id).pathname, undefined)
    expect(await fixture.sendActivity(fixture.rita, 'Announce', deletion(), { to: [PUBLIC] })).toBe('done')
    expect(await fixture.shown(page.id)).toBe(null)
  })

  describe.each(['the server of the group', 'another server'])(
    'of a status on %s, a Delete that a group announces',
    (where) => {
      const unannounced = async () => {
        const server = where === 'another server' ? await fixture.harness.server() : fixture.remote
        const author = await server.addActor(`lea${++authors}`)
        const page = server.addNote(author, '<p>a topic</p>', { type: 'Note' })
        const path = new URL(page.id).pathname
        const end = { ...makeActivity(author, 'Delete', page.id), id: `${server.origin}/activities/delete/${authors}` }
        server.publish(new URL(end.id).pathname, end)
        return { server, path, page, end }
      }
      const topic = async () => {
        const made = await unannounced()
        expect(await announce(made.page.id)).toBe('done')
        return made
      }
      const gone = {
        404: (server: RemoteServer, path: string) => server.publish(path, undefined),
        410: (server: RemoteServer, path: string) => server.behave({ kind: 'status', status: 410 }, { path }),
        'a Tombstone': (server: RemoteServer, path: string) => {
          const id = `${server.origin}${path}`
          server.publish(path, { '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'Tombstone' })
        },
      }
      const announce = (object: Document | string) =>
        fixture.sendActivity(fixture.rita, 'Announce', object, { to: [PUBLIC] })
      for (const form of ['whole', 'by its id alone'] as const)
        test.each(['404', '410', 'a Tombstone'] as const)(
          `${form} counts if the response of the status is %s`,
          async (answer) => {
            const { server, path, page, end } = await topic()
            const object = form === 'whole' ? end : end.id
            expect(await announce(object)).toBe('refused object-still-there')
            expect(await fixture.shown(page.id)).toMatchObject({ content: '<p>a topic</p>' })
            // The Delete may reach the server of the status later, so that the status is requested again.
            expect(await absencesOf(page.id)).toEqual([{ times: 0 }])
            gone[answer](server, path)
            // A 404 of another server may be temporary. The status is requested again before it is removed.
            const isRemoved = answer !== '404' || where === 'the server of the group'
            expect(await announce(object)).toBe(isRemoved ? 'done' : 'ignored not-gone-yet')
            expect((await fixture.shown(page.id)) === null).toBe(isRemoved)
          },
        )
      for (const form of ['whole', 'by its id alone'] as const)
        test(`${form} before the status counts when the group announces the status`, async () => {
          const { page, end } = await unannounced()
          const group = await fixture.remote.addActor(`group${++authors}`, { type: 'Group' })
          await fixture.follow(fixture.bob, group)
          const pass = (object: Document | string) => fixture.sendActivity(group, 'Announce', object, { to: [PUBLIC] })
          expect(await pass(form === 'whole' ? end : end.id)).toBe('ignored unknown-object')
          expect(await pass(page.id)).toBe('done')
          // The server of the status decides: it still has the status, so that the status is requested again.
          expect(await fixture.shown(page.id)).toMatchObject({ content: '<p>a topic</p>' })
          expect(await absencesOf(page.id)).toEqual([{ times: 0 }])
        })
      test('before the status is not recorded if the actor is no group, and a boost reads no record', async () => {
        const { page, end } = await unannounced()
        expect(await announce(end)).toBe('ignored unknown-object')
        const read = vi.spyOn(federation().db, 'exists')
        expect(await announce(page.id)).toBe('done')
        const texts = read.mock.calls.map(([query]) => query.text)
        read.mockRestore()
        expect(texts.filter((text) => text.includes('undone_activities'))).toEqual([])
        expect(await absencesOf(page.id)).toEqual([])
      })
      test('has no effect on a status that the same group did not announce', async () => {
        const { page, end } = await unannounced()
        expect(await announce(end)).toBe('ignored unknown-object')
        const other = await fixture.remote.addActor(`group${++authors}`)
        await fixture.follow(fixture.bob, other)
        expect(await fixture.sendActivity(other, 'Announce', page.id, { to: [PUBLIC] })).toBe('done')
        expect(await absencesOf(page.id)).toEqual([])
      })
      test('by an id that cannot be fetched has no effect', async () => {
        const { server, path, page, end } = await topic()
        server.publish(path, undefined)
        expect(await announce(`${end.id}0`)).toBe('ignored unknown-object')
        expect(await isStored(page.id)).toBe(true)
      })
    },
  )

  describe.each([
    ['announced by a group', (lea: RemoteActor, end: Document) => makeActivity(lea, 'Undo', end)],
    ['sent by the author', null],
  ] as const)('the Undo of a Delete, %s,', (_, wrap) => {
    const undo = async (deletes: boolean) => {
      const server = await fixture.harness.server()
      const lea = await server.addActor(`lea${++authors}`)
      const send = (type: string, object: Document | string) =>
        fixture.harness.outcome(server, makeActivity(lea, type, object, { to: [PUBLIC, fixture.bob.uri] }), { as: lea })
      const page = server.addNote(lea, '<p>a topic</p>', { type: 'Page', name: 'Topic', to: [PUBLIC, fixture.bob.uri] })
      expect(await send('Create', page)).toBe('done')
      const end = makeActivity(lea, 'Delete', page.id)
      if (deletes) expect(await fixture.harness.outcome(server, end, { as: lea })).toBe('done')
      const info = vi.spyOn(federation().log, 'info')
      const outcome = await (wrap ? send('Announce', wrap(lea, end)) : send('Undo', end))
      const lines = info.mock.calls.filter(([, message]) => message === 'an accepted activity had no effect')
      info.mockRestore()
      const { host } = new URL(server.origin)
      const counted = async () =>
        (await fixture.harness.call(inboxRefusals, { days: 1, host })).refusals.map((one) => [one.reason, one.count])
      return { page, outcome, host, lines: lines.map(([fields]) => fields), counted }
    }
    test('restores nothing, and is counted and logged with its reason', async () => {
      const { page, outcome, host, lines, counted } = await undo(true)
      expect(outcome).toBe('refused deletion-is-final')
      expect(await fixture.shown(page.id)).toBe(null)
      expect(lines).toMatchObject([{ host, reason: 'deletion-is-final', type: wrap ? 'Announce' : 'Undo' }])
      await expect.poll(counted).toEqual([['deletion-is-final', 1]])
    })
    test('has no effect on a status that was not deleted here', async () => {
      const { page, outcome, lines, counted } = await undo(false)
      expect(outcome).toBe('done unchanged')
      expect((await fixture.shown(page.id))?.content).toContain('Topic')
      expect([lines, await counted()]).toEqual([[], []])
    })
  })

  test('an Update that a group announces by its id alone causes a fetch from the server of the status', async () => {
    const page = fixture.remote.addNote(fixture.vera, '<p>first</p>', { type: 'Note' })
    expect(await fixture.sendActivity(fixture.rita, 'Announce', page.id, { to: [PUBLIC] })).toBe('done')
    const updated = new Date(Date.now() + 60_000).toISOString()
    fixture.remote.publish(new URL(page.id).pathname, { ...page, content: '<p>second</p>', updated })
    const edit = makeActivity(fixture.vera, 'Update', { ...page, content: '<p>forged</p>', updated })
    fixture.remote.publish(new URL(edit.id).pathname, edit)
    expect(await fixture.sendActivity(fixture.rita, 'Announce', edit.id, { to: [PUBLIC] })).toBe('done edited')
    expect(await fixture.shown(page.id)).toMatchObject({ content: '<p>second</p>', reblogs_count: 1 })
  })

  test('interop 7.6 8.5 a comment on a Page or Video is a reply', async () => {
    const page = fixture.note(fixture.rita, { type: 'Page', name: 'Thread' })
    expect(await fixture.sendActivity(fixture.rita, 'Create', page)).toBe('done')
    const comment = fixture.note(fixture.vera, {
      inReplyTo: page.id,
      audience: `${fixture.remote.origin}/c/cats`,
      cc: [fixture.rita.id],
      distinguished: false,
    })
    expect(await fixture.sendActivity(fixture.vera, 'Create', comment)).toBe('done')
    const { id } = (await fixture.shown(page.id)) as { id: string }
    const { descendants } = await fixture.harness.call(showThread, { id }, fixture.bob)
    expect(descendants.map((it) => it.uri)).toEqual([comment.id])
  })

  test('interop 9.4 a reblogged status that arrives again is stored once', async () => {
    const object = fixture.remote.addNote(fixture.rita, '<p>many ways</p>')
    expect(await fixture.sendActivity(fixture.rita, 'Create', object)).toBe('done')
    const { id } = (await fixture.shown(object.id)) as { id: string }
    await fixture.harness.call(addReblog, { id }, fixture.bob)
    expect(await fixture.sendActivity(fixture.rita, 'Announce', object.id, { to: [PUBLIC] })).toBe('done')
    expect(await fixture.sendActivity(fixture.rita, 'Create', object)).toBe('done unchanged')
    expect(await fixture.harness.call(statusRecords, { uris: [object.id] })).toMatchObject({ records: [{ id }] })
  })

  test('I21 a concurrent delivery, reblog and look-up store one status', async () => {
    const object = fixture.remote.addNote(fixture.rita, '<p>at once</p>')
    await Promise.all([
      fixture.harness.deliver(fixture.remote, makeActivity(fixture.rita, 'Create', object), { as: fixture.rita }),
      fixture.harness.deliver(fixture.remote, makeActivity(fixture.rita, 'Create', object), { as: fixture.rita }),
      fixture.harness.deliver(fixture.remote, makeActivity(fixture.rita, 'Announce', object.id, { to: [PUBLIC] }), {
        as: fixture.rita,
      }),
    ])
    await fixture.harness.waitForIdle()
    const rows = await fixture.harness.db('statuses').rows(sql`select id from statuses where uri = ${object.id}`)
    expect(rows).toHaveLength(1)
  })
})

test('interop 7.14 no activity causes a 5xx response, which would stop the queue of its server', async () => {
  const whole = fixture.note(fixture.rita)
  const bad: unknown[] = [
    makeActivity(fixture.rita, 'Create', { ...whole, content: 7, to: 7, tag: 7, attachment: 7, url: 7, replies: 7 }),
    makeActivity(fixture.rita, 'Update', { ...whole, id: '' }),
    makeActivity(fixture.rita, 'Delete', {}),
    makeActivity(fixture.rita, 'Undo', { type: 'Undo', object: { type: 'Undo' } }),
    makeActivity(fixture.rita, 'Announce', ''),
    makeActivity(fixture.rita, 'Accept', 'nonsense'),
    makeActivity(fixture.rita, 'Flag', [] as never),
    makeActivity(fixture.rita, 'Move', fixture.rita.id, { target: 'nonsense' }),
    { ...makeActivity(fixture.rita, 'Like', fixture.post.uri), id: 7, actor: [7] },
  ]
  for (const activity of bad)
    expect(
      (await fixture.harness.deliver(fixture.remote, activity as Document, { as: fixture.rita })).status,
    ).toBeLessThan(500)
})

test('objects 6 an emoji with a newer image gets a new address, and old statuses keep the old one', async () => {
  // A fetch by https fails for now, so the emoji is not given up.
  const url = `${fixture.remote.origin.replace('http:', 'https:')}/emoji.png`
  const emojiOf = async (updated: string) => {
    const icon = { type: 'Image', mediaType: 'image/png', url }
    const tag = [{ id: `${url}#id`, type: 'Emoji', name: ':blob:', updated, icon }]
    const note = fixture.note(fixture.rita, { content: '<p>:blob:</p>', tag })
    expect(await fixture.sendActivity(fixture.rita, 'Create', note)).toBe('done')
    return async () => (await fixture.shown(note.id))?.emojis[0]?.url
  }
  const old = await emojiOf('2026-01-01T00:00:00Z')
  const same = await emojiOf('2026-01-01T00:00:00Z')
  const first = await old()
  expect(await same()).toBe(first)
  const other = await emojiOf('2026-02-01T00:00:00Z')
  expect(await other()).toMatch(/\/system\/cache\/p/)
  expect(await other()).not.toBe(first)
  expect(await old()).toBe(first)
})
