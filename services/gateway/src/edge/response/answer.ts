/** Writes the response of the owner: its unchanged bytes, with the headers of the route. */
import type { RpcResponse } from '@murmuration/bus'
import type { Exchange } from '../exchange.js'
import { type HeaderList, withHeaders } from './headers.js'
import { linkHeader } from './links.js'

/** Internal header by which a service reports that the request changed nothing. It is not sent to clients. */
export const UNCHANGED = 'X-Unchanged'

const baseOf = ({ headers, caller, limits }: Exchange, { code, headers: own }: RpcResponse['meta']): string[] => {
  const list: HeaderList = code ? headers.refused : caller.app === null ? headers.anonymous : headers.signedIn
  const { [UNCHANGED]: _unchanged, ...shown } = own
  return withHeaders(list, limits ? { ...limits, ...shown } : shown)
}

export const send = (
  exchange: Exchange,
  { meta, bytes }: RpcResponse,
  origin: string,
  given: Record<string, unknown>,
): void => {
  const { res, requestId, method, operation, path } = exchange
  const headers = baseOf(exchange, meta)
  const link = linkHeader(operation, { origin, path }, given, meta)
  if (link !== null) headers.push('Link', link)
  headers.push('X-Request-Id', requestId, 'Content-Length', String(bytes.length))
  res.writeHead(meta.status, headers)
  res.end(method === 'HEAD' ? undefined : bytes)
}
