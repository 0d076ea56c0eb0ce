/** Request and reply: a service's endpoints, and asking another service for an answer now. */
import { fail } from '@murmuration/contracts/kit'
import { type Service, Svcm } from '@nats-io/services'
import { type Msg, type MsgHdrs, type NatsConnection, NoRespondersError, TimeoutError } from '@nats-io/transport-node'
import { askInParts, isAway, respondInParts } from './parts.js'
import { type ReplyMeta, readReply, writeReply } from './wire.js'

/** Requests, and answers that do not come in parts, above this many bytes are refused. The server's limit is 1 MiB. */
export const MAX_MESSAGE = 900_000

export interface Answer {
  bytes: Uint8Array
  meta: ReplyMeta
}

export interface EndpointOptions {
  name: string
  subject: string
  about: string
  large: boolean
  /** Null answers nothing at all; only a fault point does that. */
  handle(message: Msg): Promise<Answer | null>
  /** The answer could not be sent. */
  unsent(error: unknown): void
}

/** Registers a service with the NATS services framework, so that the usual tools see its endpoints and figures. */
export const registerService = (nc: NatsConnection, name: string, version: string): Promise<Service> =>
  new Svcm(nc).add({ name: `murmuration-${name}`, version, queue: name, description: `The ${name} service` })

const respond = (message: Msg, answer: Answer, large: boolean): void => {
  const { bytes, meta } = answer
  const h = writeReply(meta)
  if (large) respondInParts(message, bytes, h)
  else message.respond(bytes, h ? { headers: h } : undefined)
}

/** Adds one endpoint. `handle` never rejects: refusals are answers too. Returns nothing; stop by draining the service. */
export const serveEndpoint = (service: Service, options: EndpointOptions): void => {
  service.addEndpoint(options.name.replaceAll('.', '_'), {
    subject: options.subject,
    metadata: { about: options.about.slice(0, 200) },
    handler: (error, message) => {
      if (error) return
      options
        .handle(message)
        .then((answer) => {
          if (message.reply && answer) respond(message, answer, options.large)
        })
        .catch(options.unsent)
    },
  })
}

const unavailable = (cause: unknown) =>
  fail('unavailable', 'There was a temporary problem serving your request, please try again', { cause, retryAfter: 1 })

const asFailure = (error: unknown, subject: string): unknown => {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (root instanceof NoRespondersError || error instanceof NoRespondersError)
    return unavailable(new Error(`nobody answers ${subject}`))
  if (root instanceof TimeoutError || error instanceof TimeoutError)
    return fail('timeout', 'The request took too long, please try again', {
      cause: new Error(`no answer in time from ${subject}`),
      retryAfter: 2,
    })
  return unavailable(error)
}

/** Asks once. Resolves with whatever was answered, refusals included; throws only when there was no answer. */
export const ask = async (
  nc: NatsConnection,
  subject: string,
  payload: Uint8Array | string,
  options: { headers: MsgHdrs; timeoutMs: number },
): Promise<Answer> => {
  if (nc.isClosed() || nc.isDraining()) throw unavailable(new Error('the bus connection is closed'))
  if (isAway(nc)) throw unavailable(new Error('the bus is away'))
  if (payload.length > MAX_MESSAGE) throw fail('too_large', 'The request is too large')
  try {
    const parts = await askInParts(nc, subject, payload, options)
    return {
      bytes: parts.length === 1 ? (parts[0] as Msg).data : Buffer.concat(parts.map((part) => part.data)),
      meta: readReply(parts[0]?.headers),
    }
  } catch (error) {
    throw asFailure(error, subject)
  }
}
