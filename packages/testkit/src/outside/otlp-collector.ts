/** A fake OpenTelemetry collector: receives OTLP over HTTP (protobuf) and records the spans. */
import { gunzipSync } from 'node:zlib'
import { decodeTraces, type ExportedSpan } from './otlp-decode.js'
import { type Recorder, recorder } from './recorder.js'
import { type ListenOptions, type StubResponse, serve } from './web-server.js'

export interface OtlpCollector {
  /** Value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  endpoint: string
  spans: Recorder<ExportedSpan>
  /** Decompressed bodies of all received exports. Tests search the bodies for content that must not be exported. */
  bodies: Buffer[]
  /** Waits until a trace has spans with all these names. Returns its spans. */
  trace(names: readonly string[], withinMs?: number): Promise<ExportedSpan[]>
  close(): Promise<void>
}

/** Starts the collector. It accepts `/v1/traces`, and responds 404 to all other paths. */
export const startOtlpCollector = async (options: ListenOptions = {}): Promise<OtlpCollector> => {
  const spans = recorder<ExportedSpan>(
    'spans at the collector',
    ({ name, kind, traceId }) => `${traceId} ${kind} ${name}`,
  )
  const bodies: Buffer[] = []
  const server = await serve(({ method, path, headers, body }): StubResponse => {
    if (method !== 'POST' || path !== '/v1/traces') return { status: 404 }
    if (headers['content-type'] !== 'application/x-protobuf') return { status: 415 }
    const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    bodies.push(plain)
    for (const span of decodeTraces(plain)) spans.push(span)
    return { status: 200, headers: { 'content-type': 'application/x-protobuf' }, body: Buffer.alloc(0) }
  }, options)
  return {
    endpoint: server.origin,
    spans,
    bodies,
    trace: async (names, withinMs = 30_000) => {
      const complete = () =>
        [...Map.groupBy(spans.all, (span) => span.traceId).values()].find((group) =>
          names.every((name) => group.some((span) => span.name === name)),
        )
      const deadline = Date.now() + withinMs
      let found = complete()
      while (!found) {
        await spans.reached(spans.all.length + 1, Math.max(deadline - Date.now(), 1))
        found = complete()
      }
      return found
    },
    close: server.close,
  }
}
