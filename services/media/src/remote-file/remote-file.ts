/** A remote file to copy: an attachment of a status, or a picture of an account. */
import { notFound } from '@murmuration/contracts/kit'
import { attachmentInvalidation } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { type Attachment, attachmentById } from '../core/attachment/store.js'
import type { FileToCopy } from '../core/file/files.js'
import { storeFiles } from '../core/file/store-files.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import { cachePicture, type Picture, pictureById, unclaimPicture } from '../core/picture/store.js'
import type { Claimed, Due, FailedTry } from '../core/remote-file/copy.store.js'
import {
  attachmentName,
  attachmentNamer,
  drawRemoteAttachment,
  drawRemotePicture,
  type How,
  pictureName,
  pictureNamer,
} from './copying.js'
import { mayCopy } from './media-policy.rules.js'
import { cacheAttachment, unclaimAttachment } from './remote-attachment.store.js'

export interface RemoteFile {
  readonly what: Due['what']
  readonly row: Claimed<Attachment> | Claimed<Picture>
  readonly host: string
  /** Whether the declared type is video or audio. A file with another declared type may still be video or audio. */
  readonly isFilm: boolean
  /** Name under which concurrent fetches of the same file are shared. */
  readonly name: string
  /** Fetches the file, and makes and stores the copy. */
  copy(how: How): Promise<void>
  /** Copies the copy that another row has of the same file. Returns false if that copy no longer exists. */
  takeOver(id: string): Promise<boolean>
  /** Ends the claim on the file, and stores the outcome of the try to copy it. */
  letGo(fate: FailedTry): Promise<void>
}

export const isAllowed = (ctx: Context, { domain, remote_url }: Attachment | Picture): boolean =>
  mayCopy(ctx, domain, new URL(remote_url ?? ''))

/** Throws if the policy no longer permits the file. Staff may have changed the policy during the fetch. */
const assertAllowed = (ctx: Context, row: Attachment | Picture): void => {
  if (!isAllowed(ctx, row)) throw notFound()
}

const hostOf = ({ remote_url }: Attachment | Picture): string => new URL(remote_url ?? '').host

/** Copies of the files of another row, to be stored under the keys of this row. */
const twins = (...pairs: readonly (readonly [twin: string | null, key: string])[]): FileToCopy[] =>
  pairs.flatMap(([twin, key]) => (twin === null ? [] : [{ twin, key }]))

const areThere = async (ctx: Context, files: readonly FileToCopy[]): Promise<boolean> =>
  (await Promise.all(files.map(({ twin }) => ctx.files.has(twin)))).every(Boolean)

export const remoteAttachment = (ctx: Context, row: Claimed<Attachment>): RemoteFile => {
  const keep = async (
    files: Parameters<typeof storeFiles>[1],
    columns: Omit<Parameters<typeof cacheAttachment>[2], 'size'>,
  ): Promise<void> => {
    assertAllowed(ctx, row)
    const keys = files.map((file) => file.key)
    await storeFiles(ctx, files, async (tx, size) => {
      const at = ctx.clock.date()
      if (!(await cacheAttachment(tx, row.id, { ...columns, size }, at))) await insertUnusedFiles(tx, keys, at)
    })
    ctx.invalidations.send(attachmentInvalidation, [row.id])
  }
  return {
    what: 'attachment',
    row,
    host: hostOf(row),
    isFilm: row.type !== 'image' && row.type !== 'unknown',
    name: attachmentName(row),
    async copy(how) {
      const { files, columns } = await drawRemoteAttachment(ctx, row, how)
      await keep(files, columns)
    },
    async takeOver(id) {
      const other = await attachmentById(ctx.db, id)
      if (other?.original_key == null || other.remote_url !== row.remote_url) return false
      // After a fetch, a row has the type that was found in the file. Its name then differs from that of a row whose
      // type is still unknown, so names are only compared for known types.
      if (row.type !== 'unknown' && attachmentName(other) !== attachmentName(row)) return false
      const named = attachmentNamer(ctx, row.id)
      const [original_key, small] = [named('main', ''), named('small', '')]
      const files = twins([other.original_key, original_key], [other.small_key, small])
      if (!(await areThere(ctx, files))) return false
      const { type, media_type, blurhash, meta } = other
      const small_key = other.small_key && small
      await keep(files, { type, media_type, original_key, small_key, blurhash: small_key && blurhash, meta })
      return true
    },
    async letGo(fate) {
      await unclaimAttachment(ctx.db, row.id, fate)
      if (fate.forGood) ctx.invalidations.send(attachmentInvalidation, [row.id])
    },
  }
}

export const remotePicture = (ctx: Context, row: Claimed<Picture>): RemoteFile => {
  const keep = async (
    files: Parameters<typeof storeFiles>[1],
    copy: Omit<Parameters<typeof cachePicture>[2], 'size'>,
  ): Promise<void> => {
    assertAllowed(ctx, row)
    const keys = files.map((file) => file.key)
    await storeFiles(ctx, files, async (tx, size) => {
      if (!(await cachePicture(tx, row.id, { ...copy, size }))) await insertUnusedFiles(tx, keys, ctx.clock.date())
    })
  }
  return {
    what: 'picture',
    row,
    host: hostOf(row),
    isFilm: false,
    name: pictureName(row),
    async copy(how) {
      const { files, ...copy } = await drawRemotePicture(ctx, row, how)
      await keep(files, copy)
    },
    async takeOver(id) {
      const other = await pictureById(ctx.db, id)
      if (other?.key == null || other.media_type === null || pictureName(other) !== pictureName(row)) return false
      const named = pictureNamer(ctx, row.id)
      const [key, still] = [named('main', ''), named('still', '')]
      const files = twins([other.key, key], [other.still_key, still])
      if (!(await areThere(ctx, files))) return false
      await keep(files, { key, still_key: other.still_key && still, media_type: other.media_type })
      return true
    },
    async letGo(fate) {
      await unclaimPicture(ctx.db, row.id, fate)
    },
  }
}
