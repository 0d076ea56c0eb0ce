/** Harness: the service accounts with real stores, helpers that create accounts, and fakes of the services that it calls. */
import {
  createAccountByOperator,
  createTokenByOperator,
  putRemote,
  type RemoteActor,
} from '@murmuration/contracts/accounts'
import { fetchActor, fetchLinkBack } from '@murmuration/contracts/federation'
import { fail, type Viewer } from '@murmuration/contracts/kit'
import {
  deletePictures,
  deleteRemoteEmoji,
  dropPictures,
  findEmojis,
  makePicture,
  proxyUrls,
  replacedPictures,
} from '@murmuration/contracts/media'
import { type App, type BaseContext, handlersFor, service } from '@murmuration/kernel'
import { remoteActor as actorOf, type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { app } from '../src/main.js'

const { handle } = handlersFor<BaseContext>()
const anywhere = { scales: '', needs: [] } as const

/** Actor documents of remote servers, by actor id and by handle. Every other remote account does not exist. */
export const outside = new Map<string, RemoteActor | 'gone' | 'later' | 'limited' | 'blocked'>()
/** Responses that a test delays, by the requested address or the key of the upload. */
export const slow = new Map<string, Promise<unknown>>()
/** All requests to remote servers, in order. */
export const asked: string[] = []
/** Actor ids and handles of background requests. */
export const askedBehind = new Set<string>()

/** Pages that link back: their address, and the profile to which they link. */
export const linksBack = new Map<string, string>()

/** Keys of all uploads from which pictures were requested, in order. */
export const askedPictures: string[] = []
/** Shortcodes of the enabled custom emoji of this server. */
export const ownEmojis = new Set<string>()

/** Requests to remove copies of pictures. */
/** Requests to delete custom emoji of a domain that media received. */
export const emojisDeleted: { domain: string; below: boolean; dry_run: boolean }[] = []
export const deletedPictures: { owners: string[]; kinds: string[]; dry_run: boolean }[] = []

const federation: App = {
  manifest: service('federation', {
    operations: [
      handle(fetchLinkBack, async (_ctx, _viewer, { url, profile }) => {
        asked.push(`page ${url}`)
        return { outcome: 'ok' as const, linksBack: linksBack.get(url) === profile }
      }),
      handle(fetchActor, async (_ctx, _viewer, { uri, handle: name, behind }) => {
        const question = uri ?? name ?? ''
        asked.push(question)
        if (behind) askedBehind.add(question)
        const found = outside.get(question)
        await slow.get(question)
        if (found === undefined) return { outcome: 'not-found' as const, actor: null }
        if (found === 'limited') return { outcome: 'later' as const, actor: null, limited: true }
        return typeof found === 'string' ? { outcome: found, actor: null } : { outcome: 'ok' as const, actor: found }
      }),
    ],
    database: false,
    roles: { fetch: { operations: true, ...anywhere } },
  }),
  createContext: (base) => base,
}

const media: App = {
  manifest: service('media', {
    operations: [
      handle(makePicture, async (ctx, _viewer, { owner, kind, key }) => {
        if (key.endsWith('f')) throw fail('unprocessable', 'Validation failed: File is not a picture')
        askedPictures.push(key)
        await slow.get(key)
        const url = `${ctx.site.origin}/media/${kind}/${owner}.png`
        return { url, static_url: url, media_type: 'image/png', key }
      }),
      handle(findEmojis, async (_ctx, _viewer, { shortcodes }) => ({
        emojis: shortcodes
          .filter((shortcode) => ownEmojis.has(shortcode))
          .map((shortcode) => ({ shortcode, url: 'https://e.example/e.png', static_url: 'https://e.example/s.png' })),
      })),
      handle(proxyUrls, async (ctx, _viewer, { items }) => {
        const under = (path: string) =>
          Object.fromEntries(
            items.map((one) => [one.remote, `${ctx.site.origin}/media/${path}/${encodeURIComponent(one.remote)}`]),
          )
        return { urls: under('proxy'), static_urls: under('still') }
      }),
      handle(deletePictures, async (_ctx, _viewer, input) => {
        deletedPictures.push(input)
        return { pictures: input.owners.length, bytes: 10 * input.owners.length }
      }),
      handle(deleteRemoteEmoji, async (_ctx, _viewer, input) => {
        emojisDeleted.push(input)
        return { emojis: 2 }
      }),
      handle(dropPictures, async (_ctx, _viewer, { keys }) => ({ dropped: keys.length })),
      handle(replacedPictures, async () => ({ pictures: [] })),
    ],
    database: false,
    roles: { api: { operations: true, ...anywhere } },
  }),
  createContext: (base) => base,
}

export interface Harness extends Cluster {
  /** Creates a confirmed local account. */
  createAccount(name: string, more?: { role?: string; confirmed?: boolean; password?: string }): Promise<Viewer>
  /** Stores a remote account, as federation does. Returns its id. */
  remote(name: string, more?: Partial<RemoteActor>): Promise<string>
  /** Issues a bearer token of a local account. */
  token(name: string, scopes?: string): Promise<string>
}

export const remoteActor = (name: string, more: Partial<RemoteActor> = {}): RemoteActor => {
  const domain = more.domain ?? 'remote.example'
  const uri = more.uri ?? `https://${domain}/users/${name}`
  return actorOf(name, domain, {
    uri,
    note: '<p>from afar</p>',
    shared_inbox_url: `https://${domain}/inbox`,
    outbox_url: `${uri}/outbox`,
    followers_url: `${uri}/followers`,
    following_url: `${uri}/following`,
    indexable: false,
    keys: [{ id: `${uri}#main-key`, pem: `pem of ${name}` }],
    published: '2024-05-06T07:08:09.000Z',
    ...more,
  })
}

export const startAccounts = async (env: Record<string, string> = {}, more: readonly App[] = []): Promise<Harness> => {
  const cluster = await startCluster({ apps: [app, federation, media, ...more], env })
  return Object.assign(Object.create(cluster) as Cluster, {
    async createAccount(name: string, more: { role?: string; confirmed?: boolean; password?: string } = {}) {
      const { id } = await cluster.call(createAccountByOperator, {
        username: name,
        email: `${name}@mail.example`,
        confirmed: true,
        ...more,
      })
      return viewer(id)
    },
    async remote(name: string, more: Partial<RemoteActor> = {}) {
      return (await cluster.call(putRemote, { actor: remoteActor(name, more) })).record.id
    },
    async token(name: string, scopes?: string) {
      return (await cluster.call(createTokenByOperator, { username: name, scopes })).token
    },
  })
}
