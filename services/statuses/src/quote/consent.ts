/** Decides by the policy of a local status whether a remote account may quote it. */

import { listViewerRelationships } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { quoteApproval } from '../core/quote/rules.js'
import type { StatusRow } from '../core/status/store.js'
import { visibilityOf } from '../core/visibility/rules.js'

/**
 * Whether the actor may quote the status without asking its author. Blocks have precedence over the policy.
 * @param actor id of the remote account
 */
export const mayQuote = async (ctx: Pick<Context, 'call'>, actor: string, quoted: StatusRow): Promise<boolean> => {
  const { [olderNames.relationships]: relationships } = await ctx.call(listViewerRelationships, {
    viewer: quoted.author_id,
    authors: [actor],
  })
  const relationship = relationships[actor]
  if (!relationship || relationship.blocking || relationship.domain_blocking) return false
  const approval = quoteApproval(
    actor,
    {
      authorId: quoted.author_id,
      visibility: visibilityOf(quoted.visibility),
      isReblog: quoted.reblog_of_id !== null,
      quotePolicy: quoted.quote_policy,
    },
    { following: relationship.followed_by, followed_by: relationship.following },
  )
  return approval.current_user === 'automatic'
}
