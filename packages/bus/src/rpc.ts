/** Requests and replies: the endpoints of a service, and requests to other services. */
import { fail } from '@murmuration/contracts/kit'
import { type Service, Svcm } from '@nats-io/services'
import { type Msg, type NatsConnection, NoRespondersError, TimeoutError } from '@nats-io/transport-node'
import { isDisconnected, requestInParts, respondInParts } from './parts.js'
import {
  createRequestBatcher,
  isBatchable,
  type RequestBatcher,
  type RpcRequest,
  type RpcResponse,
  requestsIn,
  responder,
} from './request-batch.js'
import { acceptLater, pingSubject, ResponderLost } from './responders.js'
import { type Envelope, readEnvelope, readReply, writeEnvelope, writeReply } from './wire.js'

/**
 * Maximum bytes of a request, and of a response that is not sent in parts. A larger message is refused. The server's
 * limit is 1 MiB.
 */
export const MAX_MESSAGE = 900_000

export interface EndpointOptions {
  name: string
  subject: string
  about: string
  large: boolean
  /** Handles a request. If it resolves to null, no response is sent. Only fault points of tests use null. */
  handle(question: RpcRequest): Promise<RpcResponse | null>
  /** Called with the error when the response could not be sent. */
  unsent(error: unknown): void
}

/** A service of this process on the bus. */
export interface ServedService {
  readonly service: Service
  /** Handles a message by the subject of its endpoint. */
  readonly endpoints: Map<string, (message: Msg) => void>
  /** Stops taking requests. Resolves when all requests delivered before have been passed to their handlers. */
  stop(): Promise<unknown>
}

/**
 * Registers a service with the NATS services framework, so that NATS tools list its endpoints and statistics. The
 * registration also subscribes to requests directed to this process, and responds to pings until the connection closes.
 */
export const registerService = async (nc: NatsConnection, name: string, version: string): Promise<ServedService> => {
  const description = `The ${name} service`
  const service = await new Svcm(nc).add({ name: `murmuration-${name}`, version, queue: name, description })
  const endpoints: ServedService['endpoints'] = new Map()
  const { id } = service.info()
  nc.subscribe(pingSubject(name, id), { callback: (error, message) => void (error ?? message.respond()) })
  const directed = nc.subscribe(`rpc.${name}.*.*.${id}`, {
    callback: (error, message) => {
      if (!error) endpoints.get(message.subject.slice(0, -id.length - 1))?.(message)
    },
  })
  return { service, endpoints, stop: () => Promise.all([service.stop(), directed.drain()]) }
}

const respond = (message: Msg, response: RpcResponse, large: boolean): void => {
  const { bytes, meta } = response
  const h = writeReply(meta)
  if (large) respondInParts(message, bytes, h)
  else message.respond(bytes, h ? { headers: h } : undefined)
}

const respondToOne = (message: Msg, options: EndpointOptions, done: () => void): void => {
  options
    .handle({ data: message.data, envelope: () => readEnvelope(message.headers) })
    .then((response) => {
      done()
      if (message.reply && response) respond(message, response, options.large)
    })
    .catch((error) => {
      done()
      options.unsent(error)
    })
}

const respondToBatch = (
  message: Msg,
  questions: readonly RpcRequest[],
  options: EndpointOptions,
  done: () => void,
): void => {
  const response = responder(message, options.unsent)
  let left = questions.length
  for (const [place, question] of questions.entries())
    options
      .handle(question)
      .then((given) => given && response(place, given))
      .catch(options.unsent)
      .finally(() => --left === 0 && done())
}

/** Adds one endpoint. `handle` must not reject: refusals are responses too. The endpoint ends when the service is drained. */
export const serveEndpoint = ({ service, endpoints }: ServedService, options: EndpointOptions): void => {
  const take = (message: Msg): void => {
    const questions = requestsIn(message)
    const done = acceptLater(service, message)
    if (questions === null) respondToOne(message, options, done)
    else respondToBatch(message, questions, options, done)
  }
  endpoints.set(options.subject, take)
  service.addEndpoint(options.name.replaceAll('.', '_'), {
    subject: options.subject,
    metadata: { about: options.about.slice(0, 200) },
    handler: (error, message) => {
      if (!error) take(message)
    },
  })
}

/** Thrown if no process received the request, so that nothing was done. */
export class NotReceived extends Error {}

const unavailable = (cause: unknown) =>
  fail('unavailable', 'There was a temporary problem serving your request, please try again', { cause, retryAfter: 1 })

const asFailure = (error: unknown, subject: string): unknown => {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (root instanceof NoRespondersError || error instanceof NoRespondersError)
    return unavailable(new NotReceived(`no process responds to ${subject}`))
  if (error instanceof ResponderLost) return unavailable(error)
  if (root instanceof TimeoutError || error instanceof TimeoutError)
    return fail('timeout', 'The request took too long, please try again', {
      cause: new Error(`no response in time from ${subject}`),
      retryAfter: 2,
    })
  return unavailable(error)
}

const alone = async (
  nc: NatsConnection,
  subject: string,
  payload: Uint8Array | string,
  envelope: Envelope,
  kind: 'read' | 'write',
): Promise<RpcResponse> => {
  const parts = await requestInParts(nc, subject, payload, {
    headers: writeEnvelope(envelope),
    timeoutMs: envelope.remainingMs,
    kind,
  })
  return {
    bytes: parts.length === 1 ? (parts[0] as Msg).data : Buffer.concat(parts.map((part) => part.data)),
    meta: readReply(parts[0]?.headers),
  }
}

const batchers = new WeakMap<NatsConnection, Map<string, RequestBatcher>>()

const batchOf = (nc: NatsConnection, subject: string, kind: 'read' | 'write') => {
  const known = batchers.get(nc) ?? new Map<string, RequestBatcher>()
  batchers.set(nc, known)
  const batcher =
    known.get(subject) ??
    createRequestBatcher(nc, subject, kind, (payload, envelope) => alone(nc, subject, payload, envelope, kind))
  known.set(subject, batcher)
  return batcher
}

export interface SendOptions {
  /** True permits sending the request in a batch. Only operations with short responses permit it. */
  together?: boolean
  /**
   * True if the request may be sent again when its responder is lost. Its responder counts as lost after one second
   * without a sign of life, that of any other request after five.
   */
  repeatable?: boolean
}

/**
 * Sends a request once. Resolves with the response, which may be a refusal. A Failure is thrown only without a
 * response. The cause is a ResponderLost when a process may have done the work, and NotReceived when certainly none did.
 */
export const sendRequest = async (
  nc: NatsConnection,
  subject: string,
  payload: Uint8Array | string,
  envelope: Envelope,
  { together = false, repeatable = false }: SendOptions = {},
): Promise<RpcResponse> => {
  if (nc.isClosed() || nc.isDraining()) throw unavailable(new NotReceived('the bus connection is closed'))
  if (isDisconnected(nc)) throw unavailable(new NotReceived('the bus is away'))
  if (payload.length > MAX_MESSAGE) throw fail('too_large', 'The request is too large')
  const kind = repeatable ? 'read' : 'write'
  try {
    return await (together && isBatchable(payload)
      ? batchOf(nc, subject, kind).send(payload, envelope)
      : alone(nc, subject, payload, envelope, kind))
  } catch (error) {
    throw asFailure(error, subject)
  }
}
