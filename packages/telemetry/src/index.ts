/** OpenTelemetry for Murmuration: propagation across messages, manual spans, and an ordered shutdown. */
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
