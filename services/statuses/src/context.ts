/** Creates the context of the service: the kernel's base, caches of cards, and clients for other servers. */

import type { Redis } from '@murmuration/cache'
import { type CardCache, createCardCache } from '@murmuration/cards'
import { accountCards, accountInvalidation, statusCountInvalidation } from '@murmuration/contracts/accounts'
import type { Account, MediaAttachment, StatusApplication } from '@murmuration/contracts/entities'
import { userAgentOf } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { attachmentCards, attachmentInvalidation } from '@murmuration/contracts/media'
import { cacheInvalidation, filterInvalidation } from '@murmuration/contracts/statuses'
import { loadInChunks } from '@murmuration/flow'
import {
  type BaseContext,
  createStreamGrants,
  entriesOf,
  logRefusals,
  requireLoaded,
  type StreamGrants,
} from '@murmuration/kernel'
import { hostsOf } from '@murmuration/text/own-address'
import type { calls } from './calls.js'
import { createKnownApps } from './compose/application.js'
import { type Config, readServiceConfig } from './config.js'
import type { CardMembers } from './core/card/card.js'
import { createStatusCards } from './core/card/cards.js'
import { dropGeneration } from './core/card/generation.store.js'
import { createPreviews, type Previews } from './core/preview-card/previews.js'
import {
  type CurrentStateLoader,
  createCurrentStateLoader,
  createRevisionCache,
  type RevisionCache,
} from './core/viewer/loaded-status.js'
import { createRelationships, type Relationships } from './core/viewer/relationships.js'
import { createWeb, type Web } from './core/web.client.js'
import { watchFeeds } from './feed/earlier-state.js'
import { createReadLanguages, type ReadLanguages } from './feed/read-languages.js'
import type { FeedRules } from './feed/store.js'
import { createFilterSets, type FilterSets } from './filter/sets.js'
import type { Translator } from './translation/translator.client.js'
import { createTranslator } from './translation/translators.js'

type Base = BaseContext<(typeof calls)[number]>

export type Context = Base & {
  readonly config: Config
  /** Hosts under which this server is reached. */
  readonly ownHosts: ReadonlySet<string>
  /** Whether other servers may be reached by http. */
  readonly allowsHttp: boolean
  /** Connection to the Redis that stores cards. This Redis may evict entries. */
  readonly cache: Redis
  readonly statusCards: CardCache<CardMembers>
  readonly revisionCache: RevisionCache
  readonly loadCurrentState: CurrentStateLoader
  readonly relationships: Relationships
  readonly accountCards: CardCache<Account>
  readonly mediaCards: CardCache<MediaAttachment>
  readonly knownApps: CardCache<StatusApplication>
  readonly feedRules: FeedRules
  /** Compiled filters of accounts in memory. */
  readonly filterSets: FilterSets
  readonly readLanguages: ReadLanguages
  readonly previews: Previews
  readonly streamGrants: StreamGrants
  /** HTTP client for pages that statuses link, and for the translation API. */
  readonly web: Web
  /** Client of the translation API; null if none is configured. */
  readonly translator: Translator | null
}

/**
 * Creates the HTTP client. Linked pages follow the address rules for the internet; only the translation API may have
 * private addresses.
 */
const openWeb = (base: Base, config: Config): Web => {
  const local = config.allowAddresses.length > 0
  const options = {
    userAgent: userAgentOf(base.site.origin),
    mode: base.common.mode,
    onRefused: logRefusals(base),
    ...(local ? { allowPrivate: true, allowAddresses: [...config.allowAddresses] } : {}),
    allowHttp: true,
    clock: base.clock,
  }
  const operator = { ...options, operatorAddresses: [...config.translationAddresses], ports: 'any' as const }
  // If a domain is blocked, pages on its hosts are not fetched, nor pages that redirect to them.
  const mayVisit = ({ hostname }: URL) => {
    requireLoaded(base.policy)
    return base.policy.domainRule(hostname)?.severity !== 'suspend'
  }
  const web = createWeb(options, operator, mayVisit)
  base.onClose('web', () => web.close())
  return web
}

export const createContext = async (base: Base): Promise<Context> => {
  const cache = base.redisCache
  const accounts = createCardCache<Account>({
    now: base.clock.now,
    load: (ids) => loadInChunks(ids, 1_000, (some) => base.call(accountCards, { ids: some })),
  })
  base.invalidations.subscribe(accountInvalidation, accounts.invalidate)
  base.invalidations.subscribe(statusCountInvalidation, accounts.invalidate)
  const media = createCardCache<MediaAttachment>({
    now: base.clock.now,
    load: (ids) => loadInChunks(ids, 400, (some) => base.call(attachmentCards, { ids: some })),
  })
  base.invalidations.subscribe(attachmentInvalidation, media.invalidate)
  const config = readServiceConfig(base.common, base.env)
  const web = base.needs.grant('internet', () => openWeb(base, config))
  const filterSets = createFilterSets(base)
  const statusCards = createStatusCards({ ...base, cache })
  base.invalidations.subscribe(cacheInvalidation, (kinds) => {
    for (const kind of kinds ?? []) dropGeneration(cache, kind)
    if (kinds?.includes('statuses')) statusCards.invalidate(null)
  })
  base.invalidations.subscribe(filterInvalidation, filterSets.invalidate)
  watchFeeds(base)
  const readLanguages = createReadLanguages(base)
  base.invalidations.subscribe(accountInvalidation, readLanguages.invalidate)
  return {
    ...base,
    config,
    ownHosts: hostsOf([base.site.localDomain, base.site.webDomain, ...entriesOf(base.common.alternateDomains)]),
    allowsHttp: config.allowAddresses.length > 0,
    feedRules: { window: limits.feeds.reblogWindow, length: config.feedLength },
    filterSets,
    readLanguages,
    previews: createPreviews(base),
    streamGrants: createStreamGrants(base),
    web,
    translator: createTranslator(config, web),
    cache,
    statusCards,
    revisionCache: createRevisionCache(),
    loadCurrentState: createCurrentStateLoader(base),
    relationships: createRelationships(base),
    accountCards: accounts,
    mediaCards: media,
    knownApps: createKnownApps(base),
  }
}
