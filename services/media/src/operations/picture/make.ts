/** Turns an upload into an avatar or header. */
import { join } from 'node:path'
import { makePicture, StagedFile } from '@murmuration/contracts/media'
import { keepFiles } from '../../changes/keep-files.js'
import { fileTypeOf } from '../../domain/file-type.js'
import { admitPicture, PICTURE_BYTES, unverified } from '../../domain/upload.js'
import { handle } from '../../doors.js'
import { freshKey } from '../../outside/files.js'
import { drawPicture } from '../../outside/pictures.js'
import { insertPicture } from '../../store/picture.js'

const AREAS = { avatar: 'avatars', header: 'headers' } as const
const FIELDS = { avatar: 'Avatar', header: 'Header' } as const

export const make = handle(makePicture, async (ctx, _viewer, { owner, kind, key: staged }) => {
  if (!StagedFile.shape.key.safeParse(staged).success) throw unverified()
  try {
    const seen = await ctx.files.look(staged)
    admitPicture(FIELDS[kind], seen && fileTypeOf(seen.head), seen?.size ?? 0, PICTURE_BYTES[kind])
    return await ctx.benches.use(async (dir) => {
      await ctx.files.bring(staged, join(dir, 'in'))
      const drawn = await drawPicture(ctx, dir, kind, (_copy, mediaType) => freshKey(AREAS[kind], mediaType))
      const { key, still_key, media_type, files } = drawn
      const id = ctx.ids.next()
      const created_at = ctx.clock.date()
      await keepFiles(ctx, files, (tx, size) =>
        insertPicture(tx, { id, owner, kind, key, still_key, media_type, size, created_at }),
      )
      return {
        url: ctx.files.address(key),
        static_url: ctx.files.address(still_key ?? key),
        media_type,
        key,
      }
    })
  } finally {
    await ctx.files.delete([staged]).catch((error) => ctx.log.warn({ error }, 'an upload is left to the sweep'))
  }
})
