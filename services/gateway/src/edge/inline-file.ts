/** Pictures that stand in a field as a `data:` address: staged like files, so that they never travel on the bus. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { invalidField } from '@murmuration/contracts/kit'
import { MAX_INLINE } from './body-size.js'
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

/** Stages the fields of these names that hold `data:` addresses; all of them or none. */
export const stageInline = async (
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
  staging: Staging,
): Promise<Record<string, StagedFile>> => {
  const decoded = names.flatMap((name) => {
    const value = given[name]
    return typeof value === 'string' && /^data:/i.test(value) ? [{ name, ...decodeInline(name, value) }] : []
  })
  const files = decoded.map((one) => ({ ...one, key: `staging/${randomUUID()}` }))
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
  return Object.fromEntries(
    files.map(({ name, key, type, bytes }) => [name, { key, size: bytes.length, type, name: '' }]),
  )
}
