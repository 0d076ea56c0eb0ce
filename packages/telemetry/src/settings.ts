/** Reads the standard OTEL_ variables that enable tracing and set the service name. */
import { basename, dirname, sep } from 'node:path'

export interface TelemetrySettings {
  /** `on`: true when spans are recorded and exported. */
  on: boolean
  /** `service.name` of the process, used for spans without a service. */
  serviceName: string
  /** True when OTEL_SERVICE_NAME is set. If OTEL_SERVICE_NAME is set, every span of the process has that name. */
  isNameChosen: boolean
}

type Environment = Record<string, string | undefined>

/**
 * Off unless an OTLP endpoint is set or `OTEL_TRACES_EXPORTER=otlp`; `OTEL_SDK_DISABLED=true` and
 * `OTEL_TRACES_EXPORTER=none` keep it off.
 *
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const telemetrySettings = (env: Environment, argv: readonly string[]): TelemetrySettings => {
  const exporter = env.OTEL_TRACES_EXPORTER?.trim().toLowerCase() ?? ''
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  const disabled = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' || exporter === 'none'
  return {
    on: !disabled && (Boolean(endpoint) || exporter === 'otlp'),
    serviceName: env.OTEL_SERVICE_NAME || `murmuration-${processName(argv)}`,
    isNameChosen: Boolean(env.OTEL_SERVICE_NAME),
  }
}

/**
 * Name of the service that a process runs, from its command line: `…/services/accounts/src/main.ts` → `accounts`,
 * `…/bin/serve.ts accounts:api` → `accounts`, `…/bin/serve.ts statuses:fanout` → `statuses`, `…/bin/start.mjs` → `start`.
 */
const processName = (argv: readonly string[]): string => {
  const [, script, first] = argv
  if (!script) return 'process'
  const parts = dirname(script).split(sep)
  const service = parts.lastIndexOf('services')
  if (service >= 0 && parts[service + 1]) return parts[service + 1]!
  const name = basename(script).replace(/\.[cm]?[jt]s$/, '')
  return (name === 'serve' && first && /^[a-z][a-z-]*(?=:|$)/.exec(first)?.[0]) || name
}
