/** A fake ActivityPub server: actors with keys, WebFinger, documents, inboxes that record requests, signed requests, and faults. */
import { type Reply, type RequestOptions, request as send } from './http-client.js'
import type { Reach } from './reach.js'
import { type Recorder, recorder } from './recorder.js'
import { type Document, makeActivity, makeActor, makeNote, type RemoteActor } from './remote-actor.js'
import { type Behaviours, behaviours } from './remote-behaviour.js'
import { keyIdOf, type SignatureScheme, signHeaders, type VerifiedSignature, verifySigned } from './signing.js'
import { type ListenOptions, type Received, type StubResponse, serve } from './web-server.js'

const ACTIVITY = 'application/activity+json'

/** A request to one of the inboxes, with its raw body. */
export interface Delivery extends Received {
  /** The body as JSON; an empty object if it is no JSON. */
  activity: Document
}

export interface SendOptions extends Reach, Pick<RequestOptions, 'withinMs'> {
  /** The actor whose key signs the request. */
  as: RemoteActor
  /** Signature scheme; `cavage` by default. */
  scheme?: SignatureScheme
  /** Additional headers. The signature covers them if the scheme permits it. */
  headers?: Record<string, string>
  /** Headers that replace headers of the signed request, to make its signature wrong. */
  tamper?: Record<string, string>
  now?: Date
}

export interface RemoteServer extends Pick<Behaviours, 'behave' | 'repair'> {
  origin: string
  host: string
  port: number
  /** Accepted requests (202) to all inboxes of this server. */
  inbox: Recorder<Delivery>
  /** All requests to this server, including requests that it refused or did not respond to. */
  requests: Recorder<Received>
  addActor(name: string, extra?: Document): Promise<RemoteActor>
  /** Creates a note of an actor, serves it at its id, and returns it. */
  addNote(author: RemoteActor, content: string, extra?: Document): Document & { id: string }
  /** Serves a document at a path. With undefined, the document is removed. */
  publish(path: string, document: Document | undefined): void
  /** Sends a signed activity to an inbox. A string is sent unchanged as the body. */
  send(activity: Document | string, to: string, options: SendOptions): Promise<Reply>
  /** Fetches a document with a signed request. */
  fetch(url: string, options: SendOptions): Promise<Reply>
  /**
   * Fetches the key of the signature, and verifies the signature and digest of the request. Throws if the signature or
   * the digest is wrong.
   */
  verify(delivery: Received, options: Omit<SendOptions, 'as'> & { as?: RemoteActor }): Promise<VerifiedSignature>
  close(): Promise<void>
}

/**
 * Starts a remote server.
 *
 * @param options `name`: host name in all ids; other servers must reach this server by that name
 * @example
 * const remote = await startRemoteServer({ name: 'remote.example', publicPort: 443, tls: authority.issue(['remote.example']) })
 * await network.expose({ host: publicAddress(2), port: 443 }, remote)
 * const carol = await remote.addActor('carol')
 * await remote.send(makeActivity(carol, 'Follow', alice), `${alice}/inbox`, { as: carol, ca, openSocket: network.openSocket })
 */
export const startRemoteServer = async (options: ListenOptions = {}): Promise<RemoteServer> => {
  const actors = new Map<string, RemoteActor>()
  const published = new Map<string, Document>()
  const rules = behaviours()
  const brief = ({ method, path }: Received) => `${method} ${path}`
  const requests = recorder<Received>('requests at the remote server', brief)
  const inbox = recorder<Delivery>('deliveries at the remote server', (one) => JSON.stringify(one.activity))

  const respond = (request: Received): StubResponse => {
    const { pathname, searchParams } = new URL(request.path, 'http://remote.invalid')
    if (request.method === 'POST') {
      if (!/^\/(users\/[^/]+\/)?inbox$/.test(pathname)) return { status: 404 }
      inbox.push({ ...request, activity: parsed(request.body) })
      return { status: 202 }
    }
    if (pathname === '/.well-known/webfinger')
      return json(webfinger(searchParams.get('resource') ?? ''), 'application/jrd+json')
    return json(published.get(pathname))
  }

  const webfinger = (resource: string): Document | undefined => {
    const [, name, domain] = /^(?:acct:)?@?([^@]+)@(.+)$/.exec(resource) ?? []
    const actor = name ? actors.get(name) : [...actors.values()].find(({ id }) => id === resource)
    if (!actor || (domain && domain !== new URL(server.origin).host)) return undefined
    return {
      subject: `acct:${actor.name}@${new URL(server.origin).host}`,
      aliases: [actor.id],
      links: [{ rel: 'self', type: ACTIVITY, href: actor.id }],
    }
  }

  const server = await serve((request, raw) => {
    requests.push(request)
    const wrong = rules.misbehave(request, raw)
    return wrong === 'hung' ? undefined : (wrong ?? respond(request))
  }, options)

  const pathOf = (url: string) => new URL(url).pathname
  const publishActor = (actor: RemoteActor) => {
    published.set(pathOf(actor.id), actor.document)
    for (const url of [actor.outbox, actor.followers, `${actor.id}/following`])
      published.set(pathOf(url), emptyCollection(url))
  }

  const signed = (
    method: string,
    url: string,
    { as, scheme = 'cavage', headers: more, tamper, now, ...how }: SendOptions,
    body?: string,
  ) => {
    const type: Record<string, string> = body === undefined ? { accept: ACTIVITY } : { 'content-type': ACTIVITY }
    const plain = { ...type, ...more }
    const { keyId, privateKey } = as
    const headers = signHeaders({ scheme, method, url, headers: plain, body, keyId, privateKey, now })
    return send(url, { ...how, method, headers: { ...headers, ...tamper }, body })
  }

  const self: RemoteServer = {
    origin: server.origin,
    host: server.host,
    port: server.port,
    behave: rules.behave,
    repair: rules.repair,
    inbox,
    requests,
    addActor: async (name, extra) => {
      const actor = await makeActor(server.origin, name, extra)
      actors.set(name, actor)
      publishActor(actor)
      return actor
    },
    addNote: (author, content, extra) => {
      const id = `${author.id}/statuses/${crypto.randomUUID()}`
      const note = { ...makeNote(author, id, content, extra), id }
      published.set(pathOf(id), note)
      const outbox = published.get(pathOf(author.outbox))!
      const items = [makeActivity(author, 'Create', note), ...(outbox.orderedItems as Document[])]
      published.set(pathOf(author.outbox), { ...outbox, totalItems: items.length, orderedItems: items })
      return note
    },
    publish: (path, document) => {
      if (document) published.set(path, document)
      else published.delete(path)
    },
    send: (activity, to, how) =>
      signed('POST', to, how, typeof activity === 'string' ? activity : JSON.stringify(activity)),
    fetch: (url, how) => signed('GET', url, how),
    verify: async (delivery, { as, ...how }) => {
      const keyId = keyIdOf(delivery)
      if (!keyId) throw new Error('the delivery is not signed')
      const url = keyId.split('#', 1)[0]!
      const reply = as
        ? await self.fetch(url, { as, ...how })
        : await send(url, { ...how, headers: { accept: ACTIVITY } })
      if (reply.status !== 200) throw new Error(`the key ${keyId} could not be fetched: ${reply.status}`)
      const key = reply.json<{ publicKey?: { id?: string; publicKeyPem?: string } }>().publicKey
      if (key?.id !== keyId || !key.publicKeyPem) throw new Error(`${url} does not list the key ${keyId}`)
      return verifySigned(delivery, key.publicKeyPem, server.origin)
    },
    close: server.close,
  }
  return self
}

const json = (document: Document | undefined, type = ACTIVITY): StubResponse =>
  document
    ? { status: 200, headers: { 'content-type': `${type}; charset=utf-8` }, body: JSON.stringify(document) }
    : { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"Not found"}' }

const emptyCollection = (id: string): Document => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id,
  type: 'OrderedCollection',
  totalItems: 0,
  orderedItems: [],
})

const parsed = (body: Buffer): Document => {
  try {
    return JSON.parse(body.toString('utf8')) as Document
  } catch {
    return {}
  }
}
