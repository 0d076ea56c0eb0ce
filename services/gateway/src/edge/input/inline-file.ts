/**
 * Pictures in fields as `data:` URLs. The edge stores these pictures in staging like uploaded files, so that their bytes are
 * not sent over the bus.
 */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { errorText, fail, fieldText, invalidField } from '@murmuration/contracts/kit'
import { MAX_FILES, MAX_INLINE } from './body-size.js'
import { asRefusal, type StagedFile, type Staging } from './multipart.js'

const HEAD = /^data:([a-z]+\/[a-z0-9.+-]{1,100})(?:;[a-z0-9-]{1,50}=[^;,]{0,100}){0,4};base64,/i
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** The bytes and media type of a `data:` URL in base64. Throws 422 with the name of the field if it is invalid or too large. */
export const decodeInline = (field: string, address: string): { type: string; bytes: Buffer } => {
  const head = HEAD.exec(address.slice(0, 1_000))
  if (!head) throw invalidField(errorText('{field} is invalid', { field: fieldText(field) }))
  // A plus sign that a form does not escape is decoded as a space. Some clients also wrap the lines of base64.
  const text = address
    .slice(head[0].length)
    .replaceAll(' ', '+')
    .replaceAll(/[\r\n]/g, '')
  if (text.length > Math.ceil(MAX_INLINE / 3) * 4)
    throw invalidField(errorText('{field} file size must be less than 8 MB', { field: fieldText(field) }))
  if (text === '' || !BASE64.test(text))
    throw invalidField(errorText('{field} is invalid', { field: fieldText(field) }))
  return { type: (head[1] ?? '').toLowerCase(), bytes: Buffer.from(text, 'base64') }
}

/** Matches the name of a file field in the items of a list, such as `media[][cover]`. Groups: the names of the list and of the field. */
const LISTED = /^(\w+)\[\]\[(\w+)\]$/

interface InlineFile {
  /** Name of the field with the `data:` URL, or of the list that contains the field. */
  readonly name: string
  /** Index of the list item and name of its member; null if the field is not in a list. */
  readonly item: { readonly index: string; readonly member: string } | null
  readonly address: string
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^data:/i.test(value)

/** All `data:` URLs that a request contains in the field `field`. */
const inlineFilesOf = (given: Readonly<Record<string, unknown>>, field: string): InlineFile[] => {
  const [, name = field, member] = LISTED.exec(field) ?? []
  const value = given[name]
  if (member === undefined) return isAddress(value) ? [{ name, item: null, address: value }] : []
  return Object.entries(typeof value === 'object' ? (value ?? {}) : {}).flatMap(([index, one]) => {
    const address = one?.[member]
    return isAddress(address) ? [{ name, item: { index, member }, address }] : []
  })
}

/** Returns a copy of the list in which a staged file replaces the `data:` URL of an item. */
const withFileAt = (list: unknown, { index, member }: NonNullable<InlineFile['item']>, file: StagedFile): unknown => {
  const put = (at: string, one: unknown) => (at === index ? { ...(one as object), [member]: file } : one)
  return Array.isArray(list)
    ? list.map((one, at) => put(String(at), one))
    : Object.fromEntries(Object.entries(list as object).map(([at, one]) => [at, put(at, one)]))
}

/**
 * Stores the `data:` URLs in the fields of these names in staging: all of them, or none if one fails. Returns each
 * stored file in `files`: under the name of its field, or under its staging key if the field is in a list. In a list
 * item, the file also replaces the URL. Throws `invalid` for more than four URLs.
 */
export const stageInline = async (
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
  staging: Staging,
): Promise<{ given: Record<string, unknown>; files: Record<string, StagedFile> }> => {
  const inlineFiles = names.flatMap((name) => inlineFilesOf(given, name))
  if (inlineFiles.length > MAX_FILES) throw fail('invalid', 'The body has too many files')
  const files = inlineFiles.map((inlineFile) => ({
    ...inlineFile,
    ...decodeInline(inlineFile.item?.member ?? inlineFile.name, inlineFile.address),
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
    if (item) read.given[name] = withFileAt(read.given[name], item, file)
  }
  return read
}
