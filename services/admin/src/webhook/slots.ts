/**
 * Limits simultaneous requests to one webhook, so that a webhook that does not respond cannot use all the concurrency
 * of the job.
 */
import { createKeyedLimiter } from '@murmuration/flow'
import type { Outcome } from './rules.js'

export interface Slots {
  /**
   * Sends a request in a slot of the webhook. If no slot becomes free, nothing is sent and null is returned; with `always`, the request is
   * sent without a slot. `request` returns null if it sent nothing.
   */
  send(webhook: string, request: () => Promise<Outcome | null>, always: boolean): Promise<Sent | null>
}

/** Outcome of a request that got a slot; `outcome` is null if nothing was sent. */
export interface Sent {
  readonly outcome: Outcome | null
}

interface Webhook {
  /** Number of deliveries to the webhook that have a slot or wait for a slot. */
  users: number
  /** Time of the last response of the webhook, or of the first request before any response. */
  respondedAt: number
}

/**
 * @param options.max simultaneous requests to one webhook
 * @param options.silenceMs milliseconds without a response after which deliveries do not wait for a slot
 * @param options.waitMs longest wait for a slot
 */
export const createSlots = (options: { max: number; silenceMs: number; waitMs: number }): Slots => {
  const limiter = createKeyedLimiter({ concurrency: options.max })
  const webhooks = new Map<string, Webhook>()

  const takeSlot = async (id: string, webhook: Webhook) => {
    const waiting = new AbortController()
    const slot = limiter.enter(id, waiting.signal)
    if (!(slot instanceof Promise)) return slot
    const end = performance.now() + options.waitMs
    let timer: NodeJS.Timeout | undefined
    const check = (): void => {
      const left = Math.min(end, webhook.respondedAt + options.silenceMs) - performance.now()
      if (left <= 0) waiting.abort()
      else timer = setTimeout(check, left)
    }
    check()
    return slot.catch(() => null).finally(() => clearTimeout(timer))
  }

  return {
    async send(id, request, always) {
      const webhook = webhooks.get(id) ?? { users: 0, respondedAt: performance.now() }
      webhooks.set(id, webhook)
      webhook.users++
      try {
        const release = await takeSlot(id, webhook)
        if (release === null && !always) return null
        const outcome = await request().finally(() => release?.())
        if (outcome?.status) webhook.respondedAt = performance.now()
        return { outcome }
      } finally {
        if (--webhook.users === 0) webhooks.delete(id)
      }
    },
  }
}
