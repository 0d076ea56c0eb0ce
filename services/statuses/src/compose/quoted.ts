/** Loads the status that a new status quotes, and checks that its author allows the quote. */

import type { Visibility } from '@murmuration/contracts/entities'
import { invalidField } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import type { End, Quoting } from '../core/quote/quote.js'
import { quoteApproval, quotedMissing } from '../core/quote/rules.js'
import { rowOf } from '../core/status/store.js'
import { loadStatuses } from '../core/viewer/loaded-status.store.js'
import { relationshipsOf } from '../core/viewer/relationships.js'
import { authorsOf } from '../core/visibility/find-status.js'
import { levelOf, visibilityOf } from '../core/visibility/rules.js'
import { isVisible } from '../core/visibility/shown.js'
import type { Mentioned } from './mention.js'

export interface Quoted extends End {
  url: string | null
  visibility: Visibility
  /** `automatic` if the quote policy accepts the author at once; `later` if the quoted author must approve the quote. */
  approval: 'automatic' | 'later'
}

/** The status to quote; of a boost, the original. A status that is missing, hidden or not quotable causes the same error. */
export const quotedOf = async (ctx: Context, author: string, id: string): Promise<Quoted> => {
  const statuses = await loadStatuses(ctx.db, author, [id])
  const given = statuses.get(id)
  const status = given?.reblog_of_id ? statuses.get(given.reblog_of_id) : given
  const relationships = await relationshipsOf(ctx, author, authorsOf([given, status]))
  const access = { viewerId: author, relationships }
  if (!given || !status || !isVisible(access, given) || !isVisible(access, status)) throw quotedMissing()
  const row = await rowOf(ctx.db, status.id)
  if (!row) throw quotedMissing()
  const relationship = relationships.get(status.author_id)
  const visibility = visibilityOf(status.visibility)
  const { current_user: may } = quoteApproval(
    author,
    { authorId: status.author_id, visibility, isReblog: false, quotePolicy: status.quote_policy },
    relationship,
  )
  if (may === 'denied' || relationship?.blocking) throw quotedMissing()
  return {
    id: row.id,
    uri: row.uri,
    url: row.url,
    author_id: row.author_id,
    local: row.local,
    visibility,
    approval: may === 'automatic' ? 'automatic' : 'later',
  }
}

/** Visibility of the quoting status: at most private if the quoted status is private. */
export const quotedVisibility = (quoted: Quoted | null, wanted: Visibility): Visibility =>
  quoted?.visibility === 'private' && levelOf(wanted) < levelOf('private') ? 'private' : wanted

/**
 * Initial state of a quote: accepted at once for own and local statuses whose policy allows it, otherwise pending.
 * Throws for a direct quote that does not mention the quoted author.
 */
export const quotingOf = (quoted: Quoted, author: string, visibility: Visibility, mentioned: Mentioned): Quoting => {
  const isOwn = quoted.author_id === author
  if (visibility === 'direct' && !isOwn && !mentioned.mentionedAccounts.some((one) => one.id === quoted.author_id))
    throw invalidField('Cannot quote a non-mentioned user in a Private Mention post.')
  const accepted = isOwn || (quoted.local && quoted.approval === 'automatic')
  return { quoted, uri: null, state: accepted ? 'accepted' : 'pending', legacy: false, stamp: null }
}

/** Silent mention of the quoted author by a followers-only quote, so that the quoted author may read the quote. */
export const quotedReader = (
  { quoted }: Quoting,
  author: string,
  visibility: Visibility,
  mentioned: Mentioned,
): { id: string; silent: boolean }[] =>
  visibility !== 'private' ||
  quoted === null ||
  quoted.author_id === author ||
  mentioned.mentionedAccounts.some((one) => one.id === quoted.author_id)
    ? []
    : [{ id: quoted.author_id, silent: true }]
