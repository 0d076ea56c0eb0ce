/** Sampling of traces: the standard sampler variables of OpenTelemetry, and a limit of client spans below one span. */
import { type Context, type Span, SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node'

type Sampler = NodeSDKConfiguration['sampler']
type Decision = ReturnType<Sampler['shouldSample']>

/**
 * Maximum client spans of one name below one span. Without this limit, a pipeline of 1,000 Redis commands would be
 * 1,000 spans.
 */
export const MAX_CALLS_PER_SPAN = 50

const drop: Decision = { decision: 0 }
const record: Decision = { decision: 2 }

/**
 * The sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` name, by default `parentbased_always_on`. Below
 * one local span, at most {@link MAX_CALLS_PER_SPAN} client spans of one name are recorded. Client spans without a
 * parent are not recorded.
 *
 * @throws Error naming the variable when its value is not one of the specification's
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
 */
export const samplerFromEnvironment = (env: Record<string, string | undefined>): Sampler => {
  const sampler = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const [, parentBased, root] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(sampler) ?? []
  if (!root)
    throw new Error(`OTEL_TRACES_SAMPLER: "${sampler}" is not a sampler; use parentbased_always_on or its like`)
  const share = root === 'always_on' ? 1 : root === 'always_off' ? 0 : shareOf(env.OTEL_TRACES_SAMPLER_ARG)
  const calls: Calls = new WeakMap()
  return {
    toString: () => `${sampler}{${share}}`,
    shouldSample: (context, traceId, name, kind) => {
      const parent = trace.getSpanContext(context)
      // A call without a parent span, such as a new connection or the poll of a relay, is not recorded.
      if (kind === SpanKind.CLIENT && !parent) return drop
      const wanted = parentBased && parent ? (parent.traceFlags & TraceFlags.SAMPLED) !== 0 : isInShare(traceId, share)
      return wanted && !(kind === SpanKind.CLIENT && isOneTooMany(calls, context, name)) ? record : drop
    },
  }
}

const shareOf = (text: string | undefined): number => {
  const share = text === undefined || text === '' ? 1 : Number(text)
  if (!(share >= 0 && share <= 1)) throw new Error(`OTEL_TRACES_SAMPLER_ARG: "${text}" is not between 0 and 1`)
  return share
}

/** True when the trace is sampled. Depends on the trace id only, so that every process samples the same traces. */
const isInShare = (traceId: string, share: number): boolean =>
  share === 1 || Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32

/** For each span, the number of calls below it by name, and the number of calls that are not recorded. */
type Calls = WeakMap<Span, { byName: Map<string, number>; leftOut: number }>

const isOneTooMany = (calls: Calls, context: Context, name: string): boolean => {
  const parent = trace.getSpan(context)
  if (!parent?.isRecording()) return false
  const made = calls.get(parent) ?? { byName: new Map<string, number>(), leftOut: 0 }
  calls.set(parent, made)
  const count = (made.byName.get(name) ?? 0) + 1
  made.byName.set(name, count)
  if (count <= MAX_CALLS_PER_SPAN) return false
  parent.setAttribute('murmuration.calls_not_recorded', ++made.leftOut)
  return true
}
