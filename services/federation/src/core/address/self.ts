/** Names of this server in the network, and the key of its instance actor. */
import type { KeyObject } from 'node:crypto'
import { type KeyCache, keyCache } from '@murmuration/activitypub/signatures/key-cache'
import { hostOf, readDomain } from '@murmuration/activitypub/vocabulary/uri'
import { keyInvalidation, signingKey } from '@murmuration/contracts/accounts'
import { type BaseContext, entriesOf, type Site } from '@murmuration/kernel'
import type { calls } from '../../calls.js'
import type { Config } from '../../config.js'
import type { OwnHosts } from '../activity/authority.rules.js'

/** Account id of the instance actor. */
export const INSTANCE_ACCOUNT = '-99'

export interface Signer {
  readonly keyId: string
  readonly privateKey: KeyObject
  readonly publicPem: string
}

export interface Self {
  /** Actor id of the instance actor. */
  readonly instanceActor: string
  readonly sharedInbox: string
  /** Hosts of this server, as `hostOf` writes them. */
  readonly ownHosts: OwnHosts
  /** Domains that may follow the `@` in handles of local accounts. */
  readonly ownDomains: ReadonlySet<string>
  /** True if documents are shown only to clients that sign their requests. */
  readonly secure: boolean
  /** Cache of parsed keys, local and remote. */
  readonly keys: KeyCache
  /** The key of the instance actor, refreshed once an hour and when it was replaced. */
  signer(): Promise<Signer>
}

const HOUR_MS = 3_600_000

export const createSelf = (
  base: Pick<BaseContext<(typeof calls)[number]>, 'call' | 'clock' | 'common' | 'invalidations'> & { site: Site },
  config: Config,
): Self => {
  const { site } = base
  const domains = [site.localDomain, site.webDomain, ...entriesOf(base.common.alternateDomains)]
    .map(readDomain)
    .filter((it) => it !== null)
  const keys = keyCache()
  let known: { at: number; signer: Promise<Signer> } | undefined
  base.invalidations.subscribe(keyInvalidation, (ids) => {
    if (ids === null || ids.includes(INSTANCE_ACCOUNT)) known = undefined
  })
  const loadSigner = async (): Promise<Signer> => {
    const { keys: found } = await base.call(signingKey, { ids: [INSTANCE_ACCOUNT] })
    const own = found[INSTANCE_ACCOUNT]
    if (own === undefined) throw new Error('the instance actor has no key')
    return { keyId: own.keyId, privateKey: keys.signing(own.privatePem), publicPem: own.publicPem }
  }
  return {
    instanceActor: `${site.origin}/actor`,
    sharedInbox: `${site.origin}/inbox`,
    ownHosts: new Set([hostOf(site.origin) ?? site.webDomain, ...domains]),
    ownDomains: new Set(domains),
    secure: config.authorizedFetch || config.limitedFederation,
    keys,
    signer() {
      if (known === undefined || base.clock.now() - known.at > HOUR_MS) {
        const signer = loadSigner()
        const entry = { at: base.clock.now(), signer }
        known = entry
        signer.catch(() => {
          if (known === entry) known = undefined
        })
      }
      return known.signer
    },
  }
}

/** Prefix of the ids of the Follow activities that this server sends to relays. */
export const followPrefix = (ctx: { self: Pick<Self, 'instanceActor'> }): string => `${ctx.self.instanceActor}#relays/`
