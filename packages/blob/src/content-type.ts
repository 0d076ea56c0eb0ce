/** The content types that a file's extension says by itself, so that the disk need not remember them. */

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

/** The type of a blob about which nothing else is known. */
export const unknownType = 'application/octet-stream'

/** The content type that the key's extension stands for. */
export function typeOfKey(key: string): string {
  return byExtension.get(key.slice(key.lastIndexOf('.') + 1)) ?? unknownType
}
