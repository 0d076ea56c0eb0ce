/** Starts the OpenTelemetry SDK: traces only, a few chosen instrumentations, OTLP over HTTP, everything redacted. */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { RedisInstrumentation } from '@opentelemetry/instrumentation-redis'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { redactingExporter } from './redacting-exporter.js'
import { samplerFromEnvironment } from './sampler.js'
import { inheritingService, namingServices } from './service.js'
import { setStarted } from './state.js'

const probePaths = new Set(['/livez', '/readyz', '/metrics'])

/**
 * Starts recording spans in this process. Client spans (SQL, Redis, HTTP) are recorded only below a span of an entry point,
 * so polling relays and idle clients create none.
 * @param serviceName `service.name` of the resource
 * @param isChosen true when the name applies to every span of the process; else each service has its own
 */
export const startTelemetry = (serviceName: string, isChosen: boolean): void => {
  // Only trace ids are propagated. Baggage would forward data of one remote server in requests to other servers.
  process.env.OTEL_PROPAGATORS ??= 'tracecontext'
  // The SDK's default also records the command line and the operating system user.
  process.env.OTEL_NODE_RESOURCE_DETECTORS ??= 'env,host,serviceinstance'
  // The timeout is short, because retries keep the process alive. An unreachable collector must not delay the end of
  // the process after shutdownTelemetry.
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT ??= '3000'
  const collector = new OTLPTraceExporter()
  const sdk = new NodeSDK({
    serviceName,
    traceExporter: redactingExporter(isChosen ? collector : namingServices(collector)),
    sampler: inheritingService(samplerFromEnvironment(process.env)),
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: (request) => probePaths.has((request.url ?? '').split('?', 1)[0]!),
        requireParentforOutgoingSpans: true,
      }),
      new UndiciInstrumentation({ requireParentforSpans: true }),
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
      new RedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    ],
  })
  sdk.start()
  loadInstrumented()
  setStarted({ shutdown: () => sdk.shutdown() })
}

/**
 * Loads the instrumented packages through `require`, where the instrumentations can patch them. ES module imports made
 * later share the same objects, so no loader hook has to wrap every module of the application.
 */
const loadInstrumented = (): void => {
  const require = createRequire(import.meta.url)
  for (const name of ['http', 'https', 'pg', '@redis/client']) {
    try {
      require(name)
    } catch (error) {
      // A process without a database client may lack such a package. Any other error means a broken installation.
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  syncBuiltinESMExports()
}
