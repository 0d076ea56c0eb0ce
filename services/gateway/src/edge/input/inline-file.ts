/** Pictures that stand in a field as a `data:` address: staged like files, so that they never travel on the bus. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { fail, invalidField } from '@murmuration/contracts/kit'
import { MAX_FILES, MAX_INLINE } from './body-size.js'
import { asRefusal, type StagedFile, type Staging } from './multipart.js'

const HEAD = /^data:([a-z]+\/[a-z0-9.+-]{1,100})(?:;[a-z0-9-]{1,50}=[^;,]{0,100}){0,4};base64,/i
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

const labelOf = (field: string): string => `${field.charAt(0).toUpperCase()}${field.slice(1)}`

/** The bytes of a `data:` address and what it says they are. Throws by the name of the field when it is none. */
export const decodeInline = (field: string, address: string): { type: string; bytes: Buffer } => {
  const head = HEAD.exec(address.slice(0, 1_000))
  if (!head) throw invalidField(`${labelOf(field)} is invalid`)
  // Plus signs of careless forms arrive as spaces; line breaks are as harmless.
  const text = address
    .slice(head[0].length)
    .replaceAll(' ', '+')
    .replaceAll(/[\r\n]/g, '')
  if (text.length > Math.ceil(MAX_INLINE / 3) * 4)
    throw invalidField(`${labelOf(field)} file size must be less than 8 MB`)
  if (text === '' || !BASE64.test(text)) throw invalidField(`${labelOf(field)} is invalid`)
  return { type: (head[1] ?? '').toLowerCase(), bytes: Buffer.from(text, 'base64') }
}

/** The name of a file that every item of a list may have: `media[][cover]`. */
const LISTED = /^(\w+)\[\]\[(\w+)\]$/

interface Place {
  /** The field, or the list that holds it. */
  readonly name: string
  /** Which item of the list and which member of it; null for a field of its own. */
  readonly item: { readonly index: string; readonly member: string } | null
  readonly address: string
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^data:/i.test(value)

/** Where the fields of one name hold `data:` addresses. */
const placesOf = (given: Readonly<Record<string, unknown>>, field: string): Place[] => {
  const [, name = field, member] = LISTED.exec(field) ?? []
  const value = given[name]
  if (member === undefined) return isAddress(value) ? [{ name, item: null, address: value }] : []
  return Object.entries(typeof value === 'object' ? (value ?? {}) : {}).flatMap(([index, one]) => {
    const address = one?.[member]
    return isAddress(address) ? [{ name, item: { index, member }, address }] : []
  })
}

/** The list with a file in the place of its address. */
const filledAt = (list: unknown, { index, member }: NonNullable<Place['item']>, file: StagedFile): unknown => {
  const put = (at: string, one: unknown) => (at === index ? { ...(one as object), [member]: file } : one)
  return Array.isArray(list)
    ? list.map((one, at) => put(String(at), one))
    : Object.fromEntries(Object.entries(list as object).map(([at, one]) => [at, put(at, one)]))
}

/**
 * Stages the fields of these names that hold `data:` addresses; all of them or none. Files of lists stand in their items, and
 * under their keys, as in forms.
 */
export const stageInline = async (
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
  staging: Staging,
): Promise<{ given: Record<string, unknown>; files: Record<string, StagedFile> }> => {
  const places = names.flatMap((name) => placesOf(given, name))
  if (places.length > MAX_FILES) throw fail('invalid', 'The body has too many files')
  const files = places.map((place) => ({
    ...place,
    ...decodeInline(place.item?.member ?? place.name, place.address),
    key: `staging/${randomUUID()}`,
  }))
  const stored = await Promise.allSettled(
    files.map((one) =>
      staging.put(one.key, Readable.from([one.bytes]), { contentType: one.type, maxBytes: MAX_INLINE }),
    ),
  )
  const failed = stored.find((one) => one.status === 'rejected')
  if (failed) {
    await staging.delete(files.map((one) => one.key)).catch(() => undefined)
    throw asRefusal(failed.reason)
  }
  const read: { given: Record<string, unknown>; files: Record<string, StagedFile> } = { given: { ...given }, files: {} }
  for (const { name, item, key, type, bytes } of files) {
    const file = { key, size: bytes.length, type, name: '' }
    read.files[item ? key : name] = file
    if (item) read.given[name] = filledAt(read.given[name], item, file)
  }
  return read
}
