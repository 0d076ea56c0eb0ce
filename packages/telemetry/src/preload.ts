/**
 * Starts tracing before the application loads. Loads no further modules when tracing is off.
 * @example node --import @murmuration/telemetry/preload dist/main.js
 */
import { telemetrySettings } from './settings.js'

const settings = telemetrySettings(process.env, process.argv)
if (settings.on) {
  const { startTelemetry } = await import('./start.js')
  startTelemetry(settings.serviceName, settings.isNameChosen)
}
