/** Handler that deletes the pictures of old preview cards. */
import { deletePreviewImages } from '@murmuration/contracts/statuses'
import { readTime } from '@murmuration/text'
import { queueImageRelease } from '../attachment/index.js'
import { handle } from '../handlers.js'
import { type CardPosition, cardsBefore, deleteImages } from './image.store.js'

const WINDOW = 1_000
const LINK = 0
const START: CardPosition = { at: '-infinity', id: '0' }

export const deleteMatching = handle(
  deletePreviewImages,
  async (ctx, _viewer, { before, after, link_only, dry_run }) => {
    const place = after === '' ? START : (JSON.parse(after) as CardPosition)
    const found = await cardsBefore(ctx.db, new Date(readTime(before)), place, WINDOW)
    const wanted = found.filter((one) => one.has_image && !(link_only && one.type !== LINK)).map((one) => one.id)
    const last = found.at(-1)
    const next = last && found.length === WINDOW ? JSON.stringify({ at: last.at, id: last.id }) : null
    if (dry_run || wanted.length === 0) return { changed: wanted.length, seen: found.length, next }
    const changed = await ctx.db.tx(async (tx) => {
      const gone = await deleteImages(tx, wanted)
      await queueImageRelease(ctx, tx, gone)
      return gone.length
    })
    return { changed, seen: found.length, next }
  },
)
