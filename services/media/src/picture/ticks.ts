/** Deletes pictures of remote accounts some time after newer ones replaced them, because clients may still show the old ones. */
import { inSteps } from '@murmuration/kernel'
import { deleteReplacedPictures } from '../core/picture.store.js'
import { tick } from '../handlers.js'
import { loosen } from '../upkeep/index.js'

const SHOWN_MS = 3_600_000
const STEPS = { size: 500, steps: 20 }

export const forgetReplaced = tick('media.forget-replaced', 600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - SHOWN_MS)
  await inSteps(STEPS, (most) =>
    ctx.db.tx(async (tx) => {
      const gone = await deleteReplacedPictures(tx, before, most)
      await loosen(ctx, tx, gone.flat())
      return gone.length
    }),
  )
})
