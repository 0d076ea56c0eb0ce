/** Operations of the list of known servers. */
import { listPeers, searchPeers } from '@murmuration/contracts/admin'
import { normaliseDomain } from '@murmuration/text'
import { handle } from '../handlers.js'
import { withPrefix } from './peers.js'
import { requirePublished } from './published.js'

/** Lists known servers that are not suspended, if staff publishes them. */
export const list = handle(listPeers, async (ctx) => {
  requirePublished(ctx, 'peers_api_enabled')
  return (await ctx.peers()).filter((domain) => ctx.policy.domainRule(domain)?.severity !== 'suspend')
})

/** Maximum number of known servers in a search result. */
const MAX_SERVERS = 10
/**
 * Maximum number of matching servers that are read. More are read than returned, because suspended servers are left
 * out.
 */
const LOOKED_AT = 500

/** Searches known servers by a prefix of their domain. 404 if staff does not publish the list of known servers. */
export const search = handle(searchPeers, async (ctx, _viewer, { q }) => {
  requirePublished(ctx, 'peers_api_enabled')
  const typed = (q ?? '').trim().toLowerCase()
  if (typed === '') return []
  const prefix = normaliseDomain(typed) ?? typed
  return withPrefix(await ctx.peers(), prefix, LOOKED_AT)
    .filter((domain) => ctx.policy.domainRule(domain)?.severity !== 'suspend')
    .slice(0, MAX_SERVERS)
})
