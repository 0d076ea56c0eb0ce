// Recorded spans: the standard variables, and the limit of calls below one span.
import { ROOT_CONTEXT, type Span, SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import { expect, test } from 'vitest'
import { MAX_CALLS_PER_SPAN, samplerFromEnvironment } from './sampler.js'

const ids = { traceId: `${'a'.repeat(24)}80000000`, spanId: 'b'.repeat(16) }
const under = (traceFlags: TraceFlags) => trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags, isRemote: true })
const decide = (env: Record<string, string>, context = ROOT_CONTEXT, kind = SpanKind.SERVER) =>
  samplerFromEnvironment(env).shouldSample(context, ids.traceId, 'name', kind, {}, []).decision

test('by default all spans are recorded, except below unrecorded ones of the sender', () => {
  expect(decide({})).toBe(2)
  expect(decide({}, under(TraceFlags.SAMPLED))).toBe(2)
  expect(decide({}, under(TraceFlags.NONE))).toBe(0)
  expect(decide({ OTEL_TRACES_SAMPLER: 'always_on' }, under(TraceFlags.NONE))).toBe(2)
  expect(decide({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })).toBe(0)
})

test('a call without a parent span is not recorded', () => {
  expect(decide({}, ROOT_CONTEXT, SpanKind.CLIENT)).toBe(0)
  expect(decide({}, under(TraceFlags.SAMPLED), SpanKind.CLIENT)).toBe(2)
})

test('a share of the traces is selected by their id', () => {
  const share = (arg: string) => decide({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: arg })
  expect([share('0'), share('0.5'), share('0.51'), share('1'), share('')]).toEqual([0, 0, 2, 2, 2])
})

test('an invalid value is reported with its variable', () => {
  expect(() => decide({ OTEL_TRACES_SAMPLER: 'sometimes' })).toThrow('OTEL_TRACES_SAMPLER: "sometimes"')
  const half = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'half' }
  expect(() => decide(half)).toThrow('OTEL_TRACES_SAMPLER_ARG: "half"')
})

test('the number of calls below one span is limited, and the rest is counted on it', () => {
  const marks: Record<string, unknown> = {}
  const parent = {
    isRecording: () => true,
    spanContext: () => ({ ...ids, traceFlags: TraceFlags.SAMPLED }),
    setAttribute: (name: string, value: unknown) => Object.assign(marks, { [name]: value }),
  } as unknown as Span
  const context = trace.setSpan(ROOT_CONTEXT, parent)
  const sampler = samplerFromEnvironment({})
  const decide = (kind: SpanKind, name = 'SET') =>
    sampler.shouldSample(context, ids.traceId, name, kind, {}, []).decision
  const calls = Array.from({ length: MAX_CALLS_PER_SPAN + 3 }, () => decide(SpanKind.CLIENT))
  expect(calls.filter((decision) => decision === 2)).toHaveLength(MAX_CALLS_PER_SPAN)
  expect(marks).toEqual({ 'murmuration.calls_not_recorded': 3 })
  expect([decide(SpanKind.INTERNAL), decide(SpanKind.CLIENT, 'GET')]).toEqual([2, 2])
})
