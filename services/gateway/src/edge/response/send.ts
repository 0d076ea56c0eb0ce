/**
 * Writes the response that the owning service sent: its unchanged bytes with the headers of the route, or an error in
 * the language of the caller.
 */
import type { RpcResponse } from '@murmuration/bus'
import type { Exchange } from '../exchange.js'
import { inLanguage, languageOfCaller } from './error-language.js'
import { type HeaderList, withHeaders } from './headers.js'
import { linkHeader } from './links.js'

/** Internal header by which a service reports that the request changed nothing. The header is not sent to clients. */
export const UNCHANGED = 'X-Unchanged'

const baseOf = ({ headers, caller, limits }: Exchange, { code, headers: own }: RpcResponse['meta']): string[] => {
  const list: HeaderList = code ? headers.refused : caller.app === null ? headers.anonymous : headers.signedIn
  const { [UNCHANGED]: _unchanged, ...shown } = own
  return withHeaders(list, limits ? { ...limits, ...shown } : shown)
}

const write = (
  { res, requestId, method }: Exchange,
  headers: string[],
  status: number,
  bytes: RpcResponse['bytes'],
): void => {
  headers.push('X-Request-Id', requestId, 'Content-Length', String(bytes.length))
  res.writeHead(status, headers)
  res.end(method === 'HEAD' ? undefined : bytes)
}

export const send = (
  exchange: Exchange,
  { meta, bytes }: RpcResponse,
  origin: string,
  given: Record<string, unknown>,
): void => {
  const { req, caller, operation, path } = exchange
  if (meta.code) {
    const { phrases, headers: own } = meta
    const local = inLanguage(languageOfCaller(req, caller), bytes, { phrases, own })
    write(exchange, withHeaders(baseOf(exchange, meta), local.headers), meta.status, local.bytes)
    return
  }
  const headers = baseOf(exchange, meta)
  const link = linkHeader(operation, { origin, path }, given, meta)
  if (link !== null) headers.push('Link', link)
  write(exchange, headers, meta.status, bytes)
}
