/** Converts attachments to MediaAttachment JSON, and to records for the statuses service. */
import type { MediaAttachment, MediaMeta } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import type { AttachmentRecord } from '@murmuration/contracts/media'
import { signToken } from '../remote-file/proxy-token.rules.js'
import type { Attachment } from './store.js'

/** URLs of stored files, and of remote files that are copied when a client requests them. */
export interface Addresses {
  /** URL of a stored file. */
  stored(key: string): string
  /** URL of a remote file on this server. A request copies the file, and is redirected to the copy. */
  proxied(token: string): string
  /** URL of the copy of a remote file. The URL is known before the copy exists. */
  copied(token: string): string
  /**
   * True if the instance policy permits a copy of the file at `url`, for an account of `domain`. Also true while the
   * policy is not loaded.
   */
  mayCopy(domain: string | null, url: string): boolean
  /** Key of the signatures in `proxied` URLs. Without a signature, no copy is made. */
  readonly secret: string
}

type Picked = 'original' | 'preview'

/**
 * Whether clients may load the file from this server. A remote file that may not be copied has only `remote_url`,
 * because clients load `url` and `preview_url` without an action of the user.
 */
const isCopied = (at: Addresses, { state, domain, remote_url }: Attachment): boolean =>
  state !== 'uncached' && (state !== 'remote' || at.mayCopy(domain, remote_url ?? ''))

/** `copied`: the result of `isCopied` for the row. */
const addressOf = (at: Addresses, row: Attachment, copied: boolean, picked: Picked): string | null => {
  const key = picked === 'original' ? row.original_key : row.small_key
  if (key !== null) return at.stored(key)
  if (row.state !== 'remote' || !copied) return null
  if (picked === 'preview' && row.type !== 'image') return null
  return at.proxied(signToken(at.secret, { letter: picked === 'original' ? 'a' : 't', id: row.id }))
}

const metaOf = (row: Attachment): MediaMeta | null => {
  const focus = row.focus_x === null || row.focus_y === null ? undefined : { x: row.focus_x, y: row.focus_y }
  const meta = { ...row.meta, ...(focus && { focus }) }
  return Object.keys(meta).length ? meta : null
}

/** MediaAttachment JSON, which is the same for all viewers. */
export const attachmentText = (at: Addresses, row: Attachment): Json<MediaAttachment> => {
  const copied = isCopied(at, row)
  return toJson<MediaAttachment>({
    id: row.id,
    type: copied ? row.type : 'unknown',
    url: addressOf(at, row, copied, 'original'),
    preview_url: addressOf(at, row, copied, 'preview'),
    remote_url: row.remote_url,
    preview_remote_url: null,
    text_url: null,
    meta: copied ? metaOf(row) : null,
    description: row.description,
    blurhash: copied ? row.blurhash : null,
  })
}

/** Attachment record for statuses. `url` is empty if no file exists. */
export const attachmentRecord = (at: Addresses, row: Attachment): AttachmentRecord => {
  const original = row.meta.original
  const size = original && 'width' in original ? original : null
  const copied = isCopied(at, row)
  return {
    id: row.id,
    type: row.type,
    media_type: row.media_type,
    url: addressOf(at, row, copied, 'original') ?? '',
    remote_url: row.remote_url,
    preview_url: addressOf(at, row, copied, 'preview'),
    description: row.description,
    blurhash: row.blurhash,
    width: size?.width ?? null,
    height: size?.height ?? null,
    focus: row.focus_x === null || row.focus_y === null ? null : [row.focus_x, row.focus_y],
  }
}
