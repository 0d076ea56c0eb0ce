/** Receivers of a response: as a whole in memory, or as a stream. */

import { pipeline, Readable, type Transform } from 'node:stream'
import { decodeStages, decodeWhole, encodingsOf } from './decode.js'
import { OutboundError } from './errors.js'
import type { Control, Receiver } from './exchange.js'

/** Options of both receivers: the request method, the byte cap, and the responses whose body is skipped. */
export type ReceiveOptions = {
  method: string
  maxBytes: number
  /** True for a response whose body is not needed, such as a redirect. */
  skip: (status: number, headers: Record<string, string>) => boolean
}

/** A response whose headers have arrived. */
export type Received<Body> = { status: number; headers: Record<string, string>; body: Body }

type Completion<Body> = { resolve: (received: Received<Body>) => void; reject: (error: OutboundError) => void }

/** Collects the body of a response up to the limit, and decodes it. */
export function receiveWhole(options: ReceiveOptions, completion: Completion<Buffer>): Receiver {
  const cap = byteCounter(options)
  const chunks: Buffer[] = []
  let status = 0
  let headers: Record<string, string> = {}
  let encodings: string[] = []
  return {
    start(code, fields, control) {
      status = code
      headers = fields
      if (options.skip(code, fields))
        return skipBody(control, fields, () => completion.resolve({ status, headers, body: empty }))
      cap.announce(fields)
      if (options.method !== 'HEAD') encodings = encodingsOf(fields)
    },
    data(chunk) {
      cap.count(chunk)
      chunks.push(chunk)
    },
    end() {
      const raw = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      // undici frees the connection in the next turn of the event loop. A caller that sends its next request before that
      // would open another connection.
      const resolveWith = (body: Buffer) => setImmediate(() => completion.resolve({ status, headers, body }))
      decodeWhole(encodings, raw, options.maxBytes).then(resolveWith, completion.reject)
    },
    fail: completion.reject,
  }
}

/** Resolves with the headers. Backpressure applies while the body is unread. `onOver`: called when the connection is no longer needed. */
export function receiveStream(options: ReceiveOptions, completion: Completion<Readable>, onOver: () => void): Receiver {
  const cap = byteCounter(options)
  let raw: Readable | undefined
  let control: Control | undefined
  let skipped = false
  return {
    start(status, headers, controls) {
      if (options.skip(status, headers)) {
        skipped = true
        return skipBody(controls, headers, () => completion.resolve({ status, headers, body: Readable.from([]) }))
      }
      cap.announce(headers)
      const stages = decodeStages(options.method === 'HEAD' ? [] : encodingsOf(headers), options.maxBytes)
      control = controls
      raw = new Readable({
        read: () => controls.resume(),
        destroy(error, done) {
          controls.stop(new OutboundError('timeout', 'the caller stopped reading', { cause: error }))
          done(error)
        },
      })
      completion.resolve({ status, headers, body: chain(raw, stages) })
    },
    data(chunk) {
      cap.count(chunk)
      if (!raw!.push(chunk)) control!.pause()
    },
    end() {
      if (skipped) return
      onOver()
      raw?.push(null)
    },
    fail(error) {
      if (skipped) return
      onOver()
      if (raw) raw.destroy(error)
      else completion.reject(error)
    },
  }
}

const empty = Buffer.alloc(0)

/** Body after all decoders. If an error occurs before the body is read, the reader gets the error. */
function chain(raw: Readable, stages: readonly Transform[]): Readable {
  raw.on('error', () => {})
  if (stages.length === 0) return raw
  const last = stages[stages.length - 1]!
  last.on('error', () => {})
  pipeline([raw, ...stages], (error) => {
    if (error && !last.destroyed) last.destroy(error)
  })
  return last
}

/** Ends the connection instead of reading an unused body, unless the body is empty. */
function skipBody(control: Control, headers: Record<string, string>, resolve: () => void): void {
  resolve()
  if (headers['content-length'] !== '0') control.stop(new OutboundError('redirect', 'the body is not wanted'))
}

function byteCounter({ method, maxBytes }: ReceiveOptions) {
  let total = 0
  const tooLarge = () => new OutboundError('too_large', 'the body is larger than asked for')
  return {
    announce(headers: Record<string, string>) {
      if (method !== 'HEAD' && Number(headers['content-length']) > maxBytes) throw tooLarge()
    },
    count(chunk: Buffer) {
      total += chunk.length
      if (total > maxBytes) throw tooLarge()
    },
  }
}
