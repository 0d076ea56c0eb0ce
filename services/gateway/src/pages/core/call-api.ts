/** Calls API operations for the account of a browser session, with the authorization and rate limits of API clients. */
import { randomUUID } from 'node:crypto'
import type { RpcResponse } from '@murmuration/bus'
import type { SessionUser } from '@murmuration/contracts/accounts'
import { type AnyOperation, type Caller, fail, type Operation, type ResultOf } from '@murmuration/contracts/kit'
import { bucketsFor, type RateLimitBucket, rateLimits } from '@murmuration/contracts/rate-limits'
import { activeTraceparent, currentRequest, decodeResponse } from '@murmuration/kernel'
import type { z } from 'zod'
import { familyOf } from '../../edge/admission/count-request.js'
import { authorize } from '../../edge/caller/auth.js'
import type { TokenLookup } from '../../edge/caller/tokens.js'
import { parseInput } from '../../edge/input/input.js'
import { UNCHANGED } from '../../edge/response/send.js'
import type { Edge } from '../../edge/serve.js'

type InputOf<Op> = Op extends Operation<infer I, infer _O, infer _K> ? z.input<I> : never
type ResultFor<Op> = Op extends Operation<infer _I, infer O, infer _K> ? ResultOf<O> : never

/** One page of a list. */
export interface ListPage<Items> {
  readonly items: Items
  /** Value of `max_id` for the next page of the list; null at the end. */
  readonly older: string | null
  /** Value of `offset` for the next page, for lists with an offset; null at the end. */
  readonly offset: string | null
}

export interface CallApi {
  /** Calls an operation and returns its decoded response. `key`: an idempotency key. If the operation fails, throws its failure. */
  <Op extends AnyOperation>(operation: Op, input: InputOf<Op>, key?: string): Promise<ResultFor<Op>>
  page<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): Promise<ListPage<ResultFor<Op>>>
  /** Authorizes a request and counts it against its rate limits, before a large body is read. */
  admit(operation: AnyOperation): Promise<void>
}

/** OAuth scopes of a browser session: all scopes except those of staff. */
const SCOPES: readonly string[] = ['read', 'write', 'follow', 'push', 'profile']
/** OAuth scopes of a browser session on staff pages. Each operation also checks the permissions of the viewer's role. */
export const STAFF_SCOPES: readonly string[] = [...SCOPES, 'admin:read', 'admin:write']

const bucketsOf = ({ http: [route] }: AnyOperation, names: readonly string[]): readonly RateLimitBucket[] =>
  route === undefined ? [] : bucketsFor(rateLimits.requests, route.method, route.path, names)

export const createCallApi = (
  { limits, access, sendRequest }: Pick<Edge, 'limits' | 'access' | 'sendRequest'>,
  { viewer, state, needsFactor }: SessionUser,
  client: Pick<Caller, 'ip' | 'userAgent'>,
  scopes: readonly string[] = SCOPES,
): CallApi => {
  const caller: Caller = { ...client, viewer, app: null }
  const requester = { ip: client.ip ?? '', viewerId: viewer.id, tokenId: null }
  const lookup: TokenLookup = {
    why: 'ok',
    found: { tokenId: '', appId: '', scopes: scopes as string[], viewer, state },
  }
  const admit = async (operation: AnyOperation, names: readonly string[] = []): Promise<void> => {
    if (needsFactor) throw fail('forbidden', 'Your account requires two-factor authentication')
    authorize(operation, lookup, access)
    await limits.count(bucketsOf(operation, names), requester)
  }
  const send = async (operation: AnyOperation, given: object, key: string | null): Promise<RpcResponse> => {
    const input = parseInput(operation, given)
    const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    await admit(operation, names)
    const family = await limits.take(familyOf(operation.family), requester)
    const request = currentRequest()
    try {
      const response = await sendRequest(operation, JSON.stringify(input), {
        remainingMs: (request?.endsAt ?? 0) - performance.now(),
        caller,
        requestId: request?.requestId ?? randomUUID(),
        commandId: operation.class === 'read' ? null : randomUUID(),
        idempotencyKey: key,
        locale: request?.locale ?? '',
        traceparent: activeTraceparent(),
      })
      if (response.meta.code || response.meta.headers[UNCHANGED]) family.refund?.()
      return response
    } catch (error) {
      family.refund?.()
      throw error
    }
  }
  const one = async (operation: AnyOperation, input: object, key?: string) =>
    decodeResponse(operation, await send(operation, input, key ?? null))
  const page = async (operation: AnyOperation, input: object) => {
    const response = await send(operation, input, null)
    const { max_id: older = null, offset = null } = response.meta.next ?? {}
    return { items: decodeResponse(operation, response), older, offset }
  }
  return Object.assign(one, { page, admit: (operation: AnyOperation) => admit(operation) }) as CallApi
}
