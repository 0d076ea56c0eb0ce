/** Sends a request over the bus to the service that owns the operation. The time limit depends on the class of the request. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RpcResponse } from '@murmuration/bus'
import { BUDGET_MS } from '@murmuration/contracts/kit'
import { type AskRaw, activeTraceparent } from '@murmuration/kernel'
import type { Context } from '../../context.js'
import { familyOf, requesterOf } from '../admission/count-request.js'
import { type Limits, tighter } from '../admission/limits.js'
import { classOf } from '../admission/request-class.js'
import type { Exchange } from '../exchange.js'
import { UNCHANGED } from '../response/answer.js'
import { createRetryingAsk } from './retrying-ask.js'

const headerText = (req: IncomingMessage, name: string): string | null => {
  const value = req.headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The returned function also counts the request against its family's limit. An error or an unchanged result is refunded. */
export const createAskOwner = ({ ctx, limits, ask }: { ctx: Pick<Context, 'clock'>; limits: Limits; ask: AskRaw }) => {
  const retryingAsk = createRetryingAsk(ask)
  return async (exchange: Exchange, input: unknown, locale: string): Promise<RpcResponse> => {
    const { req, operation } = exchange
    const family = await limits.take(familyOf(operation.family), requesterOf(exchange))
    exchange.limits = tighter(exchange.limits, family.headers)
    const waitedMs = performance.now() - exchange.startedAt
    try {
      const response = await retryingAsk(exchange.releaseSlot, operation, JSON.stringify(input), {
        remainingMs: BUDGET_MS[classOf(exchange)] - waitedMs,
        caller: exchange.caller,
        requestId: exchange.requestId,
        commandId: operation.class === 'read' ? null : randomUUID(),
        idempotencyKey: headerText(req, 'idempotency-key'),
        locale,
        traceparent: activeTraceparent(),
        ...(operation.class === 'login' && { arrival: { at: ctx.clock.now() - waitedMs, waitedMs } }),
      })
      if (response.meta.code || response.meta.headers[UNCHANGED]) family.refund?.()
      return response
    } catch (error) {
      family.refund?.()
      throw error
    }
  }
}
