/** One HTTP request as the edge sees it, from the first byte to the answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyOperation, Caller, Route } from '@murmuration/contracts/kit'

export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly requestId: string
  readonly method: string
  /** Path without query. */
  readonly path: string
  /** Query string without the question mark. */
  readonly query: string
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly operation: AnyOperation
  readonly route: Route
  readonly startedAt: number
  ip: string
  caller: Caller
}
