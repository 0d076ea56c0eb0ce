/**
 * Draws pictures in a work directory: sends the order to the decoder, and converts its results to files and columns.
 */
import { join } from 'node:path'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../../context.js'
import type { Processed } from '../attachment/store.js'
import type { FileToStore } from '../file/files.js'
import { refusedPicture } from '../file/upload.rules.js'
import { noSpace } from '../file/work-directory.js'
import { colorsOf } from '../image/colors.rules.js'
import { geometryOf } from '../image/geometry.rules.js'
import type { Made, Order, Result } from '../image/image.js'
import type { PictureKind } from './store.js'

type Part = Pick<Context, 'config' | 'decoders' | 'faults'>
/** Returns the key of a file. `main` is the picture, `small` its preview, and `still` the first frame of an animation. */
export type Namer = (copy: 'main' | 'small' | 'still', mediaType: string) => string
type Drawn = Extract<Result, { refused: null }>

const { media, accounts } = limits
const EMOJI_SIDE = 128

const draw = async (
  ctx: Part,
  dir: string,
  order: Pick<Order, 'motion' | 'main' | 'still' | 'small' | 'smallPng'>,
  input = 'in',
): Promise<Result> => {
  const result = ctx.decoders.render({
    ...order,
    input: join(dir, input),
    dir,
    maxPixels: media.imagePixels,
    maxFramePixels: media.animatedPixels,
    avif: ctx.config.avif,
  })
  const [made] = await Promise.all([result, ctx.faults.reach('media.duringTranscode')])
  return made
}

const insist = (result: Result): Drawn => {
  if (result.refused === 'no-space') throw noSpace()
  if (result.refused !== null) throw refusedPicture(result.refused, result.size, result.frames)
  return result
}
const keeping = (copy: Made, key: string): FileToStore => ({ key, path: copy.path, mediaType: copy.mediaType })

export interface DrawnAttachment {
  files: FileToStore[]
  columns: Omit<Processed, 'size'>
}

/** Draws the file `in` as an attachment. Returns `moves` for an animation, which ffmpeg must process instead. */
export const drawAttachment = async (
  ctx: Part,
  dir: string,
  motion: Order['motion'],
  name: Namer,
): Promise<DrawnAttachment | 'moves'> => {
  const result = await draw(ctx, dir, {
    motion,
    main: { area: media.storedPixels },
    still: false,
    small: { area: media.previewPixels },
    smallPng: false,
  })
  if (result.refused === 'moves') return 'moves'
  const { main, small, blurhash } = insist(result) as Drawn & { main: Made; small: Made }
  const [original_key, small_key] = [name('main', main.mediaType), name('small', small.mediaType)]
  return {
    files: [keeping(main, original_key), keeping(small, small_key)],
    columns: {
      type: 'image',
      media_type: main.mediaType,
      original_key,
      small_key,
      blurhash,
      meta: { original: geometryOf(main), small: geometryOf(small) },
    },
  }
}

/** Draws the file `input` as the preview of a video or sound. `colors`: also chooses colours for the player. */
export const drawCover = async (ctx: Part, dir: string, input: string, name: Namer, colors: boolean) => {
  const drawn = insist(
    await draw(
      ctx,
      dir,
      { motion: 'still', main: null, still: false, small: { side: media.previewSide }, smallPng: true },
      input,
    ),
  )
  const small = drawn.small as Made
  const small_key = name('small', small.mediaType)
  const found = colors ? colorsOf(drawn.pixels) : null
  return {
    files: [keeping(small, small_key)],
    columns: {
      small_key,
      blurhash: drawn.blurhash,
      meta: { small: geometryOf(small), ...(found && { colors: found }) },
    },
  }
}

const FITS: Record<PictureKind, Order['main']> = {
  avatar: { cover: { width: accounts.avatarSide, height: accounts.avatarSide } },
  header: { area: accounts.headerPixels },
  emoji: { side: EMOJI_SIDE },
}

/** Draws the file `in` as an avatar, header or emoji. An animation also gets a PNG of its first frame. */
export const drawPicture = async (ctx: Part, dir: string, kind: PictureKind, name: Namer) => {
  const drawn = insist(
    await draw(ctx, dir, { motion: 'keep', main: FITS[kind], still: true, small: null, smallPng: false }),
  )
  const main = drawn.main as Made
  const key = name('main', main.mediaType)
  const still_key = drawn.still && name('still', drawn.still.mediaType)
  return {
    files: [keeping(main, key), ...(drawn.still && still_key ? [keeping(drawn.still, still_key)] : [])],
    key,
    still_key,
    media_type: main.mediaType,
  }
}
