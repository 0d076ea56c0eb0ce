/** Parses dictionaries and writes inner lists of structured fields (RFC 8941), as message signatures need them. */

export type BareItem =
  | { type: 'string' | 'token'; value: string }
  | { type: 'integer' | 'decimal'; value: string }
  | { type: 'boolean'; value: boolean }
  | { type: 'bytes'; value: Uint8Array }

export type Parameters = ReadonlyMap<string, BareItem>
export type Item = { item: BareItem; params: Parameters }
export type Member =
  | { kind: 'item'; item: BareItem; params: Parameters }
  | { kind: 'list'; items: readonly Item[]; params: Parameters }

/** Maximum number of characters of a structured header; a longer header is malformed. */
const longestHeader = 8192
/** Maximum number of members of a header, of items of a list, and of parameters of an item. */
const maxParts = 64

type Cursor = { readonly text: string; at: number }

const malformed = new Error('malformed structured field')

/** Consumes and returns the match of a sticky pattern at the cursor; null if there is none. */
const take = (cursor: Cursor, pattern: RegExp): string | null => {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)
  if (found === null) return null
  cursor.at += found[0].length
  return found[0]
}

const must = <T>(value: T | null): T => {
  if (value === null) throw malformed
  return value
}

const readBareItem = (cursor: Cursor): BareItem => {
  const string = take(cursor, /"(?:[ !#-[\]-~]|\\["\\])*"/y)
  if (string !== null) return { type: 'string', value: string.slice(1, -1).replace(/\\(["\\])/g, '$1') }
  const bytes = take(cursor, /:[A-Za-z0-9+/]*={0,2}:/y)
  if (bytes !== null) return { type: 'bytes', value: Buffer.from(bytes.slice(1, -1), 'base64') }
  const number = take(cursor, /-?\d{1,15}(?:\.\d{1,3})?/y)
  if (number !== null) return { type: number.includes('.') ? 'decimal' : 'integer', value: number }
  const boolean = take(cursor, /\?[01]/y)
  if (boolean !== null) return { type: 'boolean', value: boolean === '?1' }
  return { type: 'token', value: must(take(cursor, /[A-Za-z*][A-Za-z0-9!#$%&'*+\-.^_`|~:/]*/y)) }
}

const readKey = (cursor: Cursor): string => must(take(cursor, /[a-z*][a-z0-9_\-.*]*/y))

const readParameters = (cursor: Cursor): Parameters => {
  const params = new Map<string, BareItem>()
  while (take(cursor, /; */y) !== null) {
    const key = readKey(cursor)
    // RFC 8941 uses the last of repeated parameters. This parser refuses repeated parameters, because other parsers may
    // use the first.
    if (params.has(key) || params.size >= maxParts) throw malformed
    params.set(key, take(cursor, /=/y) === null ? { type: 'boolean', value: true } : readBareItem(cursor))
  }
  return params
}

const readInnerList = (cursor: Cursor): readonly Item[] => {
  const items: Item[] = []
  take(cursor, / */y)
  while (take(cursor, /\)/y) === null) {
    if (items.length >= maxParts) throw malformed
    items.push({ item: readBareItem(cursor), params: readParameters(cursor) })
    if (take(cursor, / +/y) === null && cursor.text[cursor.at] !== ')') throw malformed
  }
  return items
}

const readMember = (cursor: Cursor): Member => {
  if (take(cursor, /=/y) === null)
    return { kind: 'item', item: { type: 'boolean', value: true }, params: readParameters(cursor) }
  if (take(cursor, /\(/y) !== null)
    return { kind: 'list', items: readInnerList(cursor), params: readParameters(cursor) }
  return { kind: 'item', item: readBareItem(cursor), params: readParameters(cursor) }
}

const readDictionary = (cursor: Cursor): ReadonlyMap<string, Member> => {
  const members = new Map<string, Member>()
  do {
    const key = readKey(cursor)
    if (members.has(key) || members.size >= maxParts) throw malformed
    members.set(key, readMember(cursor))
  } while (take(cursor, /[ \t]*,[ \t]*/y) !== null)
  if (cursor.at !== cursor.text.length) throw malformed
  return members
}

/** Members of a dictionary header, in order. Returns null if the header is empty, malformed or too long, or repeats a key. */
export const parseDictionary = (header: string): ReadonlyMap<string, Member> | null => {
  const text = header.trim()
  if (text.length > longestHeader) return null
  try {
    return readDictionary({ text, at: 0 })
  } catch (error) {
    if (error === malformed) return null
    throw error
  }
}

/** Canonical text of a bare item (RFC 8941, section 4.1.3.1). */
export const writeBareItem = (item: BareItem): string => {
  if (item.type === 'string') return `"${item.value.replace(/["\\]/g, '\\$&')}"`
  if (item.type === 'bytes') return `:${Buffer.from(item.value).toString('base64')}:`
  if (item.type === 'boolean') return item.value ? '?1' : '?0'
  return item.value
}

const writeParameters = (params: Parameters): string =>
  [...params]
    .map(([key, value]) => (value.type === 'boolean' && value.value ? `;${key}` : `;${key}=${writeBareItem(value)}`))
    .join('')

/** Canonical text of an inner list with its parameters, in the given order. */
export const writeInnerList = (items: readonly Item[], params: Parameters): string =>
  `(${items.map((it) => writeBareItem(it.item) + writeParameters(it.params)).join(' ')})${writeParameters(params)}`
