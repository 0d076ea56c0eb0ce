/**
 * One request and its response on one connection, passed to a receiver. The exchange follows no redirects and decodes
 * nothing.
 */

import type { Dispatcher } from 'undici'
import type { Deadline } from './deadline.js'
import { OutboundError, toOutboundError } from './errors.js'

/** One hop of a request: method, URL and final headers. */
export type Hop = { method: string; url: URL; headers: Record<string, string>; body?: Buffer | string }

/** Flow control by which the receiver of a response pauses and resumes the connection. */
export type Control = { pause(): void; resume(): void; stop(error: OutboundError): void }

/** Receives a response. After `end` or `fail` no method is called. An exception in a method ends the exchange. */
export type Receiver = {
  start(status: number, headers: Record<string, string>, control: Control): void
  data(chunk: Buffer): void
  end(): void
  fail(error: OutboundError): void
}

const headersMs = 10_000

/** Sends one hop of a request, and aborts it when the deadline passes. */
export function exchange(dispatcher: Dispatcher, hop: Hop, deadline: Deadline, receiver: Receiver): void {
  let wire: Dispatcher.DispatchController | undefined
  let failure: OutboundError | undefined
  let started = false
  let over = false

  const letGo = () => {
    if (deadline.onExpire === stop) deadline.onExpire = null
  }
  const stop = (error: OutboundError) => {
    if (over) return
    over = true
    failure = error
    letGo()
    wire?.abort(error)
    receiver.fail(error.at(started ? 'responded' : wire ? 'sent' : 'unsent'))
  }
  const guarded = (step: () => void) => {
    try {
      if (!over) step()
    } catch (error) {
      stop(toOutboundError(error))
    }
  }
  const control: Control = { pause: () => wire?.pause(), resume: () => wire?.resume(), stop }

  if (deadline.expired) {
    stop(deadline.expired)
    return
  }
  deadline.onExpire = stop
  dispatcher.dispatch(
    {
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: hop.method as Dispatcher.HttpMethod,
      headers: hop.headers,
      body: hop.body ?? null,
      headersTimeout: headersMs,
      // The body timeout of undici is disabled, because the deadline of the whole request is stricter.
      bodyTimeout: 0,
    },
    {
      onRequestStart(controller) {
        // If the request failed before anything was written, throwing its error here removes the request from the queue
        // of undici. The connection stays open.
        if (failure) throw failure
        wire = controller
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200) return
        started = true
        guarded(() => receiver.start(status, flatten(headers), control))
      },
      onResponseData: (_controller, chunk) => guarded(() => receiver.data(chunk)),
      onResponseEnd() {
        guarded(() => {
          over = true
          letGo()
          receiver.end()
        })
      },
      onResponseError(_controller, error) {
        stop(started ? toOutboundError(error) : errorBeforeResponse(error))
      },
    },
  )
}

/** An error before the first byte of the response is a connection error, not an HTTP error. */
function errorBeforeResponse(error: unknown): OutboundError {
  if ((error as { code?: string }).code !== 'UND_ERR_SOCKET') return toOutboundError(error)
  return new OutboundError('connect', 'the connection closed before a response', { cause: error })
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = Object.create(null)
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    flat[name] = Array.isArray(value) ? value.join(', ') : (value ?? '')
  }
  return flat
}
