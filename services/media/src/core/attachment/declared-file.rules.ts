/** Checks what remote servers declare about their files: type, texts, size and blurhash. */
import type { Type } from './rules.js'

/** Attachment type for clients, by the declared media type. */
export const typeOfMedia = (mediaType: string): Type => {
  const family = mediaType.toLowerCase().split('/')[0]
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'unknown'
}

/** Media type of a file without a declared one (RFC 2046 section 4.5.1). */
const UNDECLARED = 'application/octet-stream'

/**
 * Whether a file is copied: pictures always, videos and sounds only with ffmpeg. An undeclared file is fetched to
 * determine its type.
 */
export const isCopied = (type: Type, mediaType: string, ffmpeg: boolean): boolean =>
  type === 'image' || (type === 'unknown' ? mediaType.toLowerCase() === UNDECLARED : ffmpeg)

/** Remote text that can be stored: without NUL, which PostgreSQL does not accept, and truncated. */
export const cutText = (text: string, max: number): string => text.replaceAll('\0', '').slice(0, max)

const MAX_SIDE = 100_000

/** Width and height in pixels that a remote server declared for a file. Null unless both are plausible. */
export const claimedSize = (width: number | null, height: number | null) =>
  width && height && width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE ? { width, height } : null

/** A blurhash of valid form, or null. A blurhash is untrusted text that clients decode (A153). */
export const safeBlurhash = (text: string | null): string | null =>
  text !== null && /^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,100}$/.test(text) ? text : null
