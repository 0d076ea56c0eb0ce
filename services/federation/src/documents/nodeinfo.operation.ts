/** Handlers of NodeInfo 2.0 (S-029 to S-045). */

import {
  type NodeInfoSource,
  writeNodeInfo,
  writeNodeInfoLinks,
} from '@murmuration/activitypub/vocabulary/write-nodeinfo'
import { accountCounts } from '@murmuration/contracts/accounts'
import { listNodeInfo, showNodeInfo } from '@murmuration/contracts/federation'
import { VERSION } from '@murmuration/contracts/kit'
import { statusCounts } from '@murmuration/contracts/statuses'
import { registrationsMode } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { MAX_AGE_SECONDS, openResponse } from './response.js'

/** `GET /.well-known/nodeinfo`: link to the NodeInfo document. */
export const list = handle(listNodeInfo, async (ctx) =>
  openResponse(
    JSON.stringify(writeNodeInfoLinks({ webOrigin: ctx.site.origin, instanceActor: ctx.self.instanceActor })),
    MAX_AGE_SECONDS.webfinger,
  ),
)

/** Counts of local accounts and statuses, for NodeInfo. */
const usageOf = async (ctx: Context): Promise<NodeInfoSource['usage']> => {
  const [accounts, statuses] = await Promise.all([ctx.call(accountCounts, {}), ctx.call(statusCounts, {})])
  return {
    users: { total: accounts.users, activeMonth: accounts.activeMonth, activeHalfyear: accounts.activeHalfyear },
    localPosts: statuses.local,
    localComments: statuses.localReplies,
  }
}

/** `GET /nodeinfo/2.0`: software, protocols and counts. In limited federation mode without counts and description. */
export const show = handle(showNodeInfo, async (ctx) => {
  const limited = ctx.config.limitedFederation
  const usage = limited ? null : await usageOf(ctx)
  const settings = ctx.policy.settings()
  const document = writeNodeInfo({
    softwareName: 'murmuration',
    softwareVersion: VERSION,
    openRegistrations: registrationsMode(ctx.config, settings) !== 'none',
    usage,
    metadata: {
      nodeName: settings.site_title,
      ...(limited ? {} : { nodeDescription: settings.site_short_description }),
      // Client libraries detect the API family by this field, because they do not know `softwareName`.
      upstream: { name: 'mastodon' },
      source: ctx.site.source,
    },
  })
  return openResponse(JSON.stringify(document), MAX_AGE_SECONDS.nodeinfo)
})
