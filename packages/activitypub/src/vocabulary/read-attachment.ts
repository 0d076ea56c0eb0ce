/** Parses the media of statuses, and the images of actors and emoji. */

import {
  addressIn,
  countOf,
  entriesOf,
  firstOf,
  isJsonObject,
  type JsonObject,
  listOf,
  prop,
  scalarOf,
  textOf,
  typesOf,
} from './json.js'
import { limits } from './limits.js'
import type { IncomingAttachment } from './note.js'
import { naturalText } from './read-text.js'
import { readFetched, type Uri } from './uri.js'

const base83 = /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]+$/
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'

/** A valid blurhash with at most 5 x 5 components; null for other values. */
export const readBlurhash = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length < 6 || value.length > 4 + 2 * 25 || !base83.test(value)) return null
  const size = digits.indexOf(value.charAt(0))
  const [across, down] = [(size % 9) + 1, Math.floor(size / 9) + 1]
  return across <= 5 && down <= 5 && value.length === 4 + 2 * across * down ? value : null
}

const readFocus = (given: unknown): IncomingAttachment['focus'] => {
  const value = entriesOf(given)
  if (!Array.isArray(value) || value.length !== 2) return null
  const [x, y] = value.map(scalarOf)
  const isSound = (it: unknown): it is number => typeof it === 'number' && it >= -1 && it <= 1
  return isSound(x) && isSound(y) ? { x, y } : null
}

const iso8601 = /^PT(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,7}(?:\.\d{1,9})?)S)?$/

/** Seconds of an ISO 8601 duration without days; null for other values. */
const readDuration = (value: unknown): number | null => {
  const found = typeof value === 'string' && value.length <= 40 && value !== 'PT' ? iso8601.exec(value) : null
  if (found === null) return null
  const [, hours = 0, minutes = 0, seconds = 0] = found
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const mediaTypePattern = /^[a-z]+\/[a-z0-9.+-]{1,80}$/

/**
 * Media types that count as undeclared: the generic type of RFC 2046, section 4.5.1, and the type that S3 gives to
 * files without a type.
 */
const undeclared: ReadonlySet<string> = new Set(['application/octet-stream', 'binary/octet-stream'])

/**
 * Media type of HLS playlists. Some servers send HLS playlists with an audio or video type. Players of this server
 * cannot play HLS playlists.
 */
const PLAYLIST = 'application/vnd.apple.mpegurl'
const playlists: ReadonlySet<string> = new Set(
  ['application', 'audio', 'video'].flatMap((it) => [`${it}/mpegurl`, `${it}/x-mpegurl`]),
)

const readMediaType = (value: unknown): string | null => {
  const type = textOf(value, 200)?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (playlists.has(type)) return PLAYLIST
  return mediaTypePattern.test(type) && !undeclared.has(type) ? type : null
}

/** Address of a file from a string, or a Link or object; null if there is none. */
export const fetchedOf = (value: unknown): Uri | null => {
  const one = firstOf(value)
  const address = addressIn(one)
  if (address !== undefined || !isJsonObject(one)) return readFetched(address)
  return readFetched(addressIn(prop(one, 'href'))) ?? readFetched(addressIn(prop(one, 'url')))
}

/** Assumed media types of files that declare none, by object type and by file ending. */
const byType: ReadonlyMap<string, string> = new Map([
  ['Image', 'image/jpeg'],
  ['Video', 'video/mp4'],
  ['Audio', 'audio/mpeg'],
])
const byEnding: readonly [RegExp, string][] = [
  [/\.(?:jpe?g|png|webp|avif|heic)$/i, 'image/jpeg'],
  [/\.(?:mp4|webm|mov|m4v)$/i, 'video/mp4'],
  [/\.(?:mp3|ogg|oga|opus|flac|wav|m4a)$/i, 'audio/mpeg'],
]
const playlistEndings: readonly [RegExp, string][] = [
  [/\.m3u8?$/i, PLAYLIST],
  [/\.mpd$/i, 'application/dash+xml'],
]
/** Endings that count before the type of the object. A GIF may be an animation, which has the size limit of a video. */
const endingsFirst: readonly [RegExp, string][] = [...playlistEndings, [/\.gif$/i, 'image/gif']]
const typeByEnding = (url: Uri, endings: readonly [RegExp, string][]): string | undefined =>
  endings.find(([ending]) => ending.test(new URL(url).pathname))?.[1]
const guessType = (node: JsonObject, url: Uri): string | null =>
  typeByEnding(url, endingsFirst) ??
  typesOf(node)
    .map((type) => byType.get(type))
    .find((it) => it !== undefined) ??
  typeByEnding(url, byEnding) ??
  null

const isPlayable = (mediaType: string | null): mediaType is string =>
  mediaType !== null && /^(?:image|video|audio)\//.test(mediaType)

interface Source {
  url: Uri
  mediaType: string | null
}

/**
 * Rank of an address of a media file; the lowest rank is the best: 0 playable, 1 unknown type, 2 other types such as
 * playlists, 3 HTML pages.
 */
const rankOf = ({ url, mediaType }: Source): number => {
  if (mediaType !== null) return isPlayable(mediaType) ? 0 : mediaType === 'text/html' ? 3 : 2
  return typeByEnding(url, playlistEndings) === undefined ? 1 : 2
}

/** The best entry of a `url` property (see `rankOf`), with the media type of its Link; null if there is none. */
export const readSource = (value: unknown): Source | null => {
  const sources = listOf(value, limits.attachmentEntries).flatMap((entry): Source[] => {
    const url = fetchedOf(entry)
    return url === null
      ? []
      : [{ url, mediaType: isJsonObject(entry) ? readMediaType(prop(entry, 'mediaType')) : null }]
  })
  return sources.reduce<Source | null>((best, it) => (best === null || rankOf(it) < rankOf(best) ? it : best), null)
}

/** Description of media: `summary`, else `name`; null if both are empty. */
export const readDescription = (node: JsonObject): string | null =>
  naturalText(node, 'summary', limits.altText) || naturalText(node, 'name', limits.altText) || null

/**
 * Media type of a media file. A declared `text/` type is used only if no other is known, because some servers declare
 * the format of the description.
 */
const typeOf = (node: JsonObject, source: Source): string | null => {
  const declared = [readMediaType(prop(node, 'mediaType')), source.mediaType].filter((it) => it !== null)
  return (
    declared.find(isPlayable) ??
    declared.find((it) => !it.startsWith('text/')) ??
    guessType(node, source.url) ??
    declared[0] ??
    null
  )
}

const readAttachment = (node: JsonObject): IncomingAttachment | null => {
  const source = readSource(prop(node, 'url'))
  if (source === null) return null
  return {
    url: source.url,
    mediaType: typeOf(node, source),
    description: readDescription(node),
    blurhash: readBlurhash(scalarOf(prop(node, 'blurhash'))),
    focus: readFocus(prop(node, 'focalPoint')),
    width: countOf(prop(node, 'width')),
    height: countOf(prop(node, 'height')),
    duration: readDuration(scalarOf(prop(node, 'duration'))),
    thumbnail: readImage(prop(node, 'icon'))?.url ?? null,
  }
}

/** Parses an `attachment` property: at most `max` media, and the first link, which is for the preview card. */
export const readAttachments = (
  value: unknown,
  max: number,
): { media: readonly IncomingAttachment[]; link: Uri | null } => {
  const nodes = listOf(value, limits.attachmentEntries).filter((it): it is JsonObject => isJsonObject(it))
  const isLink = (node: JsonObject) => prop(node, 'href') !== undefined
  const media = nodes.filter((node) => !isLink(node)).map(readAttachment)
  const links = nodes.filter(isLink).map((node) => readFetched(addressIn(prop(node, 'href'))))
  return { media: media.filter((it) => it !== null).slice(0, max), link: links.find((it) => it !== null) ?? null }
}

export type IncomingImage = { readonly url: Uri; readonly description: string | null }

const imageOf = (given: unknown): IncomingImage | null => {
  const address = addressIn(given)
  if (address !== undefined || !isJsonObject(given)) {
    const url = readFetched(address)
    return url === null ? null : { url, description: null }
  }
  const url = readSource(prop(given, 'url'))?.url ?? readFetched(addressIn(prop(given, 'href')))
  return url === null ? null : { url, description: readDescription(given) }
}

/** Image from a string, an Image, a Link, a reference, or the first list entry with an http(s) address; null if there is none. */
export const readImage = (value: unknown): IncomingImage | null =>
  listOf(value, limits.attachmentEntries)
    .map(imageOf)
    .find((it) => it !== null) ?? null
