/** Request and reply: a service's endpoints, and asking another service for an answer now. */
import { fail } from '@murmuration/contracts/kit'
import { type Service, Svcm } from '@nats-io/services'
import { type Msg, type NatsConnection, NoRespondersError, TimeoutError } from '@nats-io/transport-node'
import {
  type Answer,
  answersTo,
  type Convoy,
  createConvoy,
  mayTravelTogether,
  type Question,
  questionsIn,
} from './convoy.js'
import { askInParts, isAway, respondInParts } from './parts.js'
import { type Envelope, readEnvelope, readReply, writeEnvelope, writeReply } from './wire.js'

/** Requests, and answers that do not come in parts, above this many bytes are refused. The server's limit is 1 MiB. */
export const MAX_MESSAGE = 900_000

export interface EndpointOptions {
  name: string
  subject: string
  about: string
  large: boolean
  /** Null answers nothing at all; only a fault point does that. */
  handle(question: Question): Promise<Answer | null>
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

const answerOne = (message: Msg, options: EndpointOptions): void => {
  options
    .handle({ data: message.data, envelope: () => readEnvelope(message.headers) })
    .then((answer) => {
      if (message.reply && answer) respond(message, answer, options.large)
    })
    .catch(options.unsent)
}

const answerAll = (message: Msg, questions: readonly Question[], options: EndpointOptions): void => {
  const answer = answersTo(message, options.unsent)
  for (const [place, question] of questions.entries())
    options
      .handle(question)
      .then((given) => given && answer(place, given))
      .catch(options.unsent)
}

/** Adds one endpoint. `handle` never rejects: refusals are answers too. Returns nothing; stop by draining the service. */
export const serveEndpoint = (service: Service, options: EndpointOptions): void => {
  service.addEndpoint(options.name.replaceAll('.', '_'), {
    subject: options.subject,
    metadata: { about: options.about.slice(0, 200) },
    handler: (error, message) => {
      if (error) return
      const questions = questionsIn(message)
      if (questions === null) answerOne(message, options)
      else answerAll(message, questions, options)
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

const alone = async (
  nc: NatsConnection,
  subject: string,
  payload: Uint8Array | string,
  envelope: Envelope,
): Promise<Answer> => {
  const parts = await askInParts(nc, subject, payload, {
    headers: writeEnvelope(envelope),
    timeoutMs: envelope.remainingMs,
  })
  return {
    bytes: parts.length === 1 ? (parts[0] as Msg).data : Buffer.concat(parts.map((part) => part.data)),
    meta: readReply(parts[0]?.headers),
  }
}

const convoys = new WeakMap<NatsConnection, Map<string, Convoy>>()

const convoyTo = (nc: NatsConnection, subject: string): Convoy => {
  const known = convoys.get(nc) ?? new Map<string, Convoy>()
  convoys.set(nc, known)
  const convoy =
    known.get(subject) ?? createConvoy(nc, subject, (payload, envelope) => alone(nc, subject, payload, envelope))
  known.set(subject, convoy)
  return convoy
}

/**
 * Asks once. Resolves with whatever was answered, refusals included; throws only when there was no answer.
 * @param together whether it may go in one message with others of this moment; only where answers are short
 */
export const ask = async (
  nc: NatsConnection,
  subject: string,
  payload: Uint8Array | string,
  envelope: Envelope,
  together = false,
): Promise<Answer> => {
  if (nc.isClosed() || nc.isDraining()) throw unavailable(new Error('the bus connection is closed'))
  if (isAway(nc)) throw unavailable(new Error('the bus is away'))
  if (payload.length > MAX_MESSAGE) throw fail('too_large', 'The request is too large')
  try {
    return await (together && mayTravelTogether(payload)
      ? convoyTo(nc, subject).ask(payload, envelope)
      : alone(nc, subject, payload, envelope))
  } catch (error) {
    throw asFailure(error, subject)
  }
}
