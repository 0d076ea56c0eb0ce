/** Rules for names of stored files: which areas belong to media, and to which row a copy belongs. */

/** Prefixes of keys in the blob store under which media stores files. */
export const AREAS = ['media/', 'avatars/', 'headers/', 'emoji/', 'cache/'] as const

export interface CopyName {
  kind: 'attachment' | 'picture'
  id: string
}

/** The row of a copy of a remote file, by the key of the copy. Null for other files. */
export const copyNameOf = (key: string): CopyName | null => {
  const [, letter = '', id = ''] = /^cache\/([atps])(\d{1,19})-[0-9a-f]{40}$/.exec(key) ?? []
  if (id === '') return null
  return { kind: letter === 'a' || letter === 't' ? 'attachment' : 'picture', id }
}

/** Position of the task in the blob store: the prefix, and the cursor below it. */
export interface Position {
  area: number
  cursor?: string
}

export const positionOf = (after: string): Position => (after === '' ? { area: 0 } : (JSON.parse(after) as Position))

/** Position of the next page; null after the last prefix. */
export const nextPosition = (position: Position, cursor: string | undefined): string | null => {
  if (cursor !== undefined) return JSON.stringify({ area: position.area, cursor })
  return position.area + 1 < AREAS.length ? JSON.stringify({ area: position.area + 1 }) : null
}

export type Address = { key: string } | { token: string }

/** The file to which a URL of this server leads. `bases`: prefixes of the URLs of stored files. */
export const addressOf = (
  url: string,
  { bases, proxy }: { bases: readonly string[]; proxy: string },
): Address | null => {
  const plain = url.trim().replace(/[?#].*$/, '')
  if (plain.startsWith(proxy)) return { token: plain.slice(proxy.length) }
  const base = bases.find((one) => plain.startsWith(one))
  const key = base === undefined ? '' : plain.slice(base.length)
  return /^[a-z]+\/[\w/.-]{1,190}$/.test(key) && !key.includes('..') ? { key } : null
}
