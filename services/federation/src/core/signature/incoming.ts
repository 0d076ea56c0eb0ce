/** Parses a request that the gateway forwards: method, target, headers, and the exact bytes of the body. */
import { gunzipSync } from 'node:zlib'
import type { SignedRequest as ForSignatures } from '@murmuration/activitypub/signatures/request'
import { MAX_ACTIVITY, SignedRequest } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'

export interface Incoming extends ForSignatures {
  readonly ip: string | null
  readonly query: URLSearchParams
  /** Value of a path parameter, such as `id`; null if the path has none. */
  param(name: string): string | null
}

const bytesOf = ({ body, gzip }: SignedRequest): Buffer => {
  if (body !== undefined) return Buffer.from(body, 'utf8')
  if (gzip === undefined) return Buffer.alloc(0)
  // The gateway compressed the body after it had checked its size, so the decompressed body is within the limit.
  return gunzipSync(Buffer.from(gzip, 'base64'), { maxOutputLength: MAX_ACTIVITY })
}

/** Parses the input of an operation that receives the whole request. Throws `invalid` if the input is malformed. */
export const readIncoming = (input: unknown): Incoming => {
  const parsed = SignedRequest.safeParse(input)
  if (!parsed.success) throw fail('invalid', 'The request could not be read')
  const { method, target, headers, ip } = parsed.data
  const mark = target.indexOf('?')
  return {
    method,
    path: target,
    headers,
    body: bytesOf(parsed.data),
    ip,
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    param: (name) => {
      const value = parsed.data[name]
      return typeof value === 'string' && value !== '' ? value : null
    },
  }
}

/** Value of a header; the first if it was sent several times, and empty if absent. */
export const headerText = (request: Pick<Incoming, 'headers'>, name: string): string => {
  const value = request.headers[name]
  return (typeof value === 'string' ? value : value?.[0]) ?? ''
}

export const isSigned = (request: Pick<Incoming, 'headers'>): boolean =>
  request.headers.signature !== undefined || request.headers['signature-input'] !== undefined
