/** Decodes the protobuf message that OTLP exporters send: ExportTraceServiceRequest of opentelemetry-proto v1. */

export type Value = string | number | boolean | Value[] | { [key: string]: Value } | null

/** A span with its resource. Ids are lower-case hex, as in `traceparent`. */
export interface ExportedSpan {
  traceId: string
  spanId: string
  /** Id of the parent span; empty for the root span of a trace. */
  parentSpanId: string
  name: string
  kind: 'unspecified' | 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  attributes: Record<string, Value>
  events: { name: string; attributes: Record<string, Value> }[]
  status: { code: number; message: string }
  /** Start of the span in nanoseconds since 1970. */
  start: bigint
  end: bigint
  scope: string
  resource: Record<string, Value>
}

type Field = Buffer | bigint
type Message = Map<number, Field[]>

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const

/** @throws Error when the bytes are no protobuf message */
export const decodeTraces = (body: Buffer): ExportedSpan[] =>
  messages(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(resourceSpans, 1)[0] ?? new Map(), 1)
    return messages(resourceSpans, 2).flatMap((scopeSpans) => {
      const scope = text(messages(scopeSpans, 1)[0] ?? new Map(), 1)
      return messages(scopeSpans, 2).map((span) => spanOf(span, scope, resource))
    })
  })

const spanOf = (span: Message, scope: string, resource: Record<string, Value>): ExportedSpan => {
  const status = messages(span, 15)[0] ?? new Map()
  return {
    traceId: bytes(span, 1).toString('hex'),
    spanId: bytes(span, 2).toString('hex'),
    parentSpanId: bytes(span, 4).toString('hex'),
    name: text(span, 5),
    kind: kinds[number(span, 6)] ?? 'unspecified',
    start: bytes(span, 7, 8).readBigUInt64LE(),
    end: bytes(span, 8, 8).readBigUInt64LE(),
    attributes: attributesOf(span, 9),
    events: messages(span, 11).map((event) => ({ name: text(event, 2), attributes: attributesOf(event, 3) })),
    status: { message: text(status, 2), code: number(status, 3) },
    scope,
    resource,
  }
}

const attributesOf = (message: Message, field: number): Record<string, Value> =>
  Object.fromEntries(
    messages(message, field).map((pair) => [text(pair, 1), anyValue(messages(pair, 2)[0] ?? new Map())]),
  )

/** AnyValue: a oneof of string, bool, int, double, array, key-value list and bytes. */
const anyValue = (value: Message): Value => {
  if (value.has(1)) return text(value, 1)
  if (value.has(2)) return number(value, 2) === 1
  if (value.has(3)) return Number(BigInt.asIntN(64, value.get(3)![0] as bigint))
  if (value.has(4)) return bytes(value, 4).readDoubleLE()
  if (value.has(5)) return messages(messages(value, 5)[0]!, 1).map(anyValue)
  if (value.has(6)) return attributesOf(messages(value, 6)[0]!, 1)
  if (value.has(7)) return bytes(value, 7).toString('base64')
  return null
}

const bytes = (message: Message, field: number, empty = 0): Buffer => {
  const found = message.get(field)?.at(-1)
  return Buffer.isBuffer(found) ? found : Buffer.alloc(empty)
}
const text = (message: Message, field: number): string => bytes(message, field).toString('utf8')
const number = (message: Message, field: number): number => Number(message.get(field)?.at(-1) ?? 0)
const messages = (message: Message, field: number): Message[] =>
  (message.get(field) ?? []).map((found) => fieldsOf(found as Buffer))

/**
 * Reads the protobuf wire format: a key (field number and wire type), then a varint, eight bytes, a length and bytes,
 * or four bytes.
 */
const fieldsOf = (body: Buffer): Message => {
  const fields: Message = new Map()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = body[at++]
      if (byte === undefined) throw new Error('the message ends inside a number')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new Error('a number is longer than ten bytes')
  }
  const take = (length: number): Buffer => {
    at += length
    if (at > body.length) throw new Error('the message ends inside a field')
    return body.subarray(at - length, at)
  }
  while (at < body.length) {
    const key = Number(varint())
    const type = key & 7
    if (type !== 0 && type !== 1 && type !== 2 && type !== 5) throw new Error(`wire type ${type} is unknown`)
    const value = type === 0 ? varint() : take(type === 1 ? 8 : type === 5 ? 4 : Number(varint()))
    const known = fields.get(key >>> 3)
    if (known) known.push(value)
    else fields.set(key >>> 3, [value])
  }
  return fields
}
