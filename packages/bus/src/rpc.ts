/** Request and reply: a service's endpoints, and asking another service for an answer now. */
import { fail } from '@murmuration/contracts/kit'
import { type Service, Svcm } from '@nats-io/services'
import { type Msg, type NatsConnection, NoRespondersError, TimeoutError } from '@nats-io/transport-node'
import { askInParts, isAway, respondInParts } from './parts.js'
import {
  createRequestBatcher,
  isBatchable,
  type RequestBatcher,
  type RpcRequest,
  type RpcResponse,
  requestsIn,
  responder,
} from './request-batch.js'
import { acceptLater, aliveSubject, ResponderLost } from './responders.js'
import { type Envelope, readEnvelope, readReply, writeEnvelope, writeReply } from './wire.js'

/** Requests, and answers that do not come in parts, above this many bytes are refused. The server's limit is 1 MiB. */
export const MAX_MESSAGE = 900_000

export interface EndpointOptions {
  name: string
  subject: string
  about: string
  large: boolean
  /** Null answers nothing at all; only a fault point does that. */
  handle(question: RpcRequest): Promise<RpcResponse | null>
  /** The answer could not be sent. */
  unsent(error: unknown): void
}

/** A service of this process on the bus. */
export interface ServedService {
  readonly service: Service
  /** Handles a message by the subject of its endpoint. */
  readonly endpoints: Map<string, (message: Msg) => void>
  /** Takes no more requests. Resolves when those that the bus delivered before have been given to their handlers. */
  stop(): Promise<unknown>
}

/**
 * Registers a service with the NATS services framework, so that the usual tools see its endpoints and figures. It also listens
 * to requests that are directed to this process, and says that it is alive until the connection closes.
 */
export const registerService = async (nc: NatsConnection, name: string, version: string): Promise<ServedService> => {
  const description = `The ${name} service`
  const service = await new Svcm(nc).add({ name: `murmuration-${name}`, version, queue: name, description })
  const endpoints: ServedService['endpoints'] = new Map()
  const { id } = service.info()
  nc.subscribe(aliveSubject(name, id), { callback: (error, message) => void (error ?? message.respond()) })
  const directed = nc.subscribe(`rpc.${name}.*.*.${id}`, {
    callback: (error, message) => {
      if (!error) endpoints.get(message.subject.slice(0, -id.length - 1))?.(message)
    },
  })
  return { service, endpoints, stop: () => Promise.all([service.stop(), directed.drain()]) }
}

const respond = (message: Msg, answer: RpcResponse, large: boolean): void => {
  const { bytes, meta } = answer
  const h = writeReply(meta)
  if (large) respondInParts(message, bytes, h)
  else message.respond(bytes, h ? { headers: h } : undefined)
}

const answerOne = (message: Msg, options: EndpointOptions, done: () => void): void => {
  options
    .handle({ data: message.data, envelope: () => readEnvelope(message.headers) })
    .then((answer) => {
      done()
      if (message.reply && answer) respond(message, answer, options.large)
    })
    .catch((error) => {
      done()
      options.unsent(error)
    })
}

const answerAll = (
  message: Msg,
  questions: readonly RpcRequest[],
  options: EndpointOptions,
  done: () => void,
): void => {
  const answer = responder(message, options.unsent)
  let left = questions.length
  for (const [place, question] of questions.entries())
    options
      .handle(question)
      .then((given) => given && answer(place, given))
      .catch(options.unsent)
      .finally(() => --left === 0 && done())
}

/** Adds one endpoint. `handle` never rejects: refusals are answers too. Returns nothing; stop by draining the service. */
export const serveEndpoint = ({ service, endpoints }: ServedService, options: EndpointOptions): void => {
  const take = (message: Msg): void => {
    const questions = requestsIn(message)
    const done = acceptLater(service, message)
    if (questions === null) answerOne(message, options, done)
    else answerAll(message, questions, options, done)
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

const unavailable = (cause: unknown) =>
  fail('unavailable', 'There was a temporary problem serving your request, please try again', { cause, retryAfter: 1 })

const asFailure = (error: unknown, subject: string): unknown => {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (root instanceof NoRespondersError || error instanceof NoRespondersError)
    return unavailable(new Error(`nobody answers ${subject}`))
  if (error instanceof ResponderLost) return unavailable(error)
  if (root instanceof TimeoutError || error instanceof TimeoutError)
    return fail('timeout', 'The request took too long, please try again', {
      cause: new Error(`no answer in time from ${subject}`),
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
  const parts = await askInParts(nc, subject, payload, {
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

export interface AskOptions {
  /** The request may go in one message with others of this moment; only where answers are short. */
  together?: boolean
  /** The caller asks again when the responder is lost, so that a second of silence is enough. A write waits for two. */
  repeatable?: boolean
}

/**
 * Asks once. Resolves with whatever was answered, refusals included; throws a Failure only when there was no answer. Its cause
 * is a ResponderLost when a process may have done the work.
 */
export const ask = async (
  nc: NatsConnection,
  subject: string,
  payload: Uint8Array | string,
  envelope: Envelope,
  { together = false, repeatable = false }: AskOptions = {},
): Promise<RpcResponse> => {
  if (nc.isClosed() || nc.isDraining()) throw unavailable(new Error('the bus connection is closed'))
  if (isAway(nc)) throw unavailable(new Error('the bus is away'))
  if (payload.length > MAX_MESSAGE) throw fail('too_large', 'The request is too large')
  const kind = repeatable ? 'read' : 'write'
  try {
    return await (together && isBatchable(payload)
      ? batchOf(nc, subject, kind).ask(payload, envelope)
      : alone(nc, subject, payload, envelope, kind))
  } catch (error) {
    throw asFailure(error, subject)
  }
}
