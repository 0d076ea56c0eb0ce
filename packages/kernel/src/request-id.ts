/** Id of a request in logs, traces and refusals. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The id that a proxy gave the request, if it is short and has only plain characters; else a new id. */
export const requestIdOf = (req: IncomingMessage): string => {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}
