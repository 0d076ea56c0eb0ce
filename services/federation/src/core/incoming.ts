/** A request as the edge passed it on, read once: the very bytes, the target, and what its headers ask for. */
import { gunzipSync } from 'node:zlib'
import type { SignedRequest as ForSignatures } from '@murmuration/activitypub/signatures/request'
import { MAX_ACTIVITY, SignedRequest } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'

export interface Incoming extends ForSignatures {
  readonly ip: string | null
  readonly query: URLSearchParams
  /** Path parameters, such as `id`. */
  param(name: string): string | null
}

const bytesOf = ({ body, gzip }: SignedRequest): Buffer => {
  if (body !== undefined) return Buffer.from(body, 'utf8')
  if (gzip === undefined) return Buffer.alloc(0)
  // The edge made it, from a body it had measured.
  return gunzipSync(Buffer.from(gzip, 'base64'), { maxOutputLength: MAX_ACTIVITY })
}

/** Reads the input of an operation that gets the whole request. */
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

/** One header as text; the first of several. */
export const headerText = (request: Pick<Incoming, 'headers'>, name: string): string => {
  const value = request.headers[name]
  return (typeof value === 'string' ? value : value?.[0]) ?? ''
}

export const isSigned = (request: Pick<Incoming, 'headers'>): boolean =>
  request.headers.signature !== undefined || request.headers['signature-input'] !== undefined
