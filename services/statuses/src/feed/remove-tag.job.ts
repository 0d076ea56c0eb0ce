/**
 * The job that removes statuses from a home feed which contained them only because of a hashtag that is no longer
 * followed.
 */
import { removeTagFromHome } from '@murmuration/contracts/statuses'
import { relationshipsOf } from '../core/viewer/relationships.js'
import { work } from '../handlers.js'
import { statusesOnlyByTag } from '../tag/index.js'
import { allEntries, dropFeeds, homeKey, removeEntries } from './store.js'

export const removeTag = work(removeTagFromHome, async (ctx, { account, tag }) => {
  const key = homeKey(account)
  const { entries, complete } = await allEntries(ctx.redis, key)
  // The rebuild of an incomplete feed may have read the rows before the change, so the incomplete feed is deleted and
  // its rebuild must start again.
  if (!complete) return dropFeeds(ctx.redis, [key])
  const found = await statusesOnlyByTag(
    ctx.db,
    entries.filter((entry) => entry.original === null).map((entry) => entry.id),
    { account, tag },
  )
  const relationships = await relationshipsOf(
    ctx,
    account,
    found.map((one) => one.author_id),
  )
  const gone = new Set(found.filter((one) => !relationships.get(one.author_id)?.following).map((one) => one.id))
  await removeEntries(
    ctx.redis,
    [key],
    entries.filter((entry) => gone.has(entry.id)),
  )
})
