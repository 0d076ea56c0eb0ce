/** Deletes pictures that nothing shows any more. */
import { dropPictures } from '@murmuration/contracts/media'
import { dropFiles } from '../../changes/keep-files.js'
import { handle } from '../../doors.js'
import { loosenFiles } from '../../store/loose-file.js'
import { dropPictures as dropRows } from '../../store/picture.js'

export const drop = handle(dropPictures, async (ctx, _viewer, { owner, keys }) => {
  const gone = await ctx.db.tx(async (tx) => {
    const pictures = await dropRows(tx, owner, keys)
    await loosenFiles(tx, pictures.flat(), ctx.clock.date())
    return pictures
  })
  await dropFiles(ctx, gone.flat())
  return { dropped: gone.length }
})
