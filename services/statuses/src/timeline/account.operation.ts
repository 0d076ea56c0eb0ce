/** Handler of the statuses and boosts of an account, newest first. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { accountTimeline } from '@murmuration/contracts/statuses'
import { normaliseTag } from '@murmuration/text'
import { refetchPins } from '../core/refetch/refetch.js'
import { statusesAt, timelinePage } from '../core/render/pages.js'
import { statusText } from '../core/render/present.js'
import { tagIds } from '../core/tag/store.js'
import { relationshipsOf } from '../core/viewer/relationships.js'
import { fitsPlace, isAllowed, isLoaded } from '../core/visibility/shown.js'
import { handle } from '../handlers.js'
import { accountIds, pinnedIds } from './store.js'

export const account = handle(accountTimeline, async (ctx, viewer, input) => {
  const { id, pinned, only_media, exclude_replies, exclude_reblogs, exclude_direct, tagged, ...page } = input
  const viewerId = viewer?.id ?? null
  const tagName = tagged ? normaliseTag(tagged) : null
  const [{ records }, relationships, tags] = await Promise.all([
    ctx.call(accountRecords, { ids: [id] }),
    relationshipsOf(ctx, viewerId, [id]),
    tagName === null ? null : tagIds(ctx.db, [tagName]),
  ])
  const author = records[0]
  if (!author?.usable) throw notFound()
  const relationship = relationships.get(id)
  const filter = {
    onlyMedia: only_media === true,
    excludeReplies: exclude_replies === true,
    excludeReblogs: exclude_reblogs === true,
    excludeDirect: exclude_direct === true,
    tag: tags === null ? null : (tags.get(tagName ?? '') ?? '0'),
    followed: relationship?.following === true,
  }
  const read = pinned ? pinnedIds : accountIds
  const nothing = author.suspended || relationship?.blocked_by === true
  // Stored pins are shown at once. Anonymous viewers cause no requests to other servers.
  if (pinned && viewerId !== null && author.domain !== null && !nothing) await refetchPins(ctx, id)
  return timelinePage(ctx, viewerId, page, {
    output: accountTimeline.output,
    skeleton: async (cursor) => (nothing ? [] : read(ctx.db, id, viewerId, filter, cursor)),
    hydrate: statusesAt('account'),
    rules: [isLoaded, isAllowed, fitsPlace],
    present: statusText,
  })
})
