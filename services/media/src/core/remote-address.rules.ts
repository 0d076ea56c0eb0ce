/** Files of other servers: what they probably are before anybody looked. */
import type { Type } from './attachment.rules.js'

/**
 * The address of a picture that may be another one since `updated`: the time stands in the fragment, which no server is sent.
 * An invalid time leaves the address unchanged.
 */
export const datedAddress = (address: string, updated: string | null): string => {
  const time = updated === null ? Number.NaN : Date.parse(updated)
  return Number.isNaN(time) ? address : `${address}#${time}`
}

/** Attachment type that clients see, by the media type that the sender declares. */
export const typeOfMedia = (mediaType: string): Type => {
  const family = mediaType.toLowerCase().split('/')[0]
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'unknown'
}

/** The media type of a file about which its sender says nothing (RFC 2046, section 4.5.1). */
const UNDECLARED = 'application/octet-stream'

/** Whether a file is fetched: pictures always, others only with ffmpeg, and an undeclared file to find out what it is. */
export const isCopied = (type: Type, mediaType: string, ffmpeg: boolean): boolean =>
  type === 'image' || (type === 'unknown' ? mediaType.toLowerCase() === UNDECLARED : ffmpeg)

/** Remote text as it may be stored: without the character that PostgreSQL cannot hold, and no longer than this. */
export const cutText = (text: string, most: number): string => text.replaceAll('\0', '').slice(0, most)

const LONGEST_SIDE = 100_000

/** Width and height that a remote document claims, when both are believable. */
export const claimedSize = (width: number | null, height: number | null) =>
  width && height && width > 0 && height > 0 && width <= LONGEST_SIDE && height <= LONGEST_SIDE
    ? { width, height }
    : null

/** A blurhash of believable form, or null: it is remote text that clients put into pictures (A153). */
export const safeBlurhash = (text: string | null): string | null =>
  text !== null && /^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,100}$/.test(text) ? text : null
