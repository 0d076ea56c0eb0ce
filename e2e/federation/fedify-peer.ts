/** A server with other software: Fedify behind TLS, with its own accounts, keys, signatures and verification. */
import { randomUUID } from 'node:crypto'
import { type Context, createFederation, generateCryptoKeyPair, MemoryKvStore } from '@fedify/fedify'
import {
  Accept,
  Activity,
  type CryptographicKey,
  Endpoints,
  Follow,
  isActor,
  Note,
  Person,
  Question,
  type Recipient,
  type Object as Something,
  Undo,
} from '@fedify/vocab'
import { type Received as Asked, serve } from '@murmuration/testkit/outside/web-server'

export type Scheme = 'cavage' | 'rfc9421'

/** A received activity with a valid signature, as compact JSON-LD. */
export interface Arrived {
  type: string
  id: string
  actor: string
  object: string | Record<string, unknown>
  [term: string]: unknown
}

export interface Peer {
  readonly domain: string
  readonly ctx: Context<void>
  /** Received activities, in order. */
  readonly arrived: Arrived[]
  /** Signature schemes of accepted requests. */
  readonly schemes: Set<Scheme>
  /** Actor ids of the followers of an account of the peer. */
  followers(name: string): string[]
  /** Fetches an object with a request signed by this account. Null if it is not found. */
  read(name: string, address: string): Promise<Something | null>
  /** Stores an object, which the peer then serves to signed requests. */
  keep(thing: Note | Question): void
  /** Sends an activity, signed by this account, to the inbox of each actor. */
  send(name: string, to: readonly string[], activity: Activity): Promise<void>
  address(kind: string): URL
  close(): Promise<void>
}

export interface PeerOptions {
  domain: string
  /** Address to bind; port 443. */
  host: string
  tls: { key: string; cert: string }
  /** The only signature scheme that the peer accepts, and the first one that it uses. */
  scheme: Scheme
  people: readonly string[]
}

const schemeOf = (request: Asked): Scheme | null =>
  request.headers['signature-input'] ? 'rfc9421' : request.headers.signature ? 'cavage' : null

const asRequest = (origin: string, { method, path, headers, body }: Asked): Request =>
  new Request(origin + path, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  })

export const startPeer = async (options: PeerOptions): Promise<Peer> => {
  const { domain, scheme, people } = options
  const origin = `https://${domain}`
  const arrived: Arrived[] = []
  const schemes = new Set<Scheme>()
  const kept = new Map<string, Note | Question>()
  const followers = new Map<string, Map<string, Recipient>>(people.map((name) => [name, new Map()]))
  const keys = new Map<string, Awaited<ReturnType<typeof generateCryptoKeyPair>>[]>()
  for (const name of people)
    keys.set(name, [await generateCryptoKeyPair('RSASSA-PKCS1-v1_5'), await generateCryptoKeyPair('Ed25519')])

  const federation = createFederation<void>({
    kv: new MemoryKvStore(),
    origin,
    firstKnock: scheme === 'cavage' ? 'draft-cavage-http-signatures-12' : 'rfc9421',
  })
  const signed = async (ctx: {
    getDocumentLoader: Context<void>['getDocumentLoader']
    getSignedKey(options: object): Promise<CryptographicKey | null>
  }): Promise<boolean> =>
    (await ctx.getSignedKey({ documentLoader: await ctx.getDocumentLoader({ identifier: people[0] ?? '' }) })) !== null

  federation
    .setActorDispatcher('/people/{identifier}', async (ctx, name) => {
      if (!followers.has(name)) return null
      const pairs = await ctx.getActorKeyPairs(name)
      return new Person({
        id: ctx.getActorUri(name),
        preferredUsername: name,
        name: `${name} of ${domain}`,
        summary: '<p>Lives elsewhere.</p>',
        url: new URL(`/@${name}`, origin),
        inbox: ctx.getInboxUri(name),
        endpoints: new Endpoints({ sharedInbox: ctx.getInboxUri() }),
        followers: ctx.getFollowersUri(name),
        outbox: ctx.getOutboxUri(name),
        publicKey: pairs[0]?.cryptographicKey ?? null,
        assertionMethods: pairs.map((pair) => pair.multikey),
      })
    })
    .setKeyPairsDispatcher((_ctx, name) => keys.get(name) ?? [])
  federation.setFollowersDispatcher('/people/{identifier}/followers', (_ctx, name) => ({
    items: [...(followers.get(name)?.values() ?? [])],
  }))
  federation.setOutboxDispatcher('/people/{identifier}/outbox', () => ({ items: [] }))
  const thing = (ctx: Context<void>, values: { kind: string; id: string }) =>
    kept.get(`${ctx.canonicalOrigin}/${values.kind}/${values.id}`) ?? null
  federation
    .setObjectDispatcher(Note, '/notes/{id}', (ctx, { id }) => thing(ctx, { kind: 'notes', id }) as Note | null)
    .authorize((ctx) => signed(ctx))
  federation
    .setObjectDispatcher(Question, '/polls/{id}', (ctx, { id }) => thing(ctx, { kind: 'polls', id }) as Question | null)
    .authorize((ctx) => signed(ctx))

  federation
    .setInboxListeners('/people/{identifier}/inbox', '/inbox')
    .setSharedKeyDispatcher(() => ({ identifier: people[0] ?? '' }))
    .on(Activity, async (ctx, activity) => {
      arrived.push((await activity.toJsonLd({ format: 'compact', contextLoader: ctx.contextLoader })) as Arrived)
      const about = activity instanceof Undo ? await activity.getObject(ctx) : activity
      if (!(about instanceof Follow)) return
      const parsed = ctx.parseUri(about.objectId)
      const name = parsed?.type === 'actor' ? parsed.identifier : ''
      const follower = await activity.getActor({
        ...ctx,
        documentLoader: await ctx.getDocumentLoader({ identifier: name }),
      })
      if (!isActor(follower) || follower.id === null) return
      if (activity instanceof Undo) {
        followers.get(name)?.delete(follower.id.href)
        return
      }
      followers.get(name)?.set(follower.id.href, follower)
      const accept = new Accept({
        id: new URL(`/activities/${randomUUID()}`, origin),
        actor: ctx.getActorUri(name),
        object: about,
      })
      await ctx.sendActivity({ identifier: name }, follower, accept)
    })

  const server = await serve(
    async (asked) => {
      const used = schemeOf(asked)
      if (used !== null && used !== scheme) return { status: 401, body: `This server only understands ${scheme}.` }
      const answer = await federation.fetch(asRequest(origin, asked), {
        contextData: undefined,
        onNotAcceptable: () => new Response('Not here', { status: 406 }),
      })
      if (used !== null && answer.ok) schemes.add(used)
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      }
    },
    { host: options.host, port: 443, tls: options.tls, name: domain },
  )
  const ctx = federation.createContext(new URL(origin), undefined)
  const readAs = async (name: string, address: string): Promise<Something | null> =>
    ctx.lookupObject(address, { documentLoader: await ctx.getDocumentLoader({ identifier: name }) })

  return {
    domain,
    ctx,
    arrived,
    schemes,
    followers: (name) => [...(followers.get(name)?.keys() ?? [])],
    read: readAs,
    keep: (one) => {
      kept.set(one.id?.href ?? '', one)
    },
    async send(name, to, activity) {
      const found = await Promise.all(to.map((address) => readAs(name, address)))
      await ctx.sendActivity({ identifier: name }, found.filter(isActor), activity, { preferSharedInbox: true })
    },
    address: (kind) => new URL(`/${kind}/${randomUUID()}`, origin),
    close: () => server.close(),
  }
}
