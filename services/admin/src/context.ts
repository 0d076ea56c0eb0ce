/** The context of the admin service: the kernel's base, account cards, counts, pictures and the policy publication. */
import { jetstreamManager, openPolicyBucket } from '@murmuration/bus'
import { type CardCache, createCardCache } from '@murmuration/cards'
import { accountCards, accountInvalidation, statusCountInvalidation } from '@murmuration/contracts/accounts'
import { STRIKE_LINK } from '@murmuration/contracts/admin'
import type { Account, InstanceActivity } from '@murmuration/contracts/entities'
import { type BaseContext, derive } from '@murmuration/kernel'
import type { calls } from './calls.js'
import { type Config, readServiceConfig } from './config.js'
import type { PolicyPublication } from './core/change-policy.js'
import { createMarkdown, type Markdown } from './core/markdown.js'
import {
  createInstanceCounts,
  createPeers,
  createWeeks,
  type InstanceCountCache,
  type Pictures,
  readPictures,
} from './instance/index.js'
import { createPolicyPublication, keepPublished } from './policy/index.js'
import { openWebhooks, type Webhooks } from './webhook/index.js'

type Base = BaseContext<(typeof calls)[number]>

export type Context = Base & {
  readonly config: Config
  readonly publication: PolicyPublication
  readonly accountCards: CardCache<Account>
  readonly counts: InstanceCountCache
  readonly markdown: Markdown
  readonly pictures: Pictures
  /** Weekly activity of this server in the last twelve weeks. */
  readonly weeks: () => Promise<InstanceActivity[]>
  /** Domains of known servers, sorted. */
  readonly peers: () => Promise<readonly string[]>
  readonly webhooks: Webhooks
  /** Signs the links in e-mails about strikes. */
  readonly strikeLinkSecret: string
}

/** Milliseconds by which the instance document may be older than the profile of the contact account. */
const CONTACT_MS = 30_000

export const createContext = async (base: Base): Promise<Context> => {
  const config = readServiceConfig(base.common, base.env)
  const jsm = await jetstreamManager(base.nc, { checkAPI: false })
  const bucket = openPolicyBucket(base.nc, jsm, { replicas: base.common.natsReplicas })
  const publication = createPolicyPublication({ db: base.db, bucket, log: base.log, clock: base.clock })
  base.onClose('policy publication', keepPublished(publication, base))
  const cards = createCardCache<Account>({
    now: base.clock.now,
    load: (ids) => base.call(accountCards, { ids }),
    maxChars: 4_000_000,
    ttlMs: CONTACT_MS,
  })
  base.invalidations.subscribe(accountInvalidation, cards.invalidate)
  base.invalidations.subscribe(statusCountInvalidation, cards.invalidate)
  return {
    ...base,
    config,
    publication,
    accountCards: cards,
    counts: createInstanceCounts(base),
    markdown: createMarkdown(),
    pictures: await readPictures(),
    weeks: createWeeks(base),
    peers: createPeers(base),
    webhooks: openWebhooks(base, config.allowAddresses),
    strikeLinkSecret: derive(base.common, STRIKE_LINK),
  }
}
