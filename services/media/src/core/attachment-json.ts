/** Attachments as JSON, and as the facts that statuses need. */
import type { MediaAttachment, MediaMeta } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import type { AttachmentRecord } from '@murmuration/contracts/media'
import type { Attachment } from './attachment.store.js'
import { signToken } from './proxy-token.rules.js'

/** Where files are found: those here, and those fetched on first view. */
export interface Addresses {
  /** Address of a file in our store. */
  stored(key: string): string
  /** Address that fetches, and then leads to the copy. */
  proxied(token: string): string
  /** Address of a copy, also before it was made. */
  copied(token: string): string
  /** Signs addresses that fetch. */
  readonly secret: string
}

type Picked = 'original' | 'preview'

const addressOf = (at: Addresses, row: Attachment, picked: Picked): string | null => {
  const key = picked === 'original' ? row.original_key : row.small_key
  if (key !== null) return at.stored(key)
  if (row.state !== 'remote') return null
  if (picked === 'preview' && row.type !== 'image') return null
  return at.proxied(signToken(at.secret, { letter: picked === 'original' ? 'a' : 't', id: row.id }))
}

/** Apps load `url` and `preview_url` by themselves. The address of a file without a copy is therefore in `remote_url` alone. */
const isCopied = (row: Attachment): boolean => row.state !== 'uncached'

const metaOf = (row: Attachment): MediaMeta | null => {
  const focus = row.focus_x === null || row.focus_y === null ? undefined : { x: row.focus_x, y: row.focus_y }
  const meta = { ...row.meta, ...(focus && { focus }) }
  return Object.keys(meta).length ? meta : null
}

/** The MediaAttachment entity; the same for everybody who looks. */
export const attachmentText = (at: Addresses, row: Attachment): Json<MediaAttachment> =>
  toJson<MediaAttachment>({
    id: row.id,
    type: isCopied(row) ? row.type : 'unknown',
    url: addressOf(at, row, 'original'),
    preview_url: addressOf(at, row, 'preview'),
    remote_url: row.remote_url,
    preview_remote_url: null,
    text_url: null,
    meta: isCopied(row) ? metaOf(row) : null,
    description: row.description,
    blurhash: isCopied(row) ? row.blurhash : null,
  })

/** Attachment record for the statuses service; `url` is empty while there is no file. */
export const attachmentRecord = (at: Addresses, row: Attachment): AttachmentRecord => {
  const original = row.meta.original
  const size = original && 'width' in original ? original : null
  return {
    id: row.id,
    type: row.type,
    media_type: row.media_type,
    url: addressOf(at, row, 'original') ?? '',
    remote_url: row.remote_url,
    preview_url: addressOf(at, row, 'preview'),
    description: row.description,
    blurhash: row.blurhash,
    width: size?.width ?? null,
    height: size?.height ?? null,
    focus: row.focus_x === null || row.focus_y === null ? null : [row.focus_x, row.focus_y],
  }
}
