/** OpenTelemetry for Murmuration: propagation across messages, spans by hand, and a clean end. */
export {
  currentTraceId,
  describeSpan,
  extractTrace,
  injectTrace,
  inSpan,
  type SpanOptions,
  type TraceParent,
} from './propagation.js'
export { SERVICE_ATTRIBUTE } from './service.js'
export { isTelemetryOn, shutdownTelemetry } from './state.js'
