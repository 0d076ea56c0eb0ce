/** Every sample that is delivered, sent by a server of its own to a running one: the outcome of each, and the same twice. */
import { followCreate } from '@murmuration/contracts/accounts'
import { createStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleBytes, sampleNames, sampleSigner } from './samples.js'
import { startWorld, type World } from './world.js'

let world: World
let bob: Awaited<ReturnType<World['person']>>
const servers = new Map<string, RemoteServer>()
const actors = new Map<string, RemoteActor>()
/** Addresses in the samples and what they are here. */
const places: [string, string][] = []

const serverOf = async (host: string): Promise<RemoteServer> => {
  const known = servers.get(host)
  if (known) return known
  const server = await world.server()
  servers.set(host, server)
  places.push([`https://${host}`, server.origin])
  return server
}

/** Moves a fresh actor to the address it has in the samples. */
const actorAt = async (uri: string): Promise<RemoteActor> => {
  const known = actors.get(uri)
  if (known) return known
  const { host, pathname, search } = new URL(uri)
  const server = await serverOf(host)
  const name = `${pathname}${search}`.replace(/^.*[/@=]/, '') || 'root'
  const actor = await server.addActor(name)
  const id = `${server.origin}${uri.slice(`https://${host}`.length)}`
  const move = (text: string) => text.replaceAll(actor.id, id)
  const document = JSON.parse(move(JSON.stringify(actor.document))) as Document
  Object.assign(actor, {
    id,
    inbox: move(actor.inbox),
    outbox: move(actor.outbox),
    followers: move(actor.followers),
    keyId: move(actor.keyId),
    document,
  })
  server.publish(pathname, document)
  actors.set(uri, actor)
  return actor
}

/** Whom bob follows when the samples arrive. */
const followed = [
  'https://masto.example/users/alice',
  'https://misskey.example/users/9abc',
  'https://pleroma.example/users/pete',
  'https://akkoma.example/users/aki',
  'https://lemmy.example/c/cats',
  'https://gts.example/users/gus',
  'https://pix.example/users/pia',
  'https://wp.example/?author=1',
  'https://wp.example/@blog',
  'https://events.example/@group',
  'https://tube.example/video-channels/vic_channel',
  'https://book.example/user/bea',
  'https://forum.example/uid/1',
  'https://evil.example/users/mallory',
]

const follow = async (actor: RemoteActor, server: RemoteServer) => {
  await world.outcome(server, makeActivity(actor, 'Like', `${world.origin}/x`), { as: actor })
  const account = await world.account(actor.id)
  await world.call(followCreate, { id: account?.id ?? '' }, bob)
  await world.outcome(server, makeActivity(actor, 'Accept', { type: 'Follow', actor: bob.uri, object: actor.id }), {
    as: actor,
  })
}

const write = async (visibility: string) => {
  const { id } = await world.call(createStatus, { status: visibility, visibility }, bob)
  return (await world.call(statusRecords, { ids: [id] })).records[0]?.uri ?? ''
}

beforeAll(async () => {
  world = await startWorld()
  bob = await world.person('bob')
  for (const uri of followed) {
    const actor = await actorAt(uri)
    await follow(actor, await serverOf(new URL(uri).host))
  }
  const home = await actorAt('https://new.example/users/alice')
  const alice = await actorAt('https://masto.example/users/alice')
  Object.assign(home.document, { alsoKnownAs: [alice.id] })
  for (const host of ['third.example', 'tube.example', 'lemmy.example']) await serverOf(host)
  const local: [string, string][] = [
    ['https://local.example/users/bob/statuses/99', await write('public')],
    ['https://local.example/users/bob/statuses/101', await write('private')],
    ['https://local.example/users/bob', bob.uri],
    ['https://local.example', world.origin],
  ]
  places.unshift(...local)
  await actorAt('https://tube.example/accounts/vic')
  const tube = await serverOf('tube.example')
  tube.publish('/videos/watch/1', JSON.parse(adapted('t01-peertube-video-object')) as Document)
}, 300_000)
afterAll(() => world.stop())

const adapted = (name: string): string => {
  const text = Buffer.from(sampleBytes(name)).toString('utf8')
  return places.reduce((done, [from, to]) => done.replaceAll(from, to), text)
}

const outcomeOf = async (name: string): Promise<string> => {
  const uri = sampleSigner(name)
  const actor = await actorAt(uri)
  const server = await serverOf(new URL(uri).host)
  const body = adapted(name)
  const before = (await world.inboxRows()).length
  const { status } = await world.deliver(server, body, { as: actor })
  if (status !== 202) return String(status)
  await world.settle()
  const row = await world
    .db('federation')
    .row<{ outcome: string; reason: string | null; count: string }>(
      sql`select outcome, reason, (select count(*) from inbox_activities) as count from inbox_activities order by closed_at desc nulls last limit 1`,
    )
  return Number(row?.count) === before ? 'dropped' : [row?.outcome, row?.reason].filter(Boolean).join(' ')
}

/** Samples that come as documents, not as deliveries, or belong to relays. */
const documents = /^(m28|m33|k04|l05|t01|g03|b01|h13|y0[1-4])/
/** What ends something comes last. */
const rank = (name: string): number => ['m12', 'm22', 'm23', 'm24', 'm14'].indexOf(name.slice(0, 3))

/** What becomes of each sample; `dropped` proves nothing or says nothing we know, a number is the answer itself. */
const expected: Record<string, string> = {
  'e01-mobilizon-event': 'done',
  'f01-friendica-create-comment': 'done',
  'g01-gts-note-scalars': 'done',
  'g02-gts-accept-reply': 'refused never-asked',
  'g04-gts-multi-vote': 'ignored vote',
  'h01-object-on-other-host': 'refused object-on-another-origin',
  'h02-attributed-to-other': 'refused attributed-to-another',
  'h03-actor-not-signer': '401',
  'h04-update-other-actor': 'refused not-yours',
  'h05-delete-other-note': 'refused object-on-another-origin',
  'h06-undo-follow-of-other': 'refused not-yours',
  'h07-announce-of-private-local': 'ignored unknown-object',
  'h08-move-without-alias': 'refused no-alias',
  'h09-move-other-account': 'refused not-yours',
  'h10-prototype-keys': 'done',
  'h11-wrong-json-types': 'dropped',
  'h12-html-attack': 'done',
  'h14-graph-document': 'dropped',
  'h15-quote-stamp-wrong-host': 'done',
  'h16-future-and-ancient-dates': 'done',
  'k01-create-note-quote': 'done',
  'k02-like-custom-emoji': 'done',
  'k03-undo-like': 'done',
  'k05-announce-renote': 'done',
  'k06-flag-from-user': 'done',
  'k07-note-inlined-inreplyto': 'done',
  'l01-announce-create-page': 'ignored unknown-object',
  'l02-announce-page-direct': 'ignored unknown-object',
  'l03-announce-like': 'refused wrapped-activity',
  'l04-dislike': 'dropped',
  'l06-announce-delete-by-moderator': 'refused wrapped-activity',
  'l07-block-ban': 'ignored community-ban',
  'l08-comment-note': 'done',
  'm01-create-note-public': 'done',
  'm02-create-note-reply-mention-media': 'done',
  'm03-create-note-unlisted': 'done',
  'm04-create-note-private': 'done',
  'm05-create-direct': 'done',
  'm06-create-direct-addressed-not-mentioned': 'done',
  'm07-create-question': 'done',
  'm08-poll-vote': 'ignored vote',
  'm09-update-note-edit': 'done edited',
  'm10-update-note-stale': 'done unchanged',
  'm11-update-poll-tally': 'done unchanged',
  'm12-delete-note': 'done',
  'm13-delete-before-create': 'done unknown-object',
  'm14-delete-actor': 'done',
  'm15-announce': 'done',
  'm16-undo-announce': 'done',
  'm17-announce-own-private-inlined': 'done',
  'm18-follow': 'done',
  'm19-undo-follow': 'done',
  'm20-accept-follow': 'done unchanged',
  'm21-accept-follow-by-uri': 'refused never-asked',
  'm22-reject-follow': 'done',
  'm23-block': 'done',
  'm24-move': 'done',
  'm25-flag': 'done',
  'm26-quote-request': 'done',
  'm27-create-quote-with-stamp': 'done',
  'm29-delete-quote-authorization': 'done unknown-object',
  'm30-add-pin': 'ignored pins-are-not-kept',
  'm31-add-featured-tag': 'done',
  'm32-update-actor': 'done',
  'n01-nodebb-article': 'done',
  'p01-create-note-loose': 'done',
  'p02-emoji-react': 'done',
  'p03-undo-emoji-react-by-uri': 'done',
  'p04-chat-message': 'refused unsupported-type',
  'p05-follow-with-state': 'done',
  'p06-note-anonymous-emoji': 'done',
  'p07-delete-with-string-object': 'done',
  'r01-bookwyrm-review': 'refused unsupported-type',
  's01-mention-without-name': 'done',
  't02-peertube-announce': 'done',
  'w01-wordpress-article': 'done',
  'w02-wordpress-group-announce-update': 'ignored unknown-object',
  'x01-pixelfed-note': 'done',
}

test('T1 every delivered sample is in the table', () => {
  expect(sampleNames.filter((it) => !documents.test(it))).toEqual(Object.keys(expected).sort())
})

const inOrder = Object.keys(expected).sort((a, b) => rank(a) - rank(b))

test.each(inOrder)('%s', async (name) => {
  expect(await outcomeOf(name)).toBe(expected[name])
  const again = await outcomeOf(name)
  expect(['dropped', expected[name]]).toContain(again)
})

test('nothing is stuck, nothing is a dead letter, and nobody gained what is not theirs', async () => {
  expect(await world.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
  expect(await world.db('federation').rows(sql`select id from inbox_activities where outcome is null`)).toEqual([])
})
