/** Every sample payload, delivered to a running server, once and twice. */

import { readActor as readActorDocument } from '@murmuration/activitypub/vocabulary/read-actor'
import { listRelationships, resolveAccount } from '@murmuration/contracts/accounts'
import { fetchAuthorization, fetchKey, flagReceived } from '@murmuration/contracts/federation'
import { accountTimeline } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, type Seen, startFixture } from './sample-fixture.js'
import { sampleNames } from './samples.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())

const PUBLIC_POST = 'https://local.example/users/bob/statuses/99'
const PRIVATE_POST = 'https://local.example/users/bob/statuses/101'
const POLL = 'https://local.example/users/bob/statuses/100'
const ALICE = 'https://masto.example/users/alice'
const MALLORY = 'https://evil.example/users/mallory'

interface Case {
  readonly outcome: string
  /** Outcome of the second delivery, when it differs. */
  readonly again?: string
  /** Outcome of the third delivery, signed a second later, when its type may be repeated; `done unchanged` when absent. */
  readonly anew?: string
  readonly before?: () => Promise<unknown>
  /** Assertion after this number of different activities. */
  readonly then?: (letters: number) => Promise<void>
}
const done = (then?: Case['then'], more: Partial<Case> = {}): Case => ({
  outcome: 'done',
  again: 'dropped',
  ...(then ? { then } : {}),
  ...more,
})
const nothing = (outcome: string, then?: Case['then']): Case => ({ outcome, ...(then ? { then } : {}) })

/** The status is there and looks like this to bob. */
const shown =
  (uri: string, like: Record<string, unknown> = {}, more: (it: Seen) => void = () => {}) =>
  async () => {
    const status = await fixture.status(uri)
    expect(status).toMatchObject(like)
    more(status as Seen)
  }
const absent = (uri: string) => async () => expect(await fixture.status(uri)).toBeNull()
const account = async (uri: string) => fixture.harness.account(fixture.localUri(uri))
const relation = async (uri: string) => {
  const id = (await account(uri))?.id ?? ''
  const [found] = (await fixture.harness.call(
    listRelationships,
    { id: [id] } as never,
    fixture.bob,
  )) as unknown as Record<string, unknown>[]
  return found
}
const counts = (like: Record<string, number>, uri = PUBLIC_POST) => shown(uri, like)
const poll = (uri: string, like: Record<string, unknown>) => shown(uri, { poll: like })
const answers = (uri: string) => shown(uri, {}, (it) => expect(it.in_reply_to_account_id).toBe(fixture.bob.record.id))
/** Boosts of the account, as bob sees them. */
const boosts = async (uri: string): Promise<Seen[]> => {
  const id = (await account(uri))?.id ?? ''
  const page = (await fixture.harness.call(accountTimeline, { id } as never, fixture.bob)) as unknown as Seen[]
  return page.filter((it) => it.reblog !== null)
}
/** Content of the latest report. */
const flag = async (): Promise<{ comment: string; statusUris: string[] }> => {
  const row = await fixture.harness
    .db('federation')
    .row<{ data: string }>(
      sql`select data from outbox where subject = ${flagReceived.subject} order by id desc limit 1`,
    )
  const announced = JSON.parse(row?.data ?? '{}')
  return announced.data ?? announced
}
/** Publishes the document of a sample and sends an Update. Returns the stored account. */
const actorRead = async (name: string, uri: string, like: Record<string, unknown>) => {
  const actor = await fixture.actor(uri)
  const document = await fixture.document(name)
  Object.assign(actor, { keyId: (document.publicKey as Document).id })
  await fixture.publish(uri, document)
  await fixture.harness.call(resolveAccount, { uri: actor.id })
  const home = await fixture.server(new URL(uri).host)
  const update = makeActivity(actor, 'Update', document)
  expect(await fixture.harness.outcome(home, update, { as: actor })).toBe('done')
  expect(await account(uri)).toMatchObject(like)
}

/** Fetched, not delivered: `read` is the whole of it. */
const documents: Record<string, () => Promise<void>> = {
  'b01-bridge-actor': () =>
    actorRead('b01-bridge-actor', 'https://bridge.example/ap/did:plc:abc123', {
      username: 'sam.sky.example',
    }),
  'g03-gts-key-stub-object': async () => {
    const gus = await fixture.actor('https://gts.example/users/gus')
    const keyId = `${gus.id}/main-key`
    Object.assign(gus.document, { publicKey: { id: keyId, owner: gus.id, publicKeyPem: gus.publicKey } })
    await fixture.publish('https://gts.example/users/gus/main-key', await fixture.document('g03-gts-key-stub-object'))
    const { outcome, actor } = await fixture.harness.call(fetchKey, { keyId, fresh: true })
    expect([outcome, actor?.uri, actor?.keys.map((key) => key.id)]).toEqual(['ok', gus.id, [keyId]])
  },
  'h13-actor-with-bad-urls': async () => {
    const { publicKey: _publicKey, ...document } = await fixture.document('h13-actor-with-bad-urls')
    const read = readActorDocument({ ...document, publicKey: [] }, { fetched: true })
    expect(read).toEqual({ ok: false, reason: 'bad-inbox' })
    expect((await account(MALLORY))?.inbox_url).not.toContain('6379')
  },
  'k04-person': () => actorRead('k04-person', 'https://misskey.example/users/9abc', { username: 'kate', bot: false }),
  'l05-group-actor': () =>
    actorRead('l05-group-actor', 'https://lemmy.example/c/cats', { username: 'cats', group: true }),
  'm28-quote-authorization-object': async () => {
    const of = {
      stamp: 'https://third.example/stamps/1',
      status: `${ALICE}/statuses/27`,
      quoted: 'https://third.example/posts/5',
      quotedAuthor: 'https://third.example/users/tom',
    }
    const requestFollow = async (change: Partial<typeof of>) => {
      const asked = Object.fromEntries(
        Object.entries({ ...of, ...change }).map(([key, uri]) => [key, fixture.localUri(uri)]),
      )
      return fixture.harness.call(fetchAuthorization, asked as typeof of)
    }
    expect(await requestFollow({})).toEqual({ outcome: 'ok', unfit: false })
    for (const change of [
      { status: `${ALICE}/statuses/28` },
      { quoted: 'https://third.example/posts/6' },
      { quotedAuthor: ALICE },
    ])
      expect(await requestFollow(change)).toEqual({ outcome: 'refused', unfit: true })
    expect(await requestFollow({ stamp: 'https://third.example/stamps/none' })).toEqual({
      outcome: 'not-found',
      unfit: false,
    })
  },
  'm33-actor-suspended-object': () => actorRead('m33-actor-suspended-object', ALICE, { suspended: true }),
  't01-peertube-video-object': shown('https://tube.example/videos/watch/1', {
    content: expect.stringContaining('My film'),
  }),
}

const cases: Record<string, Case> = {
  'e01-mobilizon-event': done(shown('https://events.example/events/1', { content: expect.stringContaining('Dance') })),
  'f01-friendica-create-comment': done(answers('https://friendica.example/objects/1')),
  'g01-gts-note-scalars': done(
    shown('https://gts.example/users/gus/statuses/01H', {
      visibility: 'public',
      media_attachments: [{ description: 'alt text here' }],
      tags: [expect.anything()],
    }),
  ),
  'g02-gts-accept-reply': nothing('refused never-asked'),
  'g04-gts-multi-vote': done(poll(POLL, { voters_count: 1, options: [{ votes_count: 1 }, { votes_count: 1 }] })),
  'h01-object-on-other-host': nothing('403 object-on-another-origin'),
  'h02-attributed-to-other': nothing('403 attributed-to-another'),
  'h03-actor-not-signer': nothing('401'),
  'h04-update-other-actor': nothing('403 not-yours'),
  'h05-delete-other-note': nothing('refused object-on-another-origin'),
  'h06-undo-follow-of-other': nothing('403 not-yours'),
  'h07-announce-of-private-local': nothing('ignored unknown-object', counts({ reblogs_count: 0 }, PRIVATE_POST)),
  'h08-move-without-alias': nothing('refused no-alias', async () =>
    expect((await account(MALLORY))?.moved_to_id).toBeNull(),
  ),
  'h09-move-other-account': nothing('403 not-yours', async () =>
    expect((await account(ALICE))?.moved_to_id).toBeNull(),
  ),
  'h10-prototype-keys': done(async () => expect(({} as Record<string, unknown>).polluted).toBeUndefined()),
  'h11-wrong-json-types': nothing('422 bad-type'),
  'h12-html-attack': done(
    shown(`${MALLORY}/statuses/12`, {}, (it) =>
      expect(it.content).not.toMatch(/<(script|svg|iframe|form|style|input|img)|on\w+=|javascript:|evil"/),
    ),
  ),
  'h14-graph-document': nothing('422 reshaped'),
  'h15-quote-stamp-wrong-host': done(
    shown(`${MALLORY}/statuses/15`, {}, (it) => expect(JSON.stringify(it.quote)).not.toContain('accepted')),
  ),
  'h16-future-and-ancient-dates': done(
    shown(`${MALLORY}/statuses/16`, {}, (it) => {
      expect(Date.parse(String(it.created_at))).toBeLessThanOrEqual(Date.now() + 60_000)
      expect(Number(BigInt(it.id) >> 16n)).toBeLessThanOrEqual(Date.now() + 60_000)
    }),
  ),
  'k01-create-note-quote': done(
    shown('https://misskey.example/notes/9n1', { sensitive: true }, (it) => {
      expect(it.content).toContain('look')
      // The policy of the quoted status lets everyone quote it.
      expect(JSON.stringify(it.quote)).toContain('accepted')
    }),
  ),
  'k02-like-custom-emoji': done(counts({ favourites_count: 1 })),
  'k03-undo-like': done(counts({ favourites_count: 0 })),
  'k05-announce-renote': done(async () =>
    expect((await boosts('https://misskey.example/users/9abc'))[0]).toMatchObject({ visibility: 'unlisted' }),
  ),
  'k06-flag-from-user': done(async () => expect((await flag()).comment).toContain('rude')),
  'k07-note-inlined-inreplyto': done(answers('https://misskey.example/notes/9n3')),
  'l01-announce-create-page': done(async () =>
    expect((await boosts('https://lemmy.example/c/cats'))[0]).toMatchObject({
      reblog: { content: expect.stringContaining('A cat'), account: { username: 'lea' } },
    }),
  ),
  'l02-announce-page-direct': done(async () => expect(await boosts('https://lemmy.example/c/cats')).toHaveLength(1), {
    outcome: 'done unchanged',
  }),
  'l03-announce-like': nothing('refused wrapped-activity'),
  'l04-dislike': nothing('dropped', counts({ favourites_count: 0 })),
  'l06-announce-delete-by-moderator': nothing('refused object-still-there', shown('https://lemmy.example/post/1')),
  'l07-block-ban': nothing('ignored community-ban'),
  'l08-comment-note': done(shown('https://lemmy.example/comment/1', { language: null })),
  'm01-create-note-public': done(
    shown(`${ALICE}/statuses/1`, {
      visibility: 'public',
      language: 'en',
      content: '<p>hello fediverse</p>',
      media_attachments: [],
    }),
  ),
  'm02-create-note-reply-mention-media': done(
    shown(`${ALICE}/statuses/2`, {
      in_reply_to_account_id: expect.any(String),
      mentions: [{ username: 'bob' }],
      tags: [{ name: 'test' }],
      emojis: [{ shortcode: 'wave' }],
      media_attachments: [{ description: expect.any(String), blurhash: expect.any(String) }],
    }),
  ),
  'm03-create-note-unlisted': done(shown(`${ALICE}/statuses/3`, { visibility: 'unlisted' })),
  'm04-create-note-private': done(shown(`${ALICE}/statuses/4`, { visibility: 'private' })),
  'm05-create-direct': done(shown(`${ALICE}/statuses/5`, { visibility: 'direct', mentions: [{ username: 'bob' }] })),
  'm06-create-direct-addressed-not-mentioned': done(
    shown(`${ALICE}/statuses/6`, { visibility: 'direct', mentions: [] }),
  ),
  'm07-create-question': done(
    poll(`${ALICE}/statuses/7`, {
      multiple: false,
      voters_count: 4,
      options: [{ votes_count: 3 }, { votes_count: 1 }],
    }),
  ),
  'm08-poll-vote': done(poll(POLL, { voters_count: 2, options: [{ votes_count: 1 }, { votes_count: 2 }] })),
  'm09-update-note-edit': done(shown(`${ALICE}/statuses/1`, { edited_at: expect.any(String) }), {
    outcome: 'done edited',
  }),
  'm10-update-note-stale': done(
    shown(`${ALICE}/statuses/1`, {}, (it) => expect(it.content).not.toContain('stale')),
    { outcome: 'done unchanged' },
  ),
  'm11-update-poll-tally': done(
    shown(`${ALICE}/statuses/7`, { edited_at: null, poll: { options: [{ votes_count: 5 }, { votes_count: 2 }] } }),
    { outcome: 'done refreshed' },
  ),
  'm12-delete-note': done(absent(`${ALICE}/statuses/1`)),
  'm13-delete-before-create': done(absent(`${ALICE}/statuses/77`), { outcome: 'done unknown-object' }),
  'm14-delete-actor': done(async () => expect(await account(ALICE)).toBeNull()),
  'm15-announce': done(async () => expect(await boosts(ALICE)).toHaveLength(1)),
  'm16-undo-announce': done(async () => expect(await boosts(ALICE)).toHaveLength(0)),
  'm17-announce-own-private-inlined': done(async () =>
    expect((await boosts(ALICE))[0]).toMatchObject({
      visibility: 'private',
      reblog: { content: '<p>hello fediverse</p>' },
    }),
  ),
  'm18-follow': done(
    async (letters) => {
      expect(await relation(ALICE)).toMatchObject({ followed_by: true })
      const sent = (await fixture.server('masto.example')).inbox.all.map((one) => one.activity)
      // A repeated request means that its answer did not arrive.
      expect(sent.filter((it) => it.type === 'Accept')).toHaveLength(letters)
    },
    { anew: 'done' },
  ),
  'm19-undo-follow': done(async () => expect(await relation(ALICE)).toMatchObject({ followed_by: false })),
  'm20-accept-follow': done(async () => expect(await relation(ALICE)).toMatchObject({ following: true }), {
    before: () => fixture.requestFollow(ALICE),
  }),
  'm21-accept-follow-by-uri': done(async () => expect(await relation(ALICE)).toMatchObject({ following: true }), {
    before: () => fixture.requestFollow(ALICE),
  }),
  'm22-reject-follow': done(async () =>
    expect(await relation(ALICE)).toMatchObject({ following: false, requested: false }),
  ),
  'm23-block': done(async () =>
    expect(await relation(ALICE)).toMatchObject({ following: false, followed_by: false, blocked_by: true }),
  ),
  'm24-move': done(
    async () => {
      expect((await account(ALICE))?.moved_to_id).toBe((await account('https://new.example/users/alice'))?.id)
      expect(await relation('https://new.example/users/alice')).toMatchObject({ requested: true })
    },
    { before: () => fixture.follow(ALICE) },
  ),
  'm25-flag': done(async () =>
    expect(await flag()).toMatchObject({ comment: 'spam', statusUris: [fixture.localUri(PUBLIC_POST)] }),
  ),
  'm26-quote-request': done(async () => {
    const sent = (await fixture.server('masto.example')).inbox.all.map((one) => one.activity)
    expect(sent.filter((it) => it.type === 'Accept' && it.result)).toHaveLength(1)
    await shown(`${ALICE}/statuses/26`, { quote: { state: 'accepted' } })()
  }),
  'm27-create-quote-with-stamp': done(shown(`${ALICE}/statuses/27`, { quote: { state: 'accepted' } })),
  'm29-delete-quote-authorization': done(
    shown(`${ALICE}/statuses/27`, { quote: { state: 'revoked', quoted_status: null } }),
  ),
  'm30-add-pin': done(shown(`${ALICE}/statuses/1`)),
  'm31-add-featured-tag': done(undefined, { anew: 'done' }),
  'm32-update-actor': done(async () => expect(await account(ALICE)).toMatchObject({ display_name: 'Alice' }), {
    // Keys and handle count only from the actor's own server, so the actor is fetched from there.
    before: async () => {
      const { object } = (await fixture.document('m32-update-actor')) as { object: Document }
      const { publicKey } = (await fixture.actor(ALICE)).document
      await fixture.publish(ALICE, { '@context': 'https://www.w3.org/ns/activitystreams', ...object, publicKey })
    },
  }),
  'n01-nodebb-article': done(shown('https://forum.example/post/1', { content: expect.stringContaining('Welcome') })),
  'p01-create-note-loose': done(shown('https://pleroma.example/objects/1', { spoiler_text: '', sensitive: false })),
  'p02-emoji-react': done(counts({ favourites_count: 1 })),
  'p03-undo-emoji-react-by-uri': done(counts({ favourites_count: 0 })),
  'p04-chat-message': nothing('refused unsupported-type'),
  'p05-follow-with-state': done(
    async () => expect(await relation('https://pleroma.example/users/pete')).toMatchObject({ followed_by: true }),
    { anew: 'done' },
  ),
  'p06-note-anonymous-emoji': done(shown('https://akkoma.example/objects/6', { emojis: [{ shortcode: 'fox' }] })),
  'p07-delete-with-string-object': done(absent('https://pleroma.example/objects/1')),
  'r01-bookwyrm-review': nothing('refused unsupported-type'),
  's01-mention-without-name': done(shown('https://friends.example/posts/1', { mentions: [{ username: 'bob' }] })),
  't02-peertube-announce': done(async () =>
    expect((await boosts('https://tube.example/video-channels/vic_channel'))[0]).toMatchObject({
      reblog: { account: { username: 'vic' } },
    }),
  ),
  'w01-wordpress-article': done(shown('https://wp.example/?p=148', { content: expect.stringContaining('My post') })),
  'w02-wordpress-group-announce-update': nothing('ignored unknown-object', absent('https://wp.example/a')),
  'x01-pixelfed-note': done(
    shown('https://pix.example/p/pia/1', { media_attachments: [expect.anything()], tags: [expect.anything()] }),
  ),
  'y01-relay-accept': done(undefined, { before: () => fixture.addRelay('https://relay.example/inbox'), anew: 'done' }),
  'y02-relay-forwarded-create-unsigned': nothing(
    'dropped',
    shown(`${ALICE}/statuses/30`, { content: '<p>as it lives</p>' }),
  ),
  'y03-relay-announce': done(shown(`${ALICE}/statuses/31`, { reblogs_count: 0 }), {
    outcome: 'done relayed',
    anew: 'done relayed',
  }),
  'y04-litepub-relay-follow': done(undefined, {
    before: () => fixture.addRelay('https://pleroma.example/relay'),
    anew: 'done',
  }),
}

test('T1 every sample is in the table', () => {
  expect([...Object.keys(cases), ...Object.keys(documents)].sort()).toEqual([...sampleNames])
  expect(sampleNames).toHaveLength(90)
})

/** Samples that end something are sent last. */
const last = ['m12-delete-note', 'm22-reject-follow', 'm24-move', 'm23-block']
const inOrder = [
  ...Object.keys(cases)
    .filter((name) => !last.includes(name) && name !== 'm14-delete-actor')
    .sort(),
  ...last,
  ...Object.keys(documents),
  'm14-delete-actor',
]

/** Types whose handlers look at what is there already. */
const redelivered = new Set('Follow Like EmojiReact Announce Block Undo Accept Reject Add Remove'.split(' '))

/** When the last activity was signed: each sample is signed after the one before it. */
let signedAt = new Date(0)

test.each(inOrder)('%s', async (name) => {
  const it = cases[name]
  if (it === undefined) return documents[name]?.()
  await it.before?.()
  const now = new Date(Math.max(Date.now(), signedAt.getTime() + 1_000))
  signedAt = new Date(now.getTime() + 1_000)
  expect(await fixture.deliver(name, now)).toBe(it.outcome)
  await it.then?.(1)
  // The repeated request changes nothing.
  const again = it.again ?? it.outcome
  expect(await fixture.deliver(name, now)).toBe(again)
  await it.then?.(1)
  // A repeatable type is processed once more in another activity, and changes nothing.
  const { type } = await fixture.document(name)
  const isSaidAgain = again === 'dropped' && it.outcome !== 'dropped' && redelivered.has(String(type))
  const anew = isSaidAgain ? (it.anew ?? 'done unchanged') : again
  expect(await fixture.deliver(name, signedAt)).toBe(anew)
  await it.then?.(2)
})

test('nothing is stuck, nothing is a dead letter', async () => {
  const db = fixture.harness.db('federation')
  expect(await db.rows(sql`select reason from dead_letters`)).toEqual([])
  expect(await db.rows(sql`select id from inbox_activities where outcome is null`)).toEqual([])
})
