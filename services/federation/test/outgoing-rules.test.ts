/**
 * Compares all that this server sends with the strictest receivers: rules O1 to O31 of the interoperability facts. The rows
 * `interop <section>.<row>` state how other servers read it.
 */
import {
  createBlock,
  createCollection,
  createFollow,
  removeFollow,
  updateCollection,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import { createEmoji } from '@murmuration/contracts/media'
import {
  addFavourite,
  addPin,
  addReblog,
  createStatus,
  deleteStatus,
  editStatus,
  removeFavourite,
  statusRecords,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, PUBLIC } from '@murmuration/testkit/outside/remote-actor'
import type { Delivery } from '@murmuration/testkit/outside/remote-server'
import { verifySigned } from '@murmuration/testkit/outside/signing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

const ACTIVITY = 'application/activity+json'
const AS = 'https://www.w3.org/ns/activitystreams'
/** One transparent pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

type Json = Record<string, unknown>
interface Status {
  id: string
  uri: string
}

let fixture: Fixture
let deliveries: Delivery[]
const posts: Record<string, Status> = {}
/** A collection of accounts. */
let kept: Status
/** Public documents, by address. */
const documents = new Map<string, Json>()
let key: string

const get = (url: string) => fetch(url, { headers: { accept: ACTIVITY }, redirect: 'manual' })
const read = async (url: string): Promise<Json> => (await get(url)).json() as Promise<Json>

/** All actions of a local account that cause activities. */
const doEverything = async () => {
  const { harness, bob, rita, vera, write, sendActivity, note, shown } = fixture
  await harness.call(createEmoji, { shortcode: 'flock', image: DOT })
  await harness.call(
    updateCredentials,
    {
      display_name: 'Bob :flock: <b>',
      note: 'I am <b>bob</b> #birds',
      fields_attributes: [{ name: 'Site', value: 'in the woods' }],
      discoverable: true,
    },
    bob,
  )
  await sendActivity(rita, 'Follow', bob.uri)
  const theirs = note(rita)
  await sendActivity(rita, 'Create', theirs)
  const foreign = (await shown(theirs.id)) as Status
  // A handle on loopback has a port, which nobody can type.
  await harness.db('accounts').run(sql`update accounts set domain = 'remote.example' where uri = ${rita.id}`)
  const known = { mention: '@rita@remote.example' }
  posts.public = await write({
    status: `Fly :flock: #birds ${known.mention} https://bob.example/a/very/long/path/that/is/cut/somewhere/in/the/middle`,
    language: 'en',
    spoiler_text: 'a <warning>',
  })
  posts.unlisted = await write({ status: 'quiet', visibility: 'unlisted' })
  posts.private = await write({ status: `${known.mention} for followers`, visibility: 'private' })
  posts.reply = await write({ status: `${known.mention} yes`, in_reply_to_id: foreign.id })
  posts.direct = await write({ status: `${known.mention} psst`, in_reply_to_id: foreign.id, visibility: 'direct' })
  posts.poll = await write({ status: 'which?', poll: { options: ['<Red>', 'Blue'], expires_in: 3_600 } })
  posts.quote = await write({ status: 'look', quoted_status_id: posts.public.id })
  await harness.waitForIdle()
  await harness.call(editStatus, { id: posts.unlisted.id, status: 'quieter' } as never, bob)
  await harness.waitForIdle()
  await harness.call(editStatus, { id: posts.unlisted.id, status: 'quietest' } as never, bob)
  await harness.call(addReblog, { id: foreign.id }, bob)
  await harness.call(addFavourite, { id: foreign.id }, bob)
  await harness.waitForIdle()
  await harness.call(removeFavourite, { id: foreign.id }, bob)
  await harness.call(addPin, { id: posts.public.id }, bob)
  const birds = { name: 'Birds', description: 'They <sing>', tag_name: 'birds', language: 'en' }
  const { collection } = await harness.call(createCollection, { ...birds, account_ids: [bob.id] } as never, bob)
  await harness.waitForIdle()
  await harness.call(updateCollection, { id: collection.id, name: 'Owls' }, bob)
  kept = collection
  const gone = await write({ status: 'gone soon' })
  await harness.waitForIdle()
  await harness.call(deleteStatus, { id: gone.id }, bob)
  posts.gone = gone
  const account = await harness.account(vera.id)
  if (account) await harness.call(createBlock, { id: account.id }, bob)
  const followed = (await harness.account(rita.id))?.id ?? ''
  await harness.waitForIdle()
  await harness.call(removeFollow, { id: followed }, bob)
  await harness.waitForIdle()
  await harness.call(createFollow, { id: followed }, bob)
  await harness.waitForIdle()
}

beforeAll(async () => {
  fixture = await startFixture()
  await fixture.sendActivity(fixture.vera, 'Like', `${fixture.harness.origin}/x`)
  await doEverything()
  deliveries = fixture.remote.inbox.all as Delivery[]
  const { bob } = fixture
  const open = ['public', 'unlisted', 'reply', 'poll', 'quote'].map((name) => posts[name]?.uri ?? '')
  const tails = ['', '/outbox', '/outbox?page=true', '/followers', '/followers?page=1', '/following']
  for (const url of [
    ...tails.map((tail) => `${bob.uri}${tail}`),
    `${bob.uri}/collections/featured`,
    `${bob.uri}/collections/tags`,
    `${bob.uri}/featured_collections`,
    kept.uri,
    ...open,
    ...open.map((uri) => `${uri}/activity`),
    ...open.map((uri) => `${uri}/replies`),
    ...open.map((uri) => `${uri}/likes`),
    `${fixture.harness.origin}/actor`,
    `${fixture.harness.origin}/actor/outbox`,
  ])
    documents.set(url, await read(url))
  const actor = documents.get(bob.uri) as { publicKey: { publicKeyPem: string } }
  key = actor.publicKey.publicKeyPem
})
afterAll(() => fixture.harness.stop())

const activities = () => deliveries.map((one) => one.activity as Json)
const ofType = (type: string) => activities().filter((it) => it.type === type)
const all = (): [string, Json][] => [
  ...documents,
  ...activities().map((it): [string, Json] => [`delivered ${it.type} ${it.id}`, it]),
]
const nodesIn = (value: unknown): Json[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, it]) => (name === '@context' ? [] : nodesIn(it)))
  return Array.isArray(value) ? inside : [value as Json, ...inside]
}
/** Every node of every document, with its path. */
const nodes = (): [string, Json][] =>
  all().flatMap(([where, it]) => nodesIn(it).map((node): [string, Json] => [where, node]))
const notes = () => nodes().filter(([, it]) => (it.type === 'Note' || it.type === 'Question') && it.attributedTo)
const tagsOf = (type: string) => nodes().filter(([, it]) => it.type === type)
const list = (value: unknown): Json[] => value as Json[]
const hostOf = (url: unknown) => new URL(String(url)).host

test('S-028 there are activities of every type to check', () => {
  expect(new Set(activities().map((it) => it.type))).toEqual(
    new Set(['Accept', 'Announce', 'Block', 'Create', 'Delete', 'Follow', 'Like', 'Undo', 'Update', 'Add']),
  )
  expect([...documents.values()].every((it) => it['@context'])).toBe(true)
  expect(notes().length).toBeGreaterThan(20)
})

describe('T2 rules for all outgoing activities', () => {
  test('O1 interop 4.22 every activity has a unique id on its actor’s host, and one body', () => {
    const bodies = new Map<string, string>()
    for (const activity of activities()) {
      expect(hostOf(activity.id)).toBe(hostOf(activity.actor))
      const body = JSON.stringify(activity)
      expect(bodies.get(String(activity.id)) ?? body).toBe(body)
      bodies.set(String(activity.id), body)
    }
  })

  test('O2 every type is one text', () => {
    for (const [where, node] of nodes())
      if ('type' in node) expect([where, typeof node.type]).toEqual([where, 'string'])
  })

  test('O3 interop 5.8 lists are lists, the public collection has its full form, and bto and bcc are absent', () => {
    for (const [where, node] of nodes()) {
      for (const name of ['to', 'cc', 'tag', 'attachment', 'alsoKnownAs'])
        if (name in node) expect([where, name, Array.isArray(node[name])]).toEqual([where, name, true])
      expect(['bto' in node, 'bcc' in node]).toEqual([false, false])
    }
    expect(JSON.stringify(all())).not.toMatch(/"(as:)?Public"/)
  })

  test('O4 interop 5.2 ActivityStreams is first in the context, and every other term is defined', () => {
    const standard =
      /^(@context|id|type|actor|object|target|to|cc|published|updated|name|summary|summaryMap|content|contentMap|url|href|mediaType|icon|image|attachment|tag|attributedTo|inReplyTo|context|replies|likes|shares|first|last|next|prev|partOf|items|orderedItems|totalItems|inbox|outbox|followers|following|preferredUsername|endpoints|sharedInbox|publicKey|owner|publicKeyPem|oneOf|anyOf|endTime|closed|width|height|webfinger|assertionMethod|controller|publicKeyMultibase|result|instrument|proof|signature|[a-z]{2})$/
    for (const [where, document] of all()) {
      const context = document['@context'] as unknown[]
      expect([where, context[0]]).toEqual([where, AS])
      const terms = new Set(context.flatMap((it) => (typeof it === 'object' ? Object.keys(it as object) : [])))
      const used = new Set(nodesIn({ ...document, proof: undefined, signature: undefined }).flatMap(Object.keys))
      expect([where, [...used].filter((it) => !standard.test(it) && !terms.has(it))]).toEqual([where, []])
    }
  })

  test('O5 interop 3.1 7.15 published objects are embedded, and attributed to the actor', () => {
    for (const type of ['Create', 'Update'])
      for (const activity of ofType(type)) {
        const object = activity.object as Json
        expect(object.type).toMatch(/^(Note|Question|Person|Service|FeaturedCollection)$/)
        if (object.type === 'Note' || object.type === 'FeaturedCollection')
          expect([object.attributedTo, hostOf(object.id)]).toEqual([activity.actor, hostOf(activity.actor)])
      }
  })

  test('O6 interop 4.12 4.14 all local addresses are on one host', () => {
    const host = hostOf(fixture.harness.origin)
    const own = [
      'id',
      'url',
      'attributedTo',
      'inbox',
      'outbox',
      'followers',
      'following',
      'sharedInbox',
      'featured',
      'featuredTags',
      'owner',
    ]
    for (const [where, it] of documents)
      for (const node of [it, ...nodesIn([it.endpoints, it.publicKey])])
        for (const name of own)
          if (typeof node[name] === 'string') expect([where, name, hostOf(node[name])]).toEqual([where, name, host])
  })

  test('O7 O9 interop 5.14 the user name is plain, and the key id has a fragment of the actor id', async () => {
    const actor = documents.get(fixture.bob.uri) as { preferredUsername: string; publicKey: Record<string, string> }
    expect(actor.preferredUsername).toMatch(/^[A-Za-z0-9_]+([A-Za-z0-9_.-]+[A-Za-z0-9_]+)?$/)
    expect(actor.publicKey.id).toBe(`${fixture.bob.uri}#main-key`)
    expect(actor.publicKey.publicKeyPem).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\s\S]+-----END PUBLIC KEY-----\n$/)
    expect((await read(String(actor.publicKey.id).replace(/#.*/, ''))).publicKey).toEqual(actor.publicKey)
  })

  test('O8 an id returns its document: 200, no redirect, the same id', async () => {
    for (const url of [fixture.bob.uri, posts.public?.uri ?? '', `${fixture.harness.origin}/actor`]) {
      const answer = await get(url)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `${ACTIVITY}; charset=utf-8`])
      expect(((await answer.json()) as Json).id).toBe(url)
    }
  })

  test('O10 times are in UTC with milliseconds, and recent', () => {
    for (const [where, node] of nodes())
      for (const name of ['published', 'updated', 'endTime', 'closed'])
        if (name in node)
          expect([where, node[name]]).toEqual([
            where,
            expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          ])
  })

  test('O11 a reply names a parent that its recipient can fetch', async () => {
    const parents = notes().flatMap(([, it]) => (it.inReplyTo === null ? [] : [String(it.inReplyTo)]))
    expect(parents.length).toBeGreaterThan(0)
    for (const parent of parents)
      if (parent.startsWith(fixture.harness.origin)) expect((await get(parent)).status).toBe(200)
      else expect(hostOf(parent)).toBe(hostOf(fixture.remote.origin))
  })

  test('O12 O13 interop 4.5 4.19 9.4 addressed accounts are mentioned by full handle and id; a direct status has only these', () => {
    for (const [where, it] of notes()) {
      const accounts = [...(it.to as string[]), ...(it.cc as string[])].filter(
        (one) => one !== PUBLIC && !one.endsWith('/followers'),
      )
      const mentioned = list(it.tag).filter((one) => one.type === 'Mention')
      expect([where, mentioned.map((one) => one.href).sort()]).toEqual([where, accounts.sort()])
      for (const one of mentioned) expect(one.name).toBe('@rita@remote.example')
    }
    const direct = notes().find(([, it]) => it.id === posts.direct?.uri)?.[1]
    expect([direct?.to, direct?.cc]).toEqual([[fixture.rita.id], []])
  })

  test('O14 O15 hashtags and emoji', () => {
    expect(tagsOf('Hashtag').length).toBeGreaterThan(0)
    for (const [, it] of tagsOf('Hashtag'))
      expect([String(it.name)[0], hostOf(it.href)]).toEqual(['#', hostOf(fixture.harness.origin)])
    expect(tagsOf('Emoji').length).toBeGreaterThan(0)
    for (const [, it] of tagsOf('Emoji'))
      expect(it).toMatchObject({
        id: expect.stringContaining('http'),
        name: ':flock:',
        updated: expect.any(String),
        icon: { type: 'Image', mediaType: 'image/png', url: expect.stringContaining('http') },
      })
  })

  test('O16 O17 interop 3.15 5.17 a quote has all its properties, and a link in the text', () => {
    const quote = documents.get(posts.quote?.uri ?? '')
    const uri = posts.public?.uri
    expect(quote).toMatchObject({ quote: uri, _misskey_quote: uri, quoteUri: uri, quoteUrl: uri })
    expect(quote?.content).toMatch(/<p class="quote-inline">RE: <a /)
    expect(documents.get(posts.public?.uri ?? '')).toMatchObject({
      interactionPolicy: { canQuote: { automaticApproval: expect.any(Array) } },
    })
  })

  test('O18 interop 3.7 8.10 every delivery is signed over all headers that servers require, with one digest, the older scheme first', () => {
    for (const delivery of deliveries) {
      expect(delivery.headers['signature-input']).toBe(undefined)
      expect(String(delivery.headers.digest)).toMatch(/^SHA-256=[^,]+$/)
      const result = verifySigned(delivery, key, fixture.remote.origin)
      expect(result.covered).toEqual(expect.arrayContaining(['(request-target)', 'host', 'date', 'digest']))
      expect(result.covered).not.toEqual(expect.arrayContaining(['user-agent']))
      expect(delivery.headers['content-type']).toBe(ACTIVITY)
    }
  })

  test('O19 all documents are below the size limits of servers', () => {
    for (const delivery of deliveries) expect(delivery.body.length).toBeLessThan(65_536)
  })

  test('O20 the Undo contains the activity as it was sent', () => {
    const undone = ofType('Undo').map((it) => it.object as Json)
    expect(undone.map((it) => it.type).sort()).toEqual(['Follow', 'Like'])
    for (const inner of undone)
      expect(activities().find((it) => it.id === inner.id)).toMatchObject({
        type: inner.type,
        actor: inner.actor,
        object: inner.object,
      })
  })

  test('O21 an Accept contains the Follow as received', () => {
    expect(ofType('Accept')[0]?.object).toMatchObject({
      type: 'Follow',
      actor: fixture.rita.id,
      object: fixture.bob.uri,
      id: expect.stringContaining(fixture.rita.id),
    })
  })

  test('O22 interop 3.13 4.7 an Update contains the whole status, with a later time and the same id', () => {
    const edits = ofType('Update').filter((it) => (it.object as Json).id === posts.unlisted?.uri)
    const times = edits.map((it) => String((it.object as Json).updated))
    expect(edits.length).toBe(2)
    expect([...times].sort()).toEqual(times)
    for (const { object } of edits)
      expect(object).toMatchObject({ type: 'Note', content: expect.any(String), published: expect.any(String) })
    expect(ofType('Delete').map((it) => (it.object as Json).id)).toEqual([posts.gone?.uri])
  })

  test('O23 interop 4.8 a Delete has a Tombstone, is public, and its id is not used again', () => {
    expect(ofType('Delete')).toMatchObject([
      { to: [PUBLIC], object: { id: posts.gone?.uri, type: 'Tombstone', atomUri: posts.gone?.uri } },
    ])
    const end = activities().findIndex((it) => it.type === 'Delete')
    expect(
      activities()
        .slice(end)
        .filter((it) => it.type === 'Create' && (it.object as Json).id === posts.gone?.uri),
    ).toEqual([])
  })

  test('O25 O26 the actor is found by handle and by id, and its page is on its own host', async () => {
    const host = hostOf(fixture.harness.origin)
    for (const resource of [`acct:bob@${host}`, fixture.bob.uri]) {
      const jrd = await read(`${fixture.harness.origin}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)
      expect(jrd).toMatchObject({ subject: `acct:bob@${host}` })
      expect(list(jrd.links).find((it) => it.rel === 'self')).toEqual({
        rel: 'self',
        type: ACTIVITY,
        href: fixture.bob.uri,
      })
    }
  })

  test('O30 names and content warnings are text, biographies and contents are HTML with few elements', () => {
    for (const [where, node] of nodes()) {
      if (typeof node.name === 'string' && node.type !== 'Note')
        expect([where, node.name]).not.toEqual([where, expect.stringMatching(/&lt;|&amp;/)])
      if (typeof node.content === 'string')
        expect([
          where,
          node.content.replaceAll(
            /<\/?(p|br|a|span|strong|em|b|i|u|del|s|code|pre|blockquote|ul|ol|li)( [^<>]*)?\/?>/g,
            '',
          ),
        ]).toEqual([where, expect.not.stringMatching(/<[a-z/]/i)])
    }
    // A word joiner keeps servers that read HTML from taking the word for an element.
    expect(documents.get(posts.public?.uri ?? '')?.summary).toBe('a <\u2060warning>')
    expect(documents.get(fixture.bob.uri)?.name).toBe('Bob :flock: <b>')
    expect(documents.get(fixture.bob.uri)?.summary).toMatch(/^<p>/)
    expect(list(documents.get(posts.poll?.uri ?? '')?.oneOf).map((it) => it.name)).toEqual(['<Red>', 'Blue'])
  })
})

describe('how other servers parse it', () => {
  test('interop 3.2 9.6 only followers and mentioned accounts receive a status', async () => {
    const { harness, write, remote } = fixture
    const ann = await harness.createAccount('ann')
    await write({ status: 'to nobody in particular' }, ann)
    await harness.waitForIdle()
    expect(remote.inbox.all.filter(({ body }) => String(body).includes('to nobody in particular'))).toEqual([])
  })

  test('interop 3.11 content has only elements that all servers show', () => {
    const html = notes()
      .map(([, it]) => String(it.content))
      .join('')
    expect(new Set([...html.matchAll(/<([a-z0-9]+)/g)].map((it) => it[1]))).toEqual(new Set(['p', 'a', 'span']))
    expect(html).toMatch(/<span class="h-card" translate="no"><a href="[^"]+" class="u-url mention"/)
    expect(html).toMatch(/class="mention hashtag" rel="tag"/)
    expect(html).toMatch(/class="invisible"/)
  })

  test('interop 3.12 more media than other servers show are refused', async () => {
    const media_ids = ['1', '2', '3', '4', '5']
    await expect(
      fixture.harness.call(createStatus, { status: 'x', media_ids } as never, fixture.bob),
    ).rejects.toMatchObject({
      code: expect.any(String),
    })
  })

  test('interop 5.13 texts that other servers refuse for their length are refused here', async () => {
    await expect(fixture.write({ status: 'x'.repeat(100_001) })).rejects.toThrow(/Text character limit of \d+ exceeded/)
  })

  test('interop 3.14 likes and shares have counts, never accounts', () => {
    for (const [url, document] of documents)
      if (url.endsWith('/likes')) expect(Object.keys(document).sort()).toEqual(['@context', 'id', 'totalItems', 'type'])
  })

  test('interop 5.7 7.8 a reply keeps the conversation of its parent, and mentions its author', async () => {
    const { note, sendActivity, rita, shown, write, remote } = fixture
    const context = `${remote.origin}/contexts/77`
    const parent = note(rita, { context, conversation: context, cc: [fixture.bob.uri] })
    await sendActivity(rita, 'Create', parent)
    const { id } = (await shown(parent.id)) as Status
    const answer = await write({ status: '@rita@remote.example me too', in_reply_to_id: id })
    expect(await read(answer.uri)).toMatchObject({
      context,
      conversation: context,
      inReplyTo: parent.id,
      to: [PUBLIC],
      cc: expect.arrayContaining([rita.id]),
      tag: [{ type: 'Mention', href: rita.id }],
    })
  })

  test('interop 7.8 7.9 a status in a group is addressed to its followers, and sent to its inbox', async () => {
    const { harness, remote, sendActivity, write } = fixture
    const cats = await remote.addActor('cats', { type: 'Group', endpoints: {} })
    await sendActivity(cats, 'Like', `${harness.origin}/x`)
    await harness.db('accounts').run(sql`update accounts set domain = 'groups.example' where uri = ${cats.id}`)
    const post = await write({ status: '@cats@groups.example A title\n\nand words' })
    await harness.waitForIdle()
    expect(await read(post.uri)).toMatchObject({
      to: [PUBLIC],
      cc: [`${fixture.bob.uri}/followers`, cats.id, cats.followers],
      tag: [{ type: 'Mention', href: cats.id, name: '@cats@groups.example' }],
    })
    const received = () =>
      remote.inbox.all.filter((it) => it.path === '/users/cats/inbox').map((it) => it.activity.type)
    await expect.poll(received).toContain('Create')
    const shy = await write({ status: '@cats@groups.example psst', visibility: 'direct' })
    await harness.waitForIdle()
    const sent = () => remote.inbox.all.find((it) => it.activity.id === `${shy.uri}/activity`)?.activity
    await expect.poll(() => [sent()?.to, sent()?.cc]).toEqual([[cats.id], []])
  })

  test('interop 6.2 without a shared inbox each follower gets a delivery, with one a server gets one', async () => {
    const { harness, remote, bob, write, sendActivity } = fixture
    const lone = await Promise.all(['gus', 'gia'].map((name) => remote.addActor(name, { endpoints: {} })))
    for (const actor of lone) await sendActivity(actor, 'Follow', bob.uri)
    await harness.waitForIdle()
    const status = await write({ status: 'for all' })
    await harness.waitForIdle()
    const got = () => remote.inbox.all.filter((it) => it.activity.id === `${status.uri}/activity`).map((it) => it.path)
    await expect.poll(() => got().sort()).toEqual(['/inbox', '/users/gia/inbox', '/users/gus/inbox'])
  })

  test('interop 9.8 an inbox may have any path on its host, and be slow', async () => {
    const { harness, remote, bob, write, sendActivity } = fixture
    const path = '/wp-json/activitypub/1.0/inbox'
    const wp = await remote.addActor('wp', { endpoints: { sharedInbox: `${remote.origin}${path}` } })
    remote.behave({ kind: 'status', status: 202 }, { method: 'POST', path })
    await sendActivity(wp, 'Follow', bob.uri)
    const { uri } = await write({ status: 'hello blog' })
    await harness.waitForIdle()
    const isDelivered = ({ method, path: asked, body }: (typeof remote.requests.all)[number]) =>
      method === 'POST' && asked === path && body.includes(`"${uri}/activity"`)
    // A delivery that waits for its host is in no queue of the bus.
    await expect.poll(() => remote.requests.all.filter(isDelivered).length).toBe(1)
    remote.repair()
  })

  test('interop 8.7 9.3 public documents are served to every client, and followers-only ones to followers', async () => {
    expect((await get(posts.public?.uri ?? '')).status).toBe(200)
    const { remote, rita, vera } = fixture
    expect((await get(posts.private?.uri ?? '')).status).toBe(404)
    expect((await remote.fetch(posts.private?.uri ?? '', { as: vera })).status).toBe(404)
    expect((await remote.fetch(posts.private?.uri ?? '', { as: rita })).status).toBe(200)
  })

  test('O29 interop 4.17 6.7 an inbox responds before the objects of the activity are fetched', async () => {
    const { harness, remote, rita } = fixture
    const path = `/users/rita/statuses/slow`
    remote.behave({ kind: 'hang' }, { path })
    const answer = await harness.deliver(remote, makeActivity(rita, 'Create', `${remote.origin}${path}`), { as: rita })
    expect([answer.status, answer.text]).toEqual([202, ''])
    remote.repair()
    await harness.waitForIdle()
  })

  test('interop 4.16 the shared inbox never says that it is gone', async () => {
    const { harness, remote, rita } = fixture
    for (const activity of [
      makeActivity(rita, 'Follow', `${harness.origin}/users/nobody`),
      makeActivity(rita, 'Create', fixture.note(rita, { to: [`${harness.origin}/ap/users/1`], cc: [] })),
    ] as Document[])
      expect((await harness.deliver(remote, activity, { as: rita })).status).toBe(202)
  })

  test('every outgoing activity is parsed back as it was written', async () => {
    const { records } = await fixture.harness.call(statusRecords, { uris: Object.values(posts).map((it) => it.uri) })
    expect(records.length).toBe(Object.keys(posts).length)
  })
})
