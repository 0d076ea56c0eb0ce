/** Content types by file extension. For these types, the disk store needs no separate file with the content type. */

const byExtension = new Map([
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['mp3', 'audio/mpeg'],
  ['ogg', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['m4a', 'audio/mp4'],
  ['csv', 'text/csv'],
  ['zip', 'application/zip'],
  ['json', 'application/json'],
])

/** Content type of a blob without a stored type and without a known extension. */
export const unknownType = 'application/octet-stream'

/** Content type of the extension of a key; `unknownType` without a known extension. */
export function typeOfKey(key: string): string {
  return byExtension.get(key.slice(key.lastIndexOf('.') + 1)) ?? unknownType
}

/** True for content types of web pages. */
export const isPage = (contentType: string | undefined): boolean =>
  /^\s*(?:text\/html|application\/xhtml)/i.test(contentType ?? '')
