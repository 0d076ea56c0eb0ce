/** Parses path and query of requests for streams. */
import type { IncomingMessage } from 'node:http'

/** The path without a slash at its end, and the query. A query may contain further question marks. */
export const pathAndQuery = (req: IncomingMessage): { path: string; query: URLSearchParams } => {
  const url = req.url ?? '/'
  const mark = url.indexOf('?')
  const path = (mark < 0 ? url : url.slice(0, mark)).replace(/\/$/, '')
  return { path, query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)) }
}
