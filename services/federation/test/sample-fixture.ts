/** Fixture of the samples: this server, a server for each of their hosts, and all accounts that they name. */
import { createFollow, removeFollow } from '@murmuration/contracts/accounts'
import { addRelay as addRelayOperation } from '@murmuration/contracts/federation'
import { createStatus, showStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, makeNote, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { type Harness, startHarness } from './harness.js'
import { sampleBytes, sampleSigner } from './samples.js'

export interface Fixture {
  readonly harness: Harness
  readonly bob: Awaited<ReturnType<Harness['createAccount']>>
  /** Local address for an address of the samples. */
  localUri(uri: string): string
  actor(uri: string): Promise<RemoteActor>
  server(host: string): Promise<RemoteServer>
  /** Publishes a document at its address, or removes it. */
  publish(uri: string, document: Document | undefined): Promise<void>
  /** The document of a sample with the addresses of this fixture, and valid keys. */
  document(name: string): Promise<Document>
  /** Delivers a sample, signed now or at a time. Returns the outcome, `dropped`, or the response if it is not 202. */
  deliver(name: string, now?: Date): Promise<string>
  /** Sends a new follow request of bob. Its id is f/1 in the samples. */
  requestFollow(uri: string): Promise<void>
  /** The same, and accepts it. */
  follow(uri: string): Promise<void>
  /** Enables a relay. The id of its Follow is payloads/1 in the samples. */
  addRelay(address: string): Promise<void>
  /** The status at an address of the samples, as bob sees it. */
  status(uri: string): Promise<Seen | null>
}
export type Seen = Record<string, unknown> & { id: string; content: string }

const PEM = '-----BEGIN PUBLIC KEY-----\nMIIB...\n-----END PUBLIC KEY-----\n'

/** Accounts that bob follows when the samples arrive. */
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

/** User names that cannot be derived from the addresses. */
const named: Record<string, string> = {
  'https://bridge.example/ap/did:plc:abc123': 'sam.sky.example',
  'https://misskey.example/users/9abc': 'kate',
}

export const startFixture = async (): Promise<Fixture> => {
  const harness = await startHarness()
  const bob = await harness.createAccount('bob')
  const servers = new Map<string, RemoteServer>()
  const actors = new Map<string, RemoteActor>()
  /** Addresses in the samples and what they are here, the longest first. */
  const places: [string, string][] = []

  const localUri = (text: string): string => places.reduce((done, [from, to]) => done.replaceAll(from, to), text)
  const place = (from: string, to: string) => {
    const known = places.findIndex((one) => one[0] === from)
    if (known >= 0) places.splice(known, 1)
    places.push([from, to])
    places.sort((a, b) => b[0].length - a[0].length)
  }

  const server = async (host: string): Promise<RemoteServer> => {
    const known = servers.get(host)
    if (known) return known
    const made = await harness.server()
    servers.set(host, made)
    place(`https://${host}`, made.origin)
    return made
  }

  /** An actor at the address it has in the samples. */
  const actor = async (uri: string): Promise<RemoteActor> => {
    const known = actors.get(uri)
    if (known) return known
    const { host, pathname, search } = new URL(uri)
    const home = await server(host)
    const name = named[uri] ?? (`${pathname}${search}`.replace(/^.*[/@=]/, '') || 'root')
    const made = await home.addActor(name, host === 'relay.example' ? { type: 'Application' } : {})
    const id = `${home.origin}${uri.slice(`https://${host}`.length)}`
    const move = (text: string) => text.replaceAll(made.id, id)
    const document = JSON.parse(move(JSON.stringify(made.document))) as Document
    Object.assign(made, {
      id,
      inbox: move(made.inbox),
      outbox: move(made.outbox),
      followers: move(made.followers),
      keyId: move(made.keyId),
      document: Object.assign(document, { featured: `${id}/collections/featured` }),
    })
    home.publish(pathname, document)
    actors.set(uri, made)
    return made
  }

  const write = async (input: Record<string, unknown>) => {
    const { id } = await harness.call(createStatus, input as never, bob)
    return (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? ''
  }

  const accept = async (uri: string) => {
    const as = await actor(uri)
    const follow = { type: 'Follow', actor: bob.uri, object: as.id }
    await harness.outcome(await server(new URL(uri).host), makeActivity(as, 'Accept', follow), { as })
  }

  const fixture: Fixture = {
    harness,
    bob,
    localUri,
    actor,
    server,
    async publish(uri, document) {
      const { host, pathname } = new URL(uri)
      const home = await server(host)
      home.publish(pathname, document)
    },
    async document(name) {
      const text = localUri(Buffer.from(sampleBytes(name)).toString('utf8'))
      const document = JSON.parse(text) as Document
      const key = document.publicKey as Document | undefined
      const owner = [...actors.values()].find((one) => one.id === document.id)
      if (key?.publicKeyPem === PEM && owner) key.publicKeyPem = owner.publicKey
      return document
    },
    async deliver(name, now = new Date()) {
      const uri = sampleSigner(name)
      const as = await actor(uri)
      const body = localUri(Buffer.from(sampleBytes(name)).toString('utf8'))
      const last = () =>
        harness
          .db('federation')
          .row<{ outcome: string; reason: string | null; at: string }>(
            sql`select outcome, reason, closed_at::text as at from inbox_activities order by closed_at desc nulls last limit 1`,
          )
      const before = await last()
      const { status, text } = await harness.deliver(await server(new URL(uri).host), body, { as, now })
      const fault = /"The activity is not accepted: ([a-z-]+)"/.exec(text)?.[1]
      if (status !== 202) return [status, fault].filter(Boolean).join(' ')
      await harness.waitForIdle()
      const after = await last()
      return after?.at === before?.at ? 'dropped' : [after?.outcome, after?.reason].filter(Boolean).join(' ')
    },
    async requestFollow(uri) {
      const target = await actor(uri)
      const home = await server(new URL(uri).host)
      const id = (await harness.account(target.id))?.id ?? ''
      await harness.call(removeFollow, { id }, bob)
      await harness.waitForIdle()
      home.inbox.clear()
      await harness.call(createFollow, { id }, bob)
      await harness.waitForIdle()
      const follow = home.inbox.all.find((one) => one.activity.type === 'Follow')
      place('https://local.example/f/1', String(follow?.activity.id))
    },
    async follow(uri) {
      await fixture.requestFollow(uri)
      await accept(uri)
    },
    async addRelay(address) {
      const relay = await server(new URL(address).host)
      if (!address.endsWith('/inbox')) await actor(address)
      relay.requests.clear()
      await harness.call(addRelayOperation, { url: localUri(address) })
      const { activity } = await relay.requests
        .next((it) => it.method === 'POST')
        .then((it) => ({ activity: JSON.parse(it.body.toString('utf8')) as Document }))
      place('https://local.example/payloads/1', String(activity.id))
    },
    async status(uri) {
      const [record] = (await harness.call(statusRecords, { uris: [localUri(uri)] })).records
      if (!record || record.deleted) return null
      const seen = await harness.call(showStatus, { id: record.id }, bob).catch(() => null)
      return seen as Seen | null
    },
  }

  for (const uri of followed) {
    const one = await actor(uri)
    const home = await server(new URL(uri).host)
    await harness.outcome(home, makeActivity(one, 'Like', `${harness.origin}/x`), { as: one })
    await harness.call(createFollow, { id: (await harness.account(one.id))?.id ?? '' }, bob)
    await accept(uri)
  }
  const [alice, moved, tom] = await Promise.all(
    ['https://masto.example/users/alice', 'https://new.example/users/alice', 'https://third.example/users/tom'].map(
      actor,
    ),
  )
  if (!alice || !moved || !tom) throw new Error('nobody is there')
  Object.assign(moved.document, { alsoKnownAs: [alice.id] })
  const poll = { options: ['Red', 'Blue'], expires_in: 3_600 }
  const ours: [string, string][] = [
    ['users/bob/statuses/99', await write({ status: 'public' })],
    ['users/bob/statuses/100', await write({ status: 'which?', poll: { ...poll, multiple: true } })],
    ['users/bob/statuses/101', await write({ status: 'private', visibility: 'private' })],
    ['users/bob', bob.uri],
  ]
  place('https://local.example', harness.origin)
  for (const [path, uri] of ours) place(`https://local.example/${path}`, uri)
  await Promise.all(
    ['https://tube.example/accounts/vic', 'https://lemmy.example/u/lea', 'https://lemmy.example/u/mod'].map(actor),
  )
  await fixture.publish('https://tube.example/videos/watch/1', await fixture.document('t01-peertube-video-object'))
  const announced = await fixture.document('l01-announce-create-page')
  const page = (announced.object as Document).object as Document
  const context = 'https://www.w3.org/ns/activitystreams'
  await fixture.publish('https://lemmy.example/post/1', { '@context': context, ...page })
  const passed = await fixture.document('y02-relay-forwarded-create-unsigned')
  const lived = { '@context': context, ...(passed.object as Document) }
  await fixture.publish(`${followed[0]}/statuses/30`, { ...lived, content: '<p>as it lives</p>' })
  await fixture.publish(`${followed[0]}/statuses/31`, { ...lived, id: localUri(`${followed[0]}/statuses/31`) })
  await fixture.publish(
    'https://third.example/posts/5',
    makeNote(tom, localUri('https://third.example/posts/5'), '<p>five</p>'),
  )
  await fixture.publish('https://third.example/stamps/1', await fixture.document('m28-quote-authorization-object'))
  return fixture
}
