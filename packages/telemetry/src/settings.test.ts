// Activation of tracing, and the service name of a process.
import { expect, test } from 'vitest'
import { telemetrySettings } from './settings.js'

const settings = (env: Record<string, string>, ...argv: string[]) => telemetrySettings(env, ['node', ...argv])

test('tracing is off until an endpoint or the otlp exporter is set', () => {
  expect(settings({}).on).toBe(false)
  expect(settings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }).on).toBe(true)
  expect(settings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }).on).toBe(true)
  expect(settings({ OTEL_TRACES_EXPORTER: 'OTLP' }).on).toBe(true)
  expect(settings({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }).on).toBe(false)
})

test('the standard switches take precedence over an endpoint', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'
  expect(settings({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }).on).toBe(false)
  expect(settings({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }).on).toBe(false)
})

test('the service name is that of the variable, else that of the services of the process', () => {
  expect(settings({ OTEL_SERVICE_NAME: 'mine' }, '/app/x.js')).toMatchObject({
    serviceName: 'mine',
    isNameChosen: true,
  })
  expect(settings({}, '/app/x.js').isNameChosen).toBe(false)
  expect(settings({}, '/app/services/accounts/src/main.ts', 'api').serviceName).toBe('murmuration-accounts')
  expect(settings({}, '/app/services/media/dist/main.js').serviceName).toBe('murmuration-media')
  expect(settings({}, '/app/bin/serve.ts', 'statuses:fanout').serviceName).toBe('murmuration-statuses')
  expect(settings({}, '/app/bin/serve.ts', 'statuses:fanout,api').serviceName).toBe('murmuration-statuses')
  expect(settings({}, '/app/bin/serve.ts', '--help').serviceName).toBe('murmuration-serve')
  expect(settings({}, '/app/bin/start.mjs').serviceName).toBe('murmuration-start')
  expect(settings({}).serviceName).toBe('murmuration-process')
})
