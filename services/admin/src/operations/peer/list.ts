/** Servers that are known here and not suspended, if staff shows them. */
import { peerList } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'

export const list = handle(peerList, async (ctx) => {
  if (ctx.config.limitedFederation || !ctx.policy.settings().peers_api_enabled) throw notFound('Not Found')
  return (await ctx.peers()).filter((domain) => ctx.policy.domainRule(domain)?.severity !== 'suspend')
})
