/** Envelopes: caller, deadline and trace of a request, and the metadata of a response. */
import { type Caller, CallerHeader, type ErrorPhrases, type Reply } from '@murmuration/contracts/kit'
import { headers, type MsgHdrs } from '@nats-io/transport-node'

/** The envelope of a request. */
export interface Envelope {
  /** Milliseconds left of the deadline. The value decreases with each hop, so clocks need not agree (F078). */
  remainingMs: number
  caller: Caller | null
  requestId: string
  /** Id of a command, the same for each attempt of it. */
  commandId: string | null
  idempotencyKey: string | null
  locale: string
  /** W3C trace context, or empty. */
  traceparent: string
  /** Arrival at the gateway; set only for requests whose order matters. */
  arrival?: Arrival | null
}

/**
 * Arrival of a request at the gateway, as a time and as a wait. Neither suffices, because clocks may differ, and
 * because the wait does not include the time on the bus.
 */
export interface Arrival {
  /** Milliseconds since 1970 by the clock of the gateway. */
  readonly at: number
  /** Milliseconds that the request waited at the gateway. */
  readonly waitedMs: number
}

const MAX_HEADER = 8_192

/**
 * Version of the message metadata, written to every request, event and job. A reader supports every version
 * with the same first number (D078).
 */
export const WIRE_VERSION = '1'

/**
 * True if this release supports the version of a message. Messages of releases before WIRE_VERSION have no version, and
 * are supported.
 */
export const isReadable = (version: string): boolean => version === '' || /^1(\.|$)/.test(version)

/**
 * Percent-encodes text that is not printable ASCII, such as some user agents, because header values must be printable
 * ASCII.
 */
const safe = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text))

/** Maximum number of parsed callers that are cached. Few accounts send most requests. */
const MAX_CALLERS = 1_000
const callers = new Map<string, Caller>()
const callerTexts = new WeakMap<Caller, string>()

const writeCaller = (caller: Caller): string => {
  const known = callerTexts.get(caller)
  if (known !== undefined) return known
  const { userAgent, ...rest } = caller
  const text = JSON.stringify({ ...rest, userAgent: userAgent === null ? null : safe(userAgent).slice(0, 256) })
  callerTexts.set(caller, text)
  return text
}

/** Parses a caller. The result is cached and shared by requests, so it is frozen. */
const readCaller = (text: string): Caller => {
  const known = callers.get(text)
  if (known !== undefined) return known
  const caller = CallerHeader.parse(JSON.parse(text))
  for (const part of [caller, caller.viewer, caller.app, caller.app?.scopes]) Object.freeze(part)
  if (callers.size >= MAX_CALLERS) callers.clear()
  callers.set(text, caller)
  callerTexts.set(caller, text)
  return caller
}

/** Header names and values of an envelope; absent fields are left out or empty. */
const fieldsOf = (envelope: Envelope): [string, string][] => {
  const { arrival, caller, commandId, idempotencyKey, locale, traceparent } = envelope
  return [
    ['Version', WIRE_VERSION],
    ['Deadline-Ms', String(Math.max(0, Math.floor(envelope.remainingMs)))],
    ['Request-Id', envelope.requestId],
    ...(caller ? [['Caller', writeCaller(caller)] as [string, string]] : []),
    ...(commandId ? [['Command-Id', commandId] as [string, string]] : []),
    ...(idempotencyKey ? [['Idempotency-Key', safe(idempotencyKey).slice(0, 256)] as [string, string]] : []),
    ...(locale ? [['Locale', safe(locale).slice(0, 32)] as [string, string]] : []),
    ...(traceparent ? [['traceparent', traceparent] as [string, string]] : []),
    ...(arrival ? [['Arrival', `${Math.floor(arrival.at)} ${Math.ceil(arrival.waitedMs)}`] as [string, string]] : []),
  ]
}

/** Writes an envelope as headers of a message. Absent fields have no header. Long keys and locales are truncated. */
export const writeEnvelope = (envelope: Envelope): MsgHdrs => {
  const h = headers()
  for (const [name, value] of fieldsOf(envelope)) h.set(name, value)
  return h
}

/** Parses an arrival, two numbers; null for other text. */
const readArrival = (text: string): Arrival | null => {
  const [, at, waitedMs] = /^(\d{1,15}) (\d{1,9})$/.exec(text) ?? []
  return at === undefined || waitedMs === undefined ? null : { at: Number(at), waitedMs: Number(waitedMs) }
}

/** Reads an envelope from its fields by name. Throws when a field is too large or has an unknown value (F022). */
const envelopeFrom = (field: (name: string) => string): Envelope => {
  const of = (name: string): string => {
    const value = field(name)
    if (value.length > MAX_HEADER) throw new Error(`header ${name} is too large`)
    return value
  }
  if (!isReadable(of('Version'))) throw new Error(`version ${of('Version')} is not ours`)
  const caller = of('Caller')
  const remaining = Number(of('Deadline-Ms') || 5_000)
  return {
    remainingMs: Number.isFinite(remaining) ? remaining : 0,
    caller: caller ? readCaller(caller) : null,
    requestId: of('Request-Id'),
    commandId: of('Command-Id') || null,
    idempotencyKey: of('Idempotency-Key') || null,
    locale: of('Locale'),
    traceparent: of('traceparent'),
    arrival: readArrival(of('Arrival')),
  }
}

/**
 * Reads the envelope of a message. Throws if a header is too large, the caller is invalid, or the version is not supported.
 * Without headers, the deadline is five seconds.
 */
export const readEnvelope = (h: MsgHdrs | undefined): Envelope => envelopeFrom((name) => h?.get(name) ?? '')

/** Envelope as one line of text, for messages with several requests. */
export const envelopeToText = (envelope: Envelope): string => JSON.stringify(Object.fromEntries(fieldsOf(envelope)))

/** Reads an envelope from a line of text. Throws when the envelope is invalid. */
export const envelopeFromText = (text: string): Envelope => {
  const fields: unknown = JSON.parse(text)
  if (typeof fields !== 'object' || fields === null) throw new Error('an envelope is missing')
  const known = new Map(Object.entries(fields))
  return envelopeFrom((name) => String(known.get(name) ?? ''))
}

/** Metadata of a response. */
export interface ReplyMeta {
  status: number
  headers: Record<string, string>
  next: Record<string, string> | null
  prev: Record<string, string> | null
  /** Code of a refusal; null for other replies. */
  code: string | null
  /** Messages and arguments of the error texts of a refusal, by the English text, for translation. */
  phrases?: ErrorPhrases
}

/** JSON that contains only ASCII, as header values must. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Writes the metadata of a response as headers; undefined if the response has only a body and the status 200. */
export const writeReply = (meta: ReplyMeta): MsgHdrs | undefined => {
  const plain = meta.status === 200 && !meta.next && !meta.prev && !meta.code && Object.keys(meta.headers).length === 0
  if (plain) return undefined
  const h = headers()
  h.set('Meta', asciiJson(meta))
  return h
}

const PLAIN: ReplyMeta = { status: 200, headers: {}, next: null, prev: null, code: null }

/**
 * Reads the metadata of a response. Without headers, it is a response with the status 200. Throws a SyntaxError if the header
 * is no JSON.
 */
export const readReply = (h: MsgHdrs | undefined): ReplyMeta => {
  const meta = h?.get('Meta')
  return meta ? (JSON.parse(meta) as ReplyMeta) : PLAIN
}

/** Metadata of the reply of a handler. */
export const metaOf = (reply: Reply<unknown> | null): ReplyMeta =>
  reply === null
    ? PLAIN
    : {
        status: reply.status ?? 200,
        headers: { ...reply.headers },
        next: reply.next ?? null,
        prev: reply.prev ?? null,
        code: null,
      }
